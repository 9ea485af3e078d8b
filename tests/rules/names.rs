//! Every validator of the field has its keyword, and the keyword means what the validator does.

use std::collections::BTreeSet;

use plantime::rule::{Custom, Format, Rule, System, keyword, keywords};
use plantime::{Type, Value, value};

use crate::laws::{Word, word};

/// Under which name it is found, its argument, a value that passes and one that fails.
struct Row {
    /// As the system writes it.
    validator: &'static str,
    /// As a rules file writes it.
    name: &'static str,
    argument: Value,
    pass: Value,
    fail: Value,
}

fn row(
    validator: &'static str,
    name: &'static str,
    argument: impl Into<Value>,
    pass: impl Into<Value>,
    fail: impl Into<Value>,
) -> Row {
    Row { validator, name, argument: argument.into(), pass: pass.into(), fail: fail.into() }
}

fn texts(items: &[&str]) -> Value {
    Value::tuple(items.iter().copied()).unwrap()
}

fn numbers(items: &[i64]) -> Value {
    Value::tuple(items.iter().copied()).unwrap()
}

fn tenths(count: i64) -> Value {
    Value::from(count).divide(&10.into()).unwrap()
}

fn list(items: &[&str]) -> Value {
    Value::list_of(Type::String, items.iter().copied()).unwrap()
}

fn set(items: &[&str]) -> Value {
    Value::set_of(Type::String, items.iter().copied()).unwrap()
}

fn map(key: &str, item: &str) -> Value {
    Value::map([(key, item)]).unwrap()
}

/// An object of strings; `-` is null.
fn parts(parts: &[&str]) -> Value {
    let part = |text: &&str| match *text {
        "-" => Value::null(Type::String),
        text => Value::from(text),
    };
    Value::object(["a", "b", "c"].into_iter().zip(parts.iter().map(part))).unwrap()
}

/// The form of a rule on a string.
fn starts(text: &str) -> Value {
    value!({ "starts_with": text }).unwrap()
}

fn either(first: &str, second: &str) -> Value {
    Value::tuple([starts(first), starts(second)]).unwrap()
}

/// What terraform-plugin-framework-validators has.
fn framework() -> Vec<Row> {
    let (ab, abc) = (|| texts(&["a", "b"]), || texts(&["a", "b", "c"]));
    let total = || texts(&["<.a", "<.b"]);
    let sums = |t: i64| value!({ "t": (t), "a": 2, "b": 3 }).unwrap();
    let mut rows = vec![
        row("AlsoRequires", "also_requires", ab(), parts(&["x", "x"]), parts(&["x", "-"])),
        row("AtLeastOneOf", "at_least_one_of", ab(), parts(&["-", "x"]), parts(&["-", "-"])),
        row("ConflictsWith", "conflicts_with", ab(), parts(&["-", "x"]), parts(&["x", "x"])),
        row("ExactlyOneOf", "exactly_one_of", ab(), parts(&["-", "x"]), parts(&["x", "x"])),
        row(
            "PreferWriteOnlyAttribute",
            "prefer_write_only_attribute",
            ab(),
            parts(&["-", "x"]),
            parts(&["x", "-"]),
        ),
        row("Conflicting", "conflicting", abc(), parts(&["-", "x", "-"]), parts(&["x", "-", "x"])),
        row("RequiredTogether", "required_together", ab(), parts(&["x", "x"]), parts(&["x", "-"])),
        row("All", "all", either("a", "ab"), "ab", "a"),
        row("Any", "any", either("a", "b"), "b", "c"),
        row("AnyWithAllWarnings", "any_with_all_warnings", either("a", "b"), "b", "c"),
        row("LengthAtLeast", "length_at_least", 3, "\u{e9}a", "ab"),
        row("LengthAtMost", "length_at_most", 2, "ab", "\u{e9}a"),
        row("LengthBetween", "length_between", numbers(&[2, 3]), "\u{e9}a", "\u{e9}\u{e9}"),
        row("UTF8LengthAtLeast", "utf8_length_at_least", 2, "\u{e9}\u{e9}", "\u{e9}"),
        row("UTF8LengthAtMost", "utf8_length_at_most", 2, "\u{e9}\u{e9}", "abc"),
        row("UTF8LengthBetween", "utf8_length_between", numbers(&[1, 2]), "\u{e9}\u{e9}", ""),
        row("RegexMatches", "regex_matches", "^a+$", "aa", "ab"),
        row("OneOf", "one_of", ab(), "a", "A"),
        row("NoneOf", "none_of", ab(), "A", "a"),
        row("OneOfCaseInsensitive", "one_of_case_insensitive", ab(), "A", "c"),
        row("NoneOfCaseInsensitive", "none_of_case_insensitive", ab(), "c", "A"),
        row("AtLeast", "at_least", 2, 2, 1),
        row("AtMost", "at_most", 2, 2, 3),
        row("Between", "between", numbers(&[1, 3]), 3, 4),
        row("Equals", "equals", true, true, false),
        row("SizeAtLeast", "size_at_least", 2, list(&["a", "a"]), set(&["a", "a"])),
        row("SizeAtMost", "size_at_most", 1, set(&["a", "a"]), list(&["a", "a"])),
        row("SizeBetween", "size_between", numbers(&[1, 2]), map("k", "v"), list(&[])),
        row("UniqueValues", "unique_values", true, list(&["a", "b"]), list(&["a", "a"])),
        row(
            "NoNullValues",
            "no_null_values",
            true,
            list(&["a"]),
            Value::list([Value::null(Type::String)]).unwrap(),
        ),
        row("IsRequired", "is_required", true, list(&[]), Value::null(list(&[]).ty())),
        row("KeysAre", "keys_are", starts("k"), map("k", ""), map("l", "")),
    ];
    for (validator, name, t, other) in [
        ("AtLeastSumOf", "at_least_sum_of", 5, 4),
        ("AtMostSumOf", "at_most_sum_of", 5, 6),
        ("EqualToSumOf", "equal_to_sum_of", 5, 6),
        ("EqualToProductOf", "equal_to_product_of", 6, 5),
    ] {
        rows.push(row(validator, name, total(), sums(t), sums(other)));
    }
    for (validator, name) in [
        ("ValueStringsAre", "value_strings_are"),
        ("ValueInt32sAre", "value_int32s_are"),
        ("ValueInt64sAre", "value_int64s_are"),
        ("ValueFloat32sAre", "value_float32s_are"),
        ("ValueFloat64sAre", "value_float64s_are"),
        ("ValueNumbersAre", "value_numbers_are"),
        ("ValueListsAre", "value_lists_are"),
        ("ValueMapsAre", "value_maps_are"),
        ("ValueSetsAre", "value_sets_are"),
    ] {
        let (one, two) = (value!({ "equals": 1 }).unwrap(), value!({ "min_len": 1 }).unwrap());
        let sized = name.contains("list") || name.contains("map") || name.contains("set");
        let of = |items: Vec<Value>| Value::list(items).unwrap();
        rows.push(if name == "value_strings_are" {
            row(validator, name, starts("a"), set(&["a", "ab"]), list(&["a", "b"]))
        } else if sized {
            row(validator, name, two, of(vec![list(&["a"])]), of(vec![list(&[])]))
        } else {
            row(validator, name, one, of(vec![1.into()]), of(vec![1.into(), 2.into()]))
        });
    }
    rows
}

