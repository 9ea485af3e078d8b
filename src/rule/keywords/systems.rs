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
    ///
    /// [Example](Keyword::names_in)
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
        match system {
            System::Framework => self.framework,
            System::Sdk => self.sdk,
            System::Ytt => self.ytt,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::System;
    use crate::rule::keywords;

    fn names(system: System) -> BTreeSet<&'static str> {
        keywords().iter().flat_map(|keyword| keyword.names_in(system)).copied().collect()
    }

    #[test]
    fn no_row_names_anything_twice() {
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
