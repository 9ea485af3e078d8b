//! The keyword table: one row for each keyword.

use crate::error::Result;
use crate::rule::{Format, Pattern, Rule, Schemes, Unit, Words};
use crate::text::calendar::{DAYS, MONTHS};

use super::read::{Read, each};
use super::{Keyword, Phrase, Types};

/// Builds a row of the keyword table: the name, how the argument is read, the types of values that the rule can read,
/// its predicate in words, and its description.
const fn row(
    name: &'static str,
    read: Read,
    types: Types,
    phrase: Phrase,
    description: &'static str,
) -> Keyword {
    let none: &[&str] = &[];
    let argument = read.argument();
    let (aliases, framework, sdk, ytt) = (none, none, none, none);
    Keyword {
        name,
        aliases,
        argument,
        composed: false,
        description,
        read,
        types,
        phrase,
        framework,
        sdk,
        ytt,
    }
}

/// Builds a row for a keyword that is short for other rules, such as `between`.
const fn short(name: &'static str, read: Read, description: &'static str) -> Keyword {
    Keyword { composed: true, ..row(name, read, Types::Any, Phrase::Sentence, description) }
}

/// Other names of the keyword, and its names in other systems. A function with two bounds is listed with both rules.
impl Keyword {
    /// Sets the other names that rules files may use.
    const fn also(self, aliases: &'static [&'static str]) -> Keyword {
        Keyword { aliases, ..self }
    }

    /// Sets the names in the Terraform plugin framework.
    const fn framework(self, framework: &'static [&'static str]) -> Keyword {
        Keyword { framework, ..self }
    }

    /// Sets the names in the Terraform plugin SDK.
    const fn sdk(self, sdk: &'static [&'static str]) -> Keyword {
        Keyword { sdk, ..self }
    }

    /// Sets the names in ytt.
    const fn ytt(self, ytt: &'static [&'static str]) -> Keyword {
        Keyword { ytt, ..self }
    }
}