/// What the SDK's `helper/validation` has.
fn sdk() -> Vec<Row> {
    let days = || texts(&["Monday", "monday"]);
    vec![
        row("StringIsNotEmpty", "string_is_not_empty", true, " ", ""),
        row("StringIsNotWhiteSpace", "string_is_not_white_space", true, " a", " \t"),
        row("StringIsEmpty", "string_is_empty", true, "", " "),
        row("StringIsWhiteSpace", "string_is_white_space", true, " \u{a0}", "a"),
        row("StringLenBetween", "string_len_between", numbers(&[2, 3]), "\u{e9}a", "\u{e9}\u{e9}"),
        row("StringMatch", "string_match", "b", "abc", "ac"),
        row("StringDoesNotMatch", "string_does_not_match", "b", "ac", "abc"),
        row("StringInSlice", "string_in_slice", days(), "Monday", "MONDAY"),
        row("StringInSlice, ignoring case", "one_of_ignoring_case", days(), "MONDAY", "Sunday"),
        row("StringNotInSlice", "string_not_in_slice", days(), "MONDAY", "Monday"),
        row("StringNotInSlice, ignoring case", "none_of_ignoring_case", days(), "Sunday", "MONDAY"),
        row("StringDoesNotContainAny", "string_does_not_contain_any", "^]-", "a", "a-b"),
        row("StringIsBase64", "string_is_base64", true, "YWI=", "YWI"),
        row("StringIsJSON", "string_is_json", true, "{}", "{"),
        row("StringIsValidRegExp", "string_is_valid_reg_exp", true, "a+", "a("),
        row("IntBetween", "int_between", numbers(&[1, 3]), 1, 0),
        row("IntAtLeast", "int_at_least", 1, 1, 0),
        row("IntAtMost", "int_at_most", 1, 1, 2),
        row("IntDivisibleBy", "int_divisible_by", 3, 9, 8),
        row("IntInSlice", "int_in_slice", numbers(&[1, 2]), 2, 3),
        row("IntNotInSlice", "int_not_in_slice", numbers(&[1, 2]), 3, 2),
        row("FloatBetween", "float_between", numbers(&[1, 3]), tenths(15), tenths(35)),
        row("FloatAtLeast", "float_at_least", 1, tenths(15), tenths(5)),
        row("FloatAtMost", "float_at_most", 1, tenths(5), tenths(15)),
        row("IsIPAddress", "is_ip_address", true, "::1", "1.2.3"),
        row("IsIPv4Address", "is_ipv4_address", true, "1.2.3.4", "::1"),
        row("IsIPv6Address", "is_ipv6_address", true, "::1", "1.2.3.4"),
        row("IsIPv4Range", "is_ipv4_range", true, "1.2.3.4-1.2.3.5", "1.2.3.5-1.2.3.4"),
        row("IsCIDR", "is_cidr", true, "10.0.0.1/8", "10.0.0.1"),
        row("IsCIDRNetwork", "is_cidr_network", numbers(&[8, 16]), "10.0.0.0/8", "10.0.0.1/8"),
        row("IsMACAddress", "is_mac_address", true, "00:11:22:33:44:55", "00:11:22"),
        row("IsPortNumber", "is_port_number", true, 443, 0),
        row("IsPortNumberOrZero", "is_port_number_or_zero", true, 0, 65_536),
        row("IsDayOfTheWeek", "is_day_of_the_week", true, "Monday", "monday"),
        row("IsDayOfTheWeek, ignoring case", "day_of_week_ignoring_case", true, "monday", "mon"),
        row("IsMonth", "is_month", true, "May", "may"),
        row("IsMonth, ignoring case", "month_ignoring_case", true, "may", "Mayy"),
        row("IsRFC3339Time", "is_rfc3339_time", true, "2024-02-29T00:00:00Z", "2023-02-29T00:00:00Z"),
        row("IsUUID", "is_uuid", true, "01234567-89ab-cdef-0123-456789ABCDEF", "0123"),
        row("IsURLWithHTTPS", "is_url_with_https", true, "https://a/b", "http://a/b"),
        row("IsURLWithHTTPorHTTPS", "is_url_with_http_or_https", true, "http://a", "ftp://a"),
        row("IsURLWithScheme", "is_url_with_scheme", texts(&["ftp"]), "ftp://a", "http://a"),
        row("ListOfUniqueStrings", "list_of_unique_strings", true, list(&["a", "b"]), list(&["a", "a"])),
        row("MapKeyLenBetween", "map_key_len_between", numbers(&[1, 2]), map("k", ""), map("", "")),
        row("MapValueLenBetween", "map_value_len_between", numbers(&[1, 2]), map("", "v"), map("k", "")),
        row("MapKeyMatch", "map_key_match", "^k", map("k", ""), map("v", "")),
        row("MapValueMatch", "map_value_match", "^v", map("k", "v"), map("k", "k")),
        row("NoZeroValues", "no_zero_values", true, "a", ""),
        row("All", "all", either("a", "ab"), "ab", "a"),
        row("AllDiag", "all_diag", either("a", "ab"), "ab", "a"),
        row("Any", "any", either("a", "b"), "b", "c"),
        row("AnyDiag", "any_diag", either("a", "b"), "b", "c"),
        row(
            "PreferWriteOnlyAttribute",
            "prefer_write_only_attribute",
            texts(&["a", "b"]),
            parts(&["-", "x"]),
            parts(&["x", "-"]),
        ),
        row("RequiredWith", "required_with", texts(&["b", "a"]), parts(&["x", "x"]), parts(&["-", "x"])),
    ]
}

