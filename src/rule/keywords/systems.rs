//! The names that other systems have for the rules.

use std::fmt;

use crate::rule::Keyword;

/// A system that has rules of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum System {
    /// The Terraform plugin framework, with terraform-plugin-framework-validators.
    Framework,
    /// The Terraform plugin SDK v2: fields of schemas, and the packages validation and customdiff.
    Sdk,
    /// ytt, with the rules that its proposal names.
    Ytt,
}

impl System {
    /// All systems, in the order of their names.
    pub const ALL: [System; 3] = [System::Framework, System::Sdk, System::Ytt];

    /// A short name: `framework`, `sdk`, `ytt`.
    pub fn name(self) -> &'static str {
        match self {
            System::Framework => "framework",
            System::Sdk => "sdk",
            System::Ytt => "ytt",
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Keyword {
    /// The names of the rule in a system; none if the system lacks it. Names that rules files accept are its
    /// [`aliases`](Keyword::aliases).
    ///
    /// ```
    /// use plantime::rule::{System, keyword};
    ///
    /// let matches = keyword("matches")?;
    /// assert_eq!(matches.names_in(System::Framework), ["RegexMatches"]);
    /// assert_eq!(matches.names_in(System::Sdk)[0], "StringMatch");
    /// assert_eq!(matches.names_in(System::Ytt), ["matches"]);
    /// assert!(keyword("implies")?.names_in(System::Ytt).is_empty());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn names_in(&self, system: System) -> &'static [&'static str] {
        let row = NAMES.iter().find(|(name, ..)| *name == self.name);
        row.map_or(&[], |(_, framework, sdk, ytt)| match system {
            System::Framework => framework,
            System::Sdk => sdk,
            System::Ytt => ytt,
        })
    }
}

/// A keyword, and its names in the framework, in the SDK and in ytt.
type Row = (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);

/// The names of each keyword. A function with two bounds is listed with both rules.
static NAMES: &[Row] = &[
    ("not_null", &["IsRequired"], &["Required"], &["not_null"]),
    ("equals", &["Equals"], &["StringIsEmpty"], &[]),
    ("one_of", &["OneOf"], &["StringInSlice", "IntInSlice"], &["one_of"]),
    ("none_of", &["NoneOf"], &["StringNotInSlice", "IntNotInSlice"], &[]),
    ("starts_with", &[], &[], &["starts_with"]),
    ("ends_with", &[], &[], &["ends_with"]),
    ("contains", &[], &[], &["contains"]),
    (
        "min_len",
        &["UTF8LengthAtLeast", "UTF8LengthBetween", "SizeAtLeast", "SizeBetween"],
        &["MinItems"],
        &["min_len"],
    ),
    (
        "max_len",
        &["UTF8LengthAtMost", "UTF8LengthBetween", "SizeAtMost", "SizeBetween"],
        &["MaxItems"],
        &["max_len"],
    ),
    ("len", &[], &[], &["len"]),
    (
        "min_byte_len",
        &["LengthAtLeast", "LengthBetween"],
        &["StringIsNotEmpty", "StringLenBetween", "MapKeyLenBetween", "MapValueLenBetween"],
        &[],
    ),
    (
        "max_byte_len",
        &["LengthAtMost", "LengthBetween"],
        &["StringLenBetween", "MapKeyLenBetween", "MapValueLenBetween"],
        &[],
    ),
    ("multiple_of", &[], &["IntDivisibleBy"], &["multiple_of"]),
    ("even", &[], &[], &["even"]),
    ("odd", &[], &[], &["odd"]),
    (
        "format",
        &[],
        &[
            "StringIsBase64",
            "StringIsJSON",
            "StringIsValidRegExp",
            "IsIPAddress",
            "IsIPv4Address",
            "IsIPv6Address",
            "IsIPv4Range",
            "IsCIDR",
            "IsMACAddress",
            "IsRFC3339Time",
            "IsUUID",
            "IsDayOfTheWeek",
            "IsMonth",
        ],
        &["format"],
    ),
    ("one_of_ignoring_case", &["OneOfCaseInsensitive"], &["StringInSlice", "IsDayOfTheWeek", "IsMonth"], &[]),
    ("none_of_ignoring_case", &["NoneOfCaseInsensitive"], &["StringNotInSlice"], &[]),
    ("no_nulls", &["NoNullValues"], &[], &[]),
    ("unique", &["UniqueValues"], &["ListOfUniqueStrings"], &[]),
    ("min", &["AtLeast", "Between"], &["IntAtLeast", "FloatAtLeast", "IntBetween", "FloatBetween"], &["min"]),
    ("max", &["AtMost", "Between"], &["IntAtMost", "FloatAtMost", "IntBetween", "FloatBetween"], &["max"]),
    (
        "matches",
        &["RegexMatches"],
        &[
            "StringMatch",
            "StringDoesNotMatch",
            "StringDoesNotContainAny",
            "StringIsWhiteSpace",
            "StringIsNotWhiteSpace",
            "MapKeyMatch",
            "MapValueMatch",
        ],
        &["matches"],
    ),
    ("exactly_one_of", &["ExactlyOneOf"], &["ExactlyOneOf"], &[]),
    ("at_least_one_of", &["AtLeastOneOf"], &["AtLeastOneOf"], &[]),
    ("conflicting", &["Conflicting", "ConflictsWith"], &["ConflictsWith"], &[]),
    ("required_together", &["RequiredTogether"], &[], &[]),
    ("not_zero", &[], &["NoZeroValues"], &[]),
    ("port", &[], &["IsPortNumber"], &[]),
    ("port_or_zero", &[], &["IsPortNumberOrZero"], &[]),
    ("url", &[], &["IsURLWithHTTPS", "IsURLWithHTTPorHTTPS", "IsURLWithScheme"], &[]),
    ("cidr_network", &[], &["IsCIDRNetwork"], &[]),
    ("keys", &["KeysAre"], &["MapKeyLenBetween", "MapKeyMatch"], &[]),
    (
        "each",
        &[
            "ValueStringsAre",
            "ValueInt32sAre",
            "ValueInt64sAre",
            "ValueFloat32sAre",
            "ValueFloat64sAre",
            "ValueNumbersAre",
            "ValueListsAre",
            "ValueMapsAre",
            "ValueSetsAre",
        ],
        &["MapValueLenBetween", "MapValueMatch"],
        &[],
    ),
    ("also_requires", &["AlsoRequires"], &["RequiredWith"], &[]),
    ("prefer_write_only", &["PreferWriteOnlyAttribute"], &["PreferWriteOnlyAttribute"], &[]),
    ("one_not_null", &[], &[], &["one_not_null"]),
    ("at_least_sum_of", &["AtLeastSumOf"], &[], &[]),
    ("at_most_sum_of", &["AtMostSumOf"], &[], &[]),
    ("equal_to_sum_of", &["EqualToSumOf"], &[], &[]),
    ("equal_to_product_of", &["EqualToProductOf"], &[], &[]),
    ("all", &["All"], &["All", "AllDiag", "customdiff.All"], &[]),
    ("sequence", &[], &["customdiff.Sequence"], &[]),
    ("any", &["Any", "AnyWithAllWarnings"], &["Any", "AnyDiag"], &[]),
    ("when", &[], &["customdiff.If", "customdiff.IfValue", "customdiff.IfValueChange"], &["when"]),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{NAMES, System};
    use crate::rule::keywords;

    fn names(system: System) -> BTreeSet<&'static str> {
        keywords().iter().flat_map(|keyword| keyword.names_in(system)).copied().collect()
    }