/// The rows of all keywords, in the order of the manual.
#[rustfmt::skip]
pub(super) static KEYWORDS: [Keyword; 92] = [
    row("not_null", Read::Flag(|| Rule::NotNull), Types::Any, Phrase::IsNotNull, "The value is not null.")
        .also(&["required", "is_required"]).framework(&["IsRequired"]).sdk(&["Required"]).ytt(&["not_null"]),
    row("is_null", Read::Flag(|| Rule::IsNull), Types::Any, Phrase::IsNull, "The value is null."),
    row("equals", Read::Value(Rule::equals), Types::OfOperand, Phrase::Is("{}"),
        "The value equals this one.").framework(&["Equals"]).sdk(&["StringIsEmpty"]),
    row("one_of", Read::Values(Rule::one_of), Types::OfOperand, Phrase::Is("one of {}"),
        "The value is one of these.").also(&["string_in_slice", "int_in_slice"]).framework(&["OneOf"])
        .sdk(&["StringInSlice", "IntInSlice"]).ytt(&["one_of"]),
    row("none_of", Read::Values(Rule::none_of), Types::OfOperand, Phrase::Is("none of {}"),
        "The value is none of these.").also(&["string_not_in_slice", "int_not_in_slice"])
        .framework(&["NoneOf"]).sdk(&["StringNotInSlice", "IntNotInSlice"]),
    row("starts_with", Read::Text(Rule::starts_with), Types::String,
        Phrase::Does("starts with {}", "start with {}"), "The string starts with this text.")
        .ytt(&["starts_with"]),
    row("ends_with", Read::Text(Rule::ends_with), Types::String,
        Phrase::Does("ends with {}", "end with {}"), "The string ends with this text.").ytt(&["ends_with"]),
    row("not_before", Read::Text(Rule::not_before), Types::String, Phrase::Is("{} or after it"),
        "The string is this text, or comes after it in the order of code points."),
    row("not_after", Read::Text(Rule::not_after), Types::String, Phrase::Is("{} or before it"),
        "The string is this text, or comes before it in the order of code points."),
    row("contains", Read::Value(Rule::contains), Types::OfOperand,
        Phrase::Does("contains {}", "contain {}"),
        "The string contains this text, or the collection this element.").ytt(&["contains"]),
    row("min_len", Read::Length(Rule::min_len), Types::Sized, Phrase::Has("{}"),
        "Characters or elements: at least so many.").also(&["utf8_length_at_least", "size_at_least"])
        .framework(&["UTF8LengthAtLeast", "UTF8LengthBetween", "SizeAtLeast", "SizeBetween"])
        .sdk(&["MinItems"]).ytt(&["min_len"]),
    row("max_len", Read::Length(Rule::max_len), Types::Sized, Phrase::Has("{}"),
        "Characters or elements: at most so many.").also(&["utf8_length_at_most", "size_at_most"])
        .framework(&["UTF8LengthAtMost", "UTF8LengthBetween", "SizeAtMost", "SizeBetween"])
        .sdk(&["MaxItems"]).ytt(&["max_len"]),
    row("len", Read::Length(Rule::len), Types::Sized, Phrase::Has("{}"),
        "Characters or elements: exactly so many.").ytt(&["len"]),
    row("min_byte_len", Read::Length(|length| Rule::min_len_in(Unit::Bytes, length)), Types::String,
        Phrase::Has("{}"), "The string has at least so many bytes.").also(&["length_at_least"])
        .framework(&["LengthAtLeast", "LengthBetween"])
        .sdk(&["StringIsNotEmpty", "StringLenBetween", "MapKeyLenBetween", "MapValueLenBetween"]),
    row("max_byte_len", Read::Length(|length| Rule::max_len_in(Unit::Bytes, length)), Types::String,
        Phrase::Has("{}"), "The string has at most so many bytes.").also(&["length_at_most"])
        .framework(&["LengthAtMost", "LengthBetween"])
        .sdk(&["StringLenBetween", "MapKeyLenBetween", "MapValueLenBetween"]),
    row("byte_len", Read::Length(|length| Rule::len_in(Unit::Bytes, length)), Types::String,
        Phrase::Has("{}"), "The string has exactly so many bytes."),
    row("min_grapheme_len", Read::Length(|length| Rule::min_len_in(Unit::Graphemes, length)), Types::String,
        Phrase::Has("{}"), "The string has at least so many grapheme clusters."),
    row("max_grapheme_len", Read::Length(|length| Rule::max_len_in(Unit::Graphemes, length)), Types::String,
        Phrase::Has("{}"), "The string has at most so many grapheme clusters."),
    row("grapheme_len", Read::Length(|length| Rule::len_in(Unit::Graphemes, length)), Types::String,
        Phrase::Has("{}"), "The string has exactly so many grapheme clusters."),
    row("multiple_of", Read::Number(Rule::multiple_of), Types::Number, Phrase::Is("a multiple of {}"),
        "The number is a multiple of this.").also(&["divisible_by", "int_divisible_by"])
        .sdk(&["IntDivisibleBy"]).ytt(&["multiple_of"]),
    row("even", Read::Flag(Rule::even), Types::Number, Phrase::Is("even"), "The number is even.")
        .ytt(&["even"]),
    row("odd", Read::Flag(Rule::odd), Types::Number, Phrase::Is("odd"), "The number is odd.").ytt(&["odd"]),
    row("format", Read::Format(Rule::format), Types::String, Phrase::Is("{}"),
        "The string is of this form.").sdk(&["StringIsBase64", "StringIsJSON", "StringIsValidRegExp",
        "IsIPAddress", "IsIPv4Address", "IsIPv6Address", "IsIPv4Range", "IsCIDR", "IsMACAddress",
        "IsRFC3339Time", "IsUUID", "IsDayOfTheWeek", "IsMonth"]).ytt(&["format"]),
    row("one_of_ignoring_case", Read::Words(Rule::one_of_ignoring_case), Types::String,
        Phrase::Is("one of {} in any case"), "The string is one of these, in any case.")
        .also(&["one_of_case_insensitive"]).framework(&["OneOfCaseInsensitive"])
        .sdk(&["StringInSlice", "IsDayOfTheWeek", "IsMonth"]),
    row("none_of_ignoring_case", Read::Words(Rule::none_of_ignoring_case), Types::String,
        Phrase::Is("none of {} in any case"), "The string is none of these, in any case.")
        .also(&["none_of_case_insensitive"]).framework(&["NoneOfCaseInsensitive"])
        .sdk(&["StringNotInSlice"]),
    row("no_nulls", Read::Flag(Rule::no_nulls), Types::Parts, Phrase::Is("without nulls"),
        "No part of the value is null.").also(&["no_null_values"]).framework(&["NoNullValues"]),
    row("unique", Read::Flag(Rule::unique), Types::Elements, Phrase::Has("no two equal elements"),
        "No two elements are equal.").also(&["unique_values", "list_of_unique_strings"])
        .framework(&["UniqueValues"]).sdk(&["ListOfUniqueStrings"]),
    row("has_key", Read::Text(Rule::has_key), Types::Keys, Phrase::Has("the key {}"),
        "The map has this key, or the object this attribute."),
    row("min", Read::Bound(Rule::min, Rule::not_before), Types::Number, Phrase::Is("at least {}"),
        "The number is at least this; of a text, not_before.")
        .also(&["at_least", "int_at_least", "float_at_least"]).framework(&["AtLeast", "Between"])
        .sdk(&["IntAtLeast", "FloatAtLeast", "IntBetween", "FloatBetween"]).ytt(&["min"]),
    row("max", Read::Bound(Rule::max, Rule::not_after), Types::Number, Phrase::Is("at most {}"),
        "The number is at most this; of a text, not_after.")
        .also(&["at_most", "int_at_most", "float_at_most"]).framework(&["AtMost", "Between"])
        .sdk(&["IntAtMost", "FloatAtMost", "IntBetween", "FloatBetween"]).ytt(&["max"]),
    row("matches", Read::Pattern(|pattern| Ok(Rule::matches(pattern))), Types::String,
        Phrase::Does("matches {}", "match {}"), "The string has a match of this regular expression.")
        .also(&["regex_matches", "string_match"]).framework(&["RegexMatches"]).sdk(&["StringMatch",
        "StringDoesNotMatch", "StringDoesNotContainAny", "StringIsWhiteSpace", "StringIsNotWhiteSpace",
        "MapKeyMatch", "MapValueMatch"]).ytt(&["matches"]),
    row("exactly_one_of", Read::Paths(Rule::exactly_one_of), Types::Any, Phrase::Sentence,
        "Exactly one of these is not null.").framework(&["ExactlyOneOf"]).sdk(&["ExactlyOneOf"]),
    row("at_least_one_of", Read::Paths(Rule::at_least_one_of), Types::Any, Phrase::Sentence,
        "At least one of these is not null.").framework(&["AtLeastOneOf"]).sdk(&["AtLeastOneOf"]),
    row("conflicting", Read::Paths(Rule::conflicting), Types::Any, Phrase::Sentence,
        "At most one of these is not null.").also(&["conflicts_with"])
        .framework(&["Conflicting", "ConflictsWith"]).sdk(&["ConflictsWith"]),
    row("required_together", Read::Paths(Rule::required_together), Types::Any, Phrase::Sentence,
        "All of these are null, or none is.").framework(&["RequiredTogether"]),
    row("not_zero", Read::Flag(Rule::not_zero), Types::StringOrNumber, Phrase::Is("neither empty nor 0"),
        "The string is not empty, or the number is not 0.").also(&["no_zero_values"]).sdk(&["NoZeroValues"]),
    row("type_is", Read::Type(Rule::type_is), Types::Any, Phrase::Is("of type {}"),
        "The value is of this type; `any` in it stands for every type."),
    row("port", Read::Flag(Rule::port), Types::Number, Phrase::Is("a port number"),
        "The number is a whole one from 1 to 65535.").also(&["port_number", "is_port_number"])
        .sdk(&["IsPortNumber"]),
    row("port_or_zero", Read::Flag(Rule::port_or_zero), Types::Number, Phrase::Is("a port number or 0"),
        "The number is a whole one from 0 to 65535.")
        .also(&["port_number_or_zero", "is_port_number_or_zero"]).sdk(&["IsPortNumberOrZero"]),
    row("url", Read::Schemes(Rule::url), Types::String, Phrase::Is("a URL{}"),
        "The string is a URL with a host and one of these schemes.")
        .also(&["url_with_scheme", "is_url_with_scheme"])
        .sdk(&["IsURLWithHTTPS", "IsURLWithHTTPorHTTPS", "IsURLWithScheme"]),
    row("cidr_network", Read::Networks(Rule::cidr_network), Types::String,
        Phrase::Is("the CIDR block of a network of {} bits"),
        "The string is the CIDR block of a network, of so many bits.").also(&["is_cidr_network"])
        .sdk(&["IsCIDRNetwork"]),
    row("keys", Read::Rule, Types::Keys, Phrase::Sentence, "Each key of the map satisfies these rules.")
        .also(&["keys_are"]).framework(&["KeysAre"]).sdk(&["MapKeyLenBetween", "MapKeyMatch"]),
    row("also_requires", Read::FirstPath(Rule::also_requires), Types::Any, Phrase::Sentence,
        "Where the first of these is not null, none of the others is null.").also(&["required_with"])
        .framework(&["AlsoRequires"]).sdk(&["RequiredWith"]),
    row("required_when", Read::Requirement(Rule::required_when), Types::Any, Phrase::Sentence,
        "Where the part at the path is one of the values, none of the required parts is null."),
    row("prefer_write_only", Read::TwoPaths(Rule::prefer_write_only), Types::Any, Phrase::Sentence,
        "A warning where the first of the two is not null: the second is its write-only alternative.")
        .also(&["prefer_write_only_attribute"]).framework(&["PreferWriteOnlyAttribute"])
        .sdk(&["PreferWriteOnlyAttribute"]),
    row("one_not_null", Read::Keys(Rule::one_not_null, Rule::one_not_null_of), Types::Keys,
        Phrase::Has("exactly one {} not null"),
        "Of the parts with these keys, or of all parts, exactly one is not null.").ytt(&["one_not_null"]),
    row("at_least_sum_of", Read::Paths(Rule::at_least_sum_of), Types::Number, Phrase::Is("{}"),
        "The number is at least the sum of these; null is 0.").framework(&["AtLeastSumOf"]),
    row("at_most_sum_of", Read::Paths(Rule::at_most_sum_of), Types::Number, Phrase::Is("{}"),
        "The number is at most the sum of these; null is 0.").framework(&["AtMostSumOf"]),
    row("equal_to_sum_of", Read::Paths(Rule::equal_to_sum_of), Types::Number, Phrase::Is("{}"),
        "The number is the sum of these; null is 0.").framework(&["EqualToSumOf"]),
    row("equal_to_product_of", Read::Paths(Rule::equal_to_product_of), Types::Number, Phrase::Is("{}"),
        "The number is the product of these; it passes where one is null.").framework(&["EqualToProductOf"]),
    row("all", Read::Rules, Types::Any, Phrase::Sentence, "All of these rules hold.").also(&["all_diag"])
        .framework(&["All"]).sdk(&["All", "AllDiag", "customdiff.All"]),
    row("sequence", Read::Rules, Types::Any, Phrase::Sentence,
        "All of these rules hold; of those that do not, the first is told.").sdk(&["customdiff.Sequence"]),
    row("any", Read::Rules, Types::Any, Phrase::Sentence, "At least one of these rules holds.")
        .also(&["any_diag", "any_with_all_warnings"]).framework(&["Any", "AnyWithAllWarnings"])
        .sdk(&["Any", "AnyDiag"]),
    row("not", Read::Rule, Types::Any, Phrase::Sentence, "These rules do not all hold; null passes."),
    row("implies", Read::Rules, Types::Any, Phrase::Sentence,
        "Where the first rules hold, the second hold too; null passes."),
    row("when", Read::Rule, Types::Any, Phrase::Sentence, "The rules are asked only where these hold.")
        .sdk(&["customdiff.If", "customdiff.IfValue", "customdiff.IfValueChange"]).ytt(&["when"]),
    row("only_increase", Read::Flag(Rule::only_increase), Types::Number,
        Phrase::Does("only increases", "only increase"), "A change does not make the number smaller."),
    row("only_decrease", Read::Flag(Rule::only_decrease), Types::Number,
        Phrase::Does("only decreases", "only decrease"), "A change does not make the number larger."),
    row("multiple_of_old", Read::Flag(Rule::multiple_of_old), Types::Number,
        Phrase::Is("a multiple of what it was"), "A change makes the number a multiple of what it was."),
    row("immutable", Read::Flag(Rule::immutable), Types::Any,
        Phrase::Does("stays as it was", "stay as it was"), "The value does not change."),
    short("between", Read::Numbers(|least, most| Rule::all([Rule::min(least), Rule::max(most)])),
        "The number is at least the first and at most the second: min and max.")
        .also(&["int_between", "float_between"]),
    short("len_between", Read::Lengths(|least, most| len_between(Unit::Elements, least, most)),
        "Characters or elements: from the first to the second, min_len and max_len.")
        .also(&["utf8_length_between", "size_between"]),
    short("byte_len_between", Read::Lengths(|least, most| len_between(Unit::Bytes, least, most)),
        "The string has from the first to the second bytes: min_byte_len and max_byte_len.")
        .also(&["length_between", "string_len_between"]),
    short("grapheme_len_between", Read::Lengths(|least, most| len_between(Unit::Graphemes, least, most)),
        "The string has from the first to the second grapheme clusters."),
    short("not_empty", Read::Flag(|| Rule::min_len(1)),
        "Characters or elements: at least one, min_len = 1.").also(&["string_is_not_empty"]),
    short("empty", Read::Flag(|| Rule::max_len(0)), "Characters or elements: none, max_len = 0.")
        .also(&["string_is_empty"]),
    short("not_blank", Read::Short(|| Ok(Rule::matches(Pattern::new(r"[^\t-\r \x{85}\pZ]")?))),
        "The string has a character that is no white space.").also(&["string_is_not_white_space"]),
    short("blank", Read::Short(|| Ok(Rule::matches(Pattern::new(r"\A[\t-\r \x{85}\pZ]*\z")?))),
        "The string is empty, or all white space.").also(&["string_is_white_space"]),
    short("does_not_match", Read::Pattern(|pattern| Rule::not(Rule::matches(pattern))),
        "The string has no match of this regular expression.").also(&["string_does_not_match"]),
    short("without_characters", Read::Characters(without_characters),
        "The string has none of the characters of this text.").also(&["string_does_not_contain_any"]),
    short("key_len_between", Read::Lengths(|least, most| Rule::keys(len_between(Unit::Bytes, least, most)?)),
        "Each key has from the first to the second bytes.").also(&["map_key_len_between"]),
    short("value_len_between", Read::Lengths(|least, most| each(len_between(Unit::Bytes, least, most)?)),
        "Each element has from the first to the second bytes.").also(&["map_value_len_between"]),
    short("key_matches", Read::Pattern(|pattern| Rule::keys(Rule::matches(pattern))),
        "Each key has a match of this regular expression.").also(&["map_key_match"]),
    short("value_matches", Read::Pattern(|pattern| each(Rule::matches(pattern))),
        "Each element has a match of this regular expression.").also(&["map_value_match"]),
    short("each", Read::Rule, "Each element satisfies these rules.").also(&["value_strings_are",
        "value_int32s_are", "value_int64s_are", "value_float32s_are", "value_float64s_are",
        "value_numbers_are", "value_lists_are", "value_maps_are", "value_sets_are"])
        .framework(&["ValueStringsAre", "ValueInt32sAre", "ValueInt64sAre", "ValueFloat32sAre",
        "ValueFloat64sAre", "ValueNumbersAre", "ValueListsAre", "ValueMapsAre", "ValueSetsAre"])
        .sdk(&["MapValueLenBetween", "MapValueMatch"]),
    short("https_url", Read::Short(|| Ok(Rule::url(Schemes::new(["https"])?))),
        "The string is a URL with a host and the scheme https.").also(&["is_url_with_https"]),
    short("web_url", Read::Short(|| Ok(Rule::url(Schemes::new(["http", "https"])?))),
        "The string is a URL with a host and the scheme http or https.")
        .also(&["is_url_with_http_or_https"]),
    short("day_of_week_ignoring_case", Read::Short(|| Ok(Rule::one_of_ignoring_case(Words::new(DAYS)?))),
        "The string is a day of the week, in any case."),
    short("month_ignoring_case", Read::Short(|| Ok(Rule::one_of_ignoring_case(Words::new(MONTHS)?))),
        "The string is a month, in any case."),
    short("is_base64", Read::Flag(|| Rule::format(Format::Base64)),
        "The string is base64: format = \"base64\".").also(&["string_is_base64"]),
    short("is_cidr", Read::Flag(|| Rule::format(Format::Cidr)),
        "The string is a CIDR block: format = \"cidr\"."),
    short("is_date_time", Read::Flag(|| Rule::format(Format::DateTime)),
        "The string is an RFC 3339 date and time: format = \"date_time\".").also(&["is_rfc3339_time"]),
    short("is_day_of_week", Read::Flag(|| Rule::format(Format::DayOfWeek)),
        "The string is a day of the week: format = \"day_of_week\".").also(&["is_day_of_the_week"]),
    short("is_ip", Read::Flag(|| Rule::format(Format::Ip)), "The string is an IP address: format = \"ip\".")
        .also(&["is_ip_address"]),
    short("is_ipv4", Read::Flag(|| Rule::format(Format::Ipv4)),
        "The string is an IPv4 address: format = \"ipv4\".").also(&["is_ipv4_address"]),
    short("is_ipv4_range", Read::Flag(|| Rule::format(Format::Ipv4Range)),
        "The string is a range of IPv4 addresses: format = \"ipv4_range\"."),
    short("is_ipv6", Read::Flag(|| Rule::format(Format::Ipv6)),
        "The string is an IPv6 address: format = \"ipv6\".").also(&["is_ipv6_address"]),
    short("is_json", Read::Flag(|| Rule::format(Format::Json)), "The string is JSON: format = \"json\".")
        .also(&["string_is_json"]),
    short("is_mac", Read::Flag(|| Rule::format(Format::Mac)),
        "The string is a MAC address: format = \"mac\".").also(&["is_mac_address"]),
    short("is_month", Read::Flag(|| Rule::format(Format::Month)),
        "The string is a month: format = \"month\"."),
    short("is_regex", Read::Flag(|| Rule::format(Format::Regex)),
        "The string is a regular expression: format = \"regex\".").also(&["string_is_valid_reg_exp"]),
    short("is_uuid", Read::Flag(|| Rule::format(Format::Uuid)), "The string is a UUID: format = \"uuid\"."),
];

/// The rule that a length, counted in `unit`, is from `least` to `most`, both included.
fn len_between(unit: Unit, least: u64, most: u64) -> Result<Rule> {
    Rule::all([Rule::min_len_in(unit, least), Rule::max_len_in(unit, most)])
}

/// The rule that a string contains none of these characters.
fn without_characters(characters: &str) -> Result<Rule> {
    Rule::not(Rule::matches(Pattern::new(&one_of_the_characters(characters))?))
}

/// A regular expression that matches any one of these characters; for an empty string, one that never matches.
fn one_of_the_characters(text: &str) -> String {
    if text.is_empty() {
        return r"\A\z.".to_owned();
    }
    let mut pattern = String::from("[");
    for character in crate::text::nfc(text).chars() {
        if r"[]^-&~\".contains(character) {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push(']');
    pattern
}