/// What ytt has, shipped or proposed.
fn ytt() -> Vec<Row> {
    let one = |a: &str, b: &str| parts(&[a, b]);
    let mut rows = vec![
        row("min_len", "min_len", 1, "a", ""),
        row("max_len", "max_len", 1, "a", "ab"),
        row("min", "min", 1, 1, 0),
        row("max", "max", 1, 1, 2),
        row("min of a text", "min", "b", "ba", "a"),
        row("max of a text", "max", "b", "a", "ba"),
        row("one_of", "one_of", texts(&["a"]), "a", "b"),
        row("not_null", "not_null", true, "a", Value::null(Type::String)),
        row("one_not_null", "one_not_null", texts(&["a", "b"]), one("x", "-"), one("x", "x")),
        row("one_not_null=True", "one_not_null", true, one("x", "-"), one("-", "-")),
        row("starts_with", "starts_with", "a", "ab", "b"),
        row("ends_with", "ends_with", "b", "ab", "a"),
        row("contains", "contains", "b", "abc", "ac"),
        row("matches", "matches", "^a$", "a", "b"),
        row("even", "even", true, 2, 3),
        row("odd", "odd", true, 3, 2),
        row("multiple_of", "multiple_of", 3, 6, 7),
        row("len", "len", 2, "ab", "a"),
        row("when", "when", either("a", "ab"), "b", "ac"),
    ];
    for (format, pass, fail) in [
        ("date-time", "2024-02-29T00:00:00Z", "2024-02-30T00:00:00Z"),
        ("email", "a@b.example", "a@"),
        ("hostname", "a.example", "-a"),
        ("ipv4", "1.2.3.4", "1.2.3.256"),
        ("ipv6", "::1", "::g"),
        ("uri", "https://a/b", "/b"),
        ("uriref", "/b", "a b"),
        ("quantity", "10Gi", "10Gb"),
    ] {
        rows.push(row(format, "format", format, pass, fail));
    }
    rows
}