    #[test]
    fn each_row_is_of_a_keyword_and_names_nothing_twice() {
        let rows: BTreeSet<&str> = NAMES.iter().map(|(name, ..)| *name).collect();
        assert_eq!(rows.len(), NAMES.len());
        let known: BTreeSet<&str> = keywords().iter().map(|keyword| keyword.name).collect();
        assert!(rows.is_subset(&known), "{:?}", rows.difference(&known));
        for keyword in keywords() {
            for system in System::ALL {
                let names = keyword.names_in(system);
                assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{}", keyword.name);
            }
        }
    }

    #[test]
    fn every_validator_of_the_framework_has_its_rule() {
        let framework = names(System::Framework);
        for name in "AlsoRequires AtLeastOneOf ConflictsWith ExactlyOneOf PreferWriteOnlyAttribute All Any \
                     AnyWithAllWarnings LengthAtLeast LengthAtMost LengthBetween UTF8LengthAtLeast UTF8LengthAtMost \
                     UTF8LengthBetween RegexMatches OneOf NoneOf OneOfCaseInsensitive NoneOfCaseInsensitive AtLeast \
                     AtMost Between AtLeastSumOf AtMostSumOf EqualToSumOf EqualToProductOf Equals SizeAtLeast \
                     SizeAtMost SizeBetween UniqueValues NoNullValues IsRequired KeysAre Conflicting RequiredTogether \
                     ValueStringsAre ValueInt32sAre ValueInt64sAre ValueFloat32sAre ValueFloat64sAre ValueNumbersAre \
                     ValueListsAre ValueMapsAre ValueSetsAre"
            .split_whitespace()
        {
            assert!(framework.contains(name), "{name}");
        }
    }

    #[test]
    fn every_function_of_the_sdk_has_its_rule() {
        let sdk = names(System::Sdk);
        for name in "StringIsNotEmpty StringIsNotWhiteSpace StringIsEmpty StringIsWhiteSpace StringLenBetween StringMatch \
                     StringDoesNotMatch StringInSlice StringNotInSlice StringDoesNotContainAny StringIsBase64 \
                     StringIsJSON StringIsValidRegExp IntBetween IntAtLeast IntAtMost IntDivisibleBy IntInSlice \
                     IntNotInSlice FloatBetween FloatAtLeast FloatAtMost IsIPAddress IsIPv4Address IsIPv6Address \
                     IsIPv4Range IsCIDR IsCIDRNetwork IsMACAddress IsPortNumber IsPortNumberOrZero IsDayOfTheWeek \
                     IsMonth IsRFC3339Time IsUUID IsURLWithHTTPS IsURLWithHTTPorHTTPS IsURLWithScheme \
                     ListOfUniqueStrings MapKeyLenBetween MapValueLenBetween MapKeyMatch MapValueMatch NoZeroValues \
                     All AllDiag Any AnyDiag PreferWriteOnlyAttribute ConflictsWith ExactlyOneOf AtLeastOneOf \
                     RequiredWith MaxItems MinItems Required"
            .split_whitespace()
        {
            assert!(sdk.contains(name), "{name}");
        }
    }

    #[test]
    fn every_named_rule_of_ytt_is_a_keyword_of_the_same_name() {
        let ytt = "min_len max_len min max one_of not_null one_not_null starts_with ends_with contains matches format even odd \
                   multiple_of len when";
        for name in ytt.split_whitespace() {
            let keyword = crate::rule::keyword(name).expect("a keyword");
            assert_eq!(keyword.names_in(System::Ytt), [name]);
        }
        assert_eq!(names(System::Ytt), ytt.split_whitespace().collect());
    }
}