/// The rule of a row; a sum is about the part `t`.
fn rule(row: &Row) -> Rule {
    let rule = Rule::from_form(&Value::object([(row.name, row.argument.clone())]).unwrap());
    let rule = rule.unwrap_or_else(|error| panic!("{}: {error}", row.validator));
    let summed = rule.name().ends_with("_sum_of") || rule.name().ends_with("_product_of");
    if summed { Rule::at("t".parse().unwrap(), rule).unwrap() } else { rule }
}

#[test]
fn every_validator_of_the_field_has_a_keyword_that_means_the_same() {
    for (system, rows) in [("framework", framework()), ("sdk", sdk()), ("ytt", ytt())] {
        for row in rows {
            assert!(keyword(row.name).is_ok(), "{system}: {}", row.validator);
            let rule = rule(&row);
            assert_eq!(word(&rule, &row.pass), Word::Pass, "{system}: {}: {rule}", row.validator);
            assert_eq!(word(&rule, &row.fail), Word::Fail, "{system}: {}: {rule}", row.validator);
        }
    }
}

/// Of each, what is unknown is open, and null passes but where it is asked for.
#[test]
fn no_validator_decides_what_is_not_known() {
    for row in framework().into_iter().chain(sdk()).chain(ytt()) {
        let rule = rule(&row);
        assert_eq!(word(&rule, &Value::dynamic()), Word::Undetermined, "{}", row.validator);
        assert_eq!(word(&rule, &Value::unknown(row.pass.ty())), Word::Undetermined, "{}", row.validator);
    }
}

#[test]
fn every_alias_is_the_name_of_a_validator() {
    let rows: Vec<Row> = framework().into_iter().chain(sdk()).chain(ytt()).collect();
    let named: BTreeSet<&str> = rows.iter().map(|row| row.name).collect();
    // Short forms, and what the systems have outside those lists.
    let others =
        BTreeSet::from(["required", "divisible_by", "port_number", "port_number_or_zero", "url_with_scheme"]);
    for keyword in keywords() {
        for alias in keyword.aliases {
            assert!(named.contains(alias) || others.contains(alias), "{alias}");
        }
    }
}

#[test]
fn a_name_that_stands_for_a_format_is_that_format() {
    for keyword in keywords() {
        let format = keyword.name.strip_prefix("is_").and_then(|name| name.parse::<Format>().ok());
        let Some(format) = format else { continue };
        let rule = Rule::from_form(&Value::object([(keyword.name, true)]).unwrap()).unwrap();
        assert_eq!(rule, Rule::format(format));
    }
}

/// What the table says other systems call the rules, and what is tried here, are the same names.
#[test]
fn every_name_of_a_system_is_tried() {
    for (system, rows) in [(System::Framework, framework()), (System::Sdk, sdk()), (System::Ytt, ytt())] {
        let mut tried: BTreeSet<&str> = rows
            .iter()
            .map(|row| if row.name == "format" { row.name } else { row.validator })
            .filter_map(|name| name.split([',', ' ', '=']).next())
            .collect();
        if system == System::Sdk {
            // Fields of a schema; the framework has the last three as validators.
            let fields =
                ["MinItems", "MaxItems", "Required", "AtLeastOneOf", "ConflictsWith", "ExactlyOneOf"];
            tried.extend(fields);
        }
        let named = keywords().iter().flat_map(|keyword| keyword.names_in(system)).copied();
        // `customdiff.rs` tries those.
        let named: BTreeSet<&str> = named.filter(|name| !name.starts_with("customdiff.")).collect();
        assert_eq!(tried, named, "{system}");
    }
}

/// A set that held one of them would answer for the other.
#[test]
fn two_functions_of_one_name_are_two_rules() {
    let rule = |limit: usize| {
        Rule::Custom(Custom::of_known("short", move |value| match value.as_str() {
            Ok(text) if text.len() > limit => Err("it is long".to_owned()),
            _ => Ok(()),
        }))
    };
    let (one, other) = (rule(3), rule(5));
    assert_ne!(one, other);
    assert_eq!(one, one.clone());
    let both = Rule::all([one, other]).unwrap();
    assert!(both.check_value(&Value::from("four")).unwrap().is_fail());
}
