//! Small facts of the public types around rules, each of which something would be lost without.

use plantime::rule::{
    Argument, Custom, Diagnostic, Diagnostics, Format, Outcome, PathExpr, Pattern, Request, Rule, Template,
    Unit, Why, Words,
};
use plantime::{LengthRange, NumberRange, Path, Refinement, Type, Value, value};

use crate::laws::{Word, word};

fn unknown(ty: &str) -> Value {
    Value::unknown(ty.parse().unwrap())
}

fn refined(ty: &str, refinement: Refinement) -> Value {
    Value::refined(ty.parse().unwrap(), refinement).unwrap()
}

fn at(names: &[&str]) -> Vec<PathExpr> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

#[test]
fn equal_diagnostics_are_one() {
    let of = |failure: &str| Diagnostic::error("Invalid", "x is wrong", Path::new(), failure);
    let one: Diagnostics = [of("it is 1"), of("it is 1")].into_iter().collect();
    assert_eq!(one.len(), 1);
    let two: Diagnostics = [of("it is 1"), of("it is 2"), of("it is 1")].into_iter().collect();
    assert_eq!(two.iter().map(|one| one.failure.as_str()).collect::<Vec<_>>(), ["it is 1", "it is 2"]);
}

#[test]
fn a_template_shows_its_text() {
    let template: Template = "{key} is {value}".parse().unwrap();
    assert_eq!(template.to_string(), "{key} is {value}");
    assert_eq!(format!("{template:?}"), r#"Template("{key} is {value}")"#);
}

#[test]
fn a_custom_rule_gets_the_data_of_the_caller() {
    let allowed = 3_u32;
    let rule = Rule::Custom(Custom::new("allowed", |request| {
        let allowed = request.data().and_then(|data| data.downcast_ref::<u32>());
        Ok(match allowed {
            Some(3) => Outcome::Pass,
            _ => Outcome::Undetermined(Why::new([request.path().clone()])),
        })
    }));
    let value = Value::from(1);
    assert!(rule.check(&Request::new(&value).with_data(&allowed)).unwrap().is_pass());
    assert!(rule.check(&Request::new(&value)).unwrap().is_undetermined());
}

#[test]
fn arguments_and_words_describe_themselves() {
    assert_eq!(Argument::Length.describe(), "a whole number that is not negative");
    assert_eq!(Argument::Paths.describe(), "a list of paths, as strings");
    assert_eq!(Words::new(["Monday", "Tuesday"]).unwrap().texts(), ["Monday", "Tuesday"]);
    assert!(at(&["a[*].b"])[0].has_wildcard() && !at(&["a[0].b"])[0].has_wildcard());
}

#[test]
fn an_index_is_of_digits_alone() {
    for text in ["a[+5]", "a[-5]", "a[]", "a[5", "a[ 5]", "a[0x5]", "a[18446744073709551616]"] {
        assert!(text.parse::<PathExpr>().is_err(), "{text}");
    }
    assert!("a[18446744073709551615]".parse::<PathExpr>().is_ok());
}

#[test]
fn a_rule_for_one_refinement_is_that_refinement() {
    assert_eq!(Rule::NotNull.as_refinement(), Some(Refinement::not_null()));
    assert_eq!(Rule::IsNull.as_refinement(), Some(Refinement::null()));
}

#[test]
fn the_unknown_parts_are_the_reason() {
    let list = value!([(unknown("string")), "a", [(unknown("string")), "b"]]).unwrap();
    let outcome = Rule::none_of([list.clone(), value!(["c"]).unwrap()]);
    let why = outcome.check(&Request::new(&list).at(Path::new().attr("x"))).unwrap();
    let inputs: Vec<String> = why.why().unwrap().inputs().iter().map(Path::to_string).collect();
    assert_eq!(inputs, ["x[0]", "x[2][0]"]);
    let path = |i: usize| Path::new().index(i);
    assert_eq!(Why::new([path(0), path(1), path(0)]).inputs(), [path(0), path(1)]);
    assert_eq!(Why::new((0..100).map(path)).inputs().len(), 64);
}

#[test]
fn json_has_four_hexadecimal_digits_after_u() {
    for prefix in [r#""\u00e"#, r#""\u00e9"#, r#""\u00e9""#] {
        assert_eq!(Format::Json.contains_all_with_prefix(prefix), None, "{prefix}");
    }
    for prefix in [r#""\ug"#, r#""\u00g"#, r#""\u00eg"#, r#""\u00e""#] {
        assert_eq!(Format::Json.contains_all_with_prefix(prefix), Some(false), "{prefix}");
    }
    assert_eq!(Format::Regex.contains_all_with_prefix("("), None);
    assert_eq!(Format::Regex.contains_all_with_prefix(")"), None);
}

#[test]
fn more_elements_than_values_are_not_unique() {
    let at_least =
        |least: u64| refined("list(bool)", Refinement::length(LengthRange::at_least(least)).and_not_null());
    assert_eq!(word(&Rule::unique(), &at_least(3)), Word::Undetermined);
    assert_eq!(word(&Rule::unique(), &at_least(4)), Word::Fail);
    let of = |count: usize| Value::list_of(Type::Bool, vec![Value::unknown(Type::Bool); count]).unwrap();
    assert_eq!(word(&Rule::unique(), &of(3)), Word::Undetermined);
    assert_eq!(word(&Rule::unique(), &of(4)), Word::Fail);
}

#[test]
fn what_has_no_parts_has_no_nulls() {
    for ty in ["tuple([])", "object({})"] {
        assert_eq!(word(&Rule::no_nulls(), &unknown(ty)), Word::Pass, "{ty}");
    }
    for ty in ["tuple([string])", "object({a = string})", "list(string)", "map(string)"] {
        assert_eq!(word(&Rule::no_nulls(), &unknown(ty)), Word::Undetermined, "{ty}");
    }
    let none = Refinement::length(LengthRange::at_most(0));
    assert_eq!(word(&Rule::no_nulls(), &refined("map(string)", none)), Word::Pass);
}

#[test]
fn what_is_left_of_at_least_one_is_one_condition_or_the_choice() {
    let left = |value: &Value, paths: &[&str]| {
        let outcome = Rule::at_least_one_of(at(paths)).check(&Request::new(value)).unwrap();
        outcome.why().unwrap().obligation().unwrap().clone()
    };
    let one = value!({ "a": (unknown("string")), "b": null }).unwrap();
    assert_eq!(left(&one, &["a", "b"]), Rule::at(at(&["a"]).remove(0), Rule::NotNull).unwrap());
    let two = value!({ "a": (unknown("string")), "b": (unknown("string")) }).unwrap();
    assert_eq!(left(&two, &["a", "b"]), Rule::at_least_one_of(at(&["a", "b"])));
    // Of the elements one is enough.
    let many = value!({ "a": (unknown("list(string)")), "b": null }).unwrap();
    assert_eq!(left(&many, &["a[*]", "b"]), Rule::at_least_one_of(at(&["a[*]"])));
}

#[test]
fn a_rule_that_can_never_hold_for_a_type_is_misused() {
    let value = value!({ "a": 1 }).unwrap();
    let misused = |rule: Rule| rule.check(&Request::new(&value)).is_err();
    assert!(misused(Rule::at_least_one_of(at(&["a", "z"]))));
    assert!(!misused(Rule::at_least_one_of(at(&["a"]))));
    for value in [unknown("object({a = number})"), Value::null(value.ty())] {
        assert!(Rule::at_least_one_of(at(&["a", "z"])).check(&Request::new(&value)).is_err(), "{value}");
    }
    let inside = value!({ "x": null }).unwrap();
    let inside = [value!({ "x": (value.clone()) }).unwrap(), Value::unknown(inside.ty()), inside];
    let at_x = |rule: Rule| Rule::at("x".parse().unwrap(), rule).unwrap();
    assert!(at_x(Rule::at_least_one_of(at(&["a", "z"]))).check(&Request::new(&inside[0])).is_err());
    for value in &inside {
        assert!(at_x(Rule::at_least_one_of(at(&["a"]))).check(&Request::new(value)).is_ok(), "{value}");
    }
    let texts = [Value::from("a"), Value::from("b")];
    let number = Value::from(1);
    let of_number = |rule: Rule| rule.check(&Request::new(&number)).is_err();
    assert!(of_number(Rule::one_of(texts.to_vec())) && of_number(Rule::none_of(texts.to_vec())));
    assert!(!of_number(Rule::one_of([&texts[..], &[Value::from(2)]].concat())));
}

#[test]
fn a_change_from_null_is_no_change() {
    let (null, one) = (Value::null(Type::Number), Value::from(1));
    for rule in [Rule::only_increase(), Rule::only_decrease(), Rule::immutable()] {
        assert!(rule.check(&Request::new(&one).before(&null)).unwrap().is_pass(), "{rule}");
        assert!(rule.check(&Request::new(&null).before(&one)).unwrap().is_pass(), "{rule}");
    }
}

#[test]
fn an_unknown_without_elements_has_none_that_could_fail() {
    let each = |rule: Rule| Rule::at("a[*]".parse().unwrap(), rule).unwrap();
    let of = |ty: &str, refinement: Refinement| value!({ "a": (refined(ty, refinement)) }).unwrap();
    let never = || each(Rule::matches("^[^\\s\\S]$".parse::<Pattern>().unwrap()));
    let length = |least: u64, most: Option<u64>| Refinement::length(LengthRange::new(least, most).unwrap());
    assert_eq!(word(&never(), &of("list(string)", length(0, Some(0)))), Word::Pass);
    assert_eq!(word(&each(Rule::IsNull), &of("list(string)", length(0, None))), Word::Undetermined);
    // Where there is an element for certain, and certainly none that passes, it fails.
    let nothing = || each(Rule::all([Rule::NotNull, Rule::IsNull]).unwrap());
    assert_eq!(word(&nothing(), &of("list(string)", length(1, None).and_not_null())), Word::Fail);
    assert_eq!(word(&nothing(), &of("list(string)", length(1, None))), Word::Undetermined);
    assert_eq!(word(&nothing(), &of("list(string)", length(0, None).and_not_null())), Word::Undetermined);
    assert_eq!(word(&nothing(), &of("tuple([string])", Refinement::not_null())), Word::Fail);
    assert_eq!(word(&nothing(), &of("tuple([string])", Refinement::any())), Word::Undetermined);
}

/// All members of a set of one are the same one, which is asked with what is known of each.
#[test]
fn the_only_member_of_a_set_is_asked_once() {
    let some = Value::refined(Type::Bool, Refinement::not_null()).unwrap();
    let two = Value::set([some, Value::unknown(Type::Bool)]).unwrap();
    let one = two.assume(&"notnull(setlength(1, 1))".parse().unwrap()).unwrap();
    let each = || "[*]".parse::<plantime::rule::PathExpr>().unwrap();
    assert_eq!(each().matches(&two).unwrap().len(), 2);
    let found = each().matches(&one).unwrap();
    assert_eq!(found.len(), 1);
    assert!(found[0].value.range().is_not_null());
    let rule = Rule::at(each(), Rule::NotNull).unwrap();
    assert!(rule.check_value(&one).unwrap().is_pass());
    assert!(rule.check_value(&two).unwrap().is_undetermined());
}

#[test]
fn each_alternative_that_failed_is_told() {
    let rule = Rule::any([Rule::starts_with("a"), Rule::starts_with("b")]).unwrap();
    let outcome = rule.check_value(&"c".into()).unwrap();
    let details: Vec<&str> = outcome.diagnostics().iter().map(|one| one.detail.as_str()).collect();
    assert_eq!(details.len(), 2, "{details:?}");
    assert!(details[0].contains("\"a\"") && details[1].contains("\"b\""), "{details:?}");
}

#[test]
fn lengths_in_bytes_are_told_in_bytes() {
    let rule = Rule::from_form(&value!({ "min_byte_len": 3 }).unwrap()).unwrap();
    let outcome = rule.check_value(&"\u{e9}".into()).unwrap();
    let one = outcome.diagnostics().iter().next().unwrap();
    assert!(one.detail.ends_with("got: 2"), "{}", one.detail);
    assert_eq!(one.failure, "it is a length of 2");
}

#[test]
fn rules_show_what_is_in_them() {
    let rules = Rule::all([Rule::NotNull, Rule::min_len(2)]).unwrap();
    let Rule::All(inside) = rules else { unreachable!("a rule of all") };
    assert_eq!(format!("{inside:?}"), "[not_null, min_len(2)]");
    let words = Rule::from_form(&value!({ "one_of_ignoring_case": ["a", "b"] }).unwrap()).unwrap();
    assert!(words.describe().contains("\"a\", \"b\""), "{}", words.describe());
    let set = Rule::equals(Value::set([1, 2]).unwrap());
    let form = value!({ "equals": { "type": "set(number)", "value": [1, 2] } }).unwrap();
    assert_eq!(set.to_form().unwrap(), form);
}

#[test]
fn what_equals_a_number_is_that_number() {
    let five = Some(Refinement::number(NumberRange::exactly(5)));
    assert_eq!(Rule::equals(5).as_refinement(), five);
    assert_eq!(Rule::one_of([5]).as_refinement(), five);
    assert_eq!(Rule::one_of([5, 6]).as_refinement(), Some(Refinement::one_of_numbers([5, 6]).unwrap()));
    let either = Rule::any([Rule::equals(5), Rule::one_of([1, 9])]).unwrap();
    assert_eq!(either.as_refinement().unwrap().to_string(), "oneof(1, 5, 9)");
    let both = Rule::all([Rule::one_of([1, 5, 9]), Rule::min(3)]).unwrap();
    assert_eq!(both.as_refinement().unwrap().to_string(), "oneof(5, 9)");
    // More numbers than a refinement lists: the interval and the greatest common divisor follow.
    let many = Rule::one_of((1..=40).map(|number| Value::from(3 * number * number)));
    assert_eq!(many.as_refinement(), None);
    let implied = many.implied_refinement(&Type::Number);
    assert_eq!(implied.to_string(), "numbermultiple(3, numberrange(3, 4800))");
}

#[test]
fn a_length_of_strings_is_a_language() {
    let of_string = |rule: &Rule| rule.as_refinement_for(&Type::String).map(|known| known.to_string());
    let said = |rule: &Rule| rule.implied_refinement(&Type::String).to_string();
    for (rule, exact, implied) in [
        (Rule::min_len(0), Some("any()"), "any()"),
        (Rule::min_len(1), Some("stringlengthmin(1)"), "stringlengthmin(1)"),
        (Rule::max_len(63), Some("stringlengthmax(63)"), "stringlengthmax(63)"),
        (Rule::len(4), Some("stringlength(4)"), "stringlength(4)"),
        (Rule::len(0), Some(r#"oneof("")"#), r#"oneof("")"#),
        // More lengths than the states of an automaton can count.
        (Rule::max_len(300), None, "any()"),
        (Rule::min_len_in(Unit::Graphemes, 1), Some("stringlengthmin(1)"), "stringlengthmin(1)"),
        (Rule::min_len_in(Unit::Graphemes, 3), None, "stringlengthmin(3)"),
        (Rule::max_len_in(Unit::Graphemes, 3), None, "any()"),
        (Rule::max_len_in(Unit::Graphemes, 0), Some(r#"oneof("")"#), r#"oneof("")"#),
        (Rule::not_zero(), Some("stringlengthmin(1)"), "stringlengthmin(1)"),
        (Rule::not(Rule::max_len(2)).unwrap(), None, "stringlengthmin(3)"),
    ] {
        assert_eq!(of_string(&rule).as_deref(), exact, "{rule}");
        assert_eq!(said(&rule), implied, "{rule}");
    }
    assert!(said(&Rule::min_len(300)).starts_with("stringlengthmin("));

    // Beside a rule that reads only strings it is the length of a string, without a type too.
    let name = Rule::all([Rule::matches("^[a-z]+$".parse().unwrap()), Rule::max_len(3)]).unwrap();
    assert_eq!(name.as_refinement(), Some(Refinement::pattern("^[a-z]{1,3}$").unwrap()));
    assert_eq!(Rule::max_len(3).as_refinement().unwrap().to_string(), "lengthmax(3)");

    // Bytes are counted character by character.
    let bytes = Rule::len_in(Unit::Bytes, 3);
    let known = bytes.as_refinement_for(&Type::String).unwrap();
    for (text, within) in
        [("abc", true), ("a\u{e9}", true), ("\u{20ac}", true), ("\u{e9}\u{e9}", false), ("ab", false)]
    {
        assert_eq!(Value::from(text).assume(&known).is_ok(), within, "{text}");
        assert_eq!(word(&bytes, &Value::from(text)) == Word::Pass, within, "{text}");
    }
    let even = refined("string", Refinement::pattern("^(?:\u{e9}\u{e9})*$").unwrap().and_not_null());
    assert_eq!(word(&bytes, &even), Word::Fail);
    assert_eq!(word(&Rule::len_in(Unit::Bytes, 6), &even), Word::Fail);
    assert_eq!(word(&Rule::len_in(Unit::Bytes, 8), &even), Word::Undetermined);
}

#[test]
fn objects_of_few_values_are_looked_at_one_by_one() {
    // Each of the two objects that it can become is another than those.
    let one = |flag: bool| value!({ "a": flag }).unwrap();
    let unknown = refined("object({a = bool})", Refinement::not_null());
    let null = Value::object([("a", Value::null(Type::Bool))]).unwrap();
    let none = Rule::none_of([one(true), one(false), null]);
    assert_eq!(word(&none, &unknown), Word::Fail);
    assert_eq!(word(&Rule::none_of([one(true)]), &unknown), Word::Undetermined);
}

/// As long as another part can still be an error, a warning decides nothing.
#[test]
fn a_warning_does_not_hide_what_is_open() {
    let paths = || ("a".parse().unwrap(), "b".parse().unwrap());
    let (old, write_only): (PathExpr, PathExpr) = paths();
    let prefer = || Rule::prefer_write_only(old.clone(), write_only.clone());
    let conflicting = || Rule::conflicting(at(&["a", "b"]));
    let planned = value!({ "a": "x", "b": (unknown("string")) }).unwrap();
    let applied = value!({ "a": "x", "b": "y" }).unwrap();
    for rule in
        [Rule::all([prefer(), conflicting()]).unwrap(), Rule::sequence([conflicting(), prefer()]).unwrap()]
    {
        let outcome = rule.check_value(&planned).unwrap();
        let why = outcome.why().unwrap_or_else(|| panic!("{rule} is decided"));
        assert_eq!(why.obligation(), Some(&rule));
        assert!(rule.check_value(&applied).unwrap().is_fail());
    }
}

#[test]
fn what_is_inside_shows_in_debug_and_in_forms() {
    let not = Rule::not(Rule::NotNull).unwrap();
    let Rule::Not(inside) = &not else { panic!("{not:?}") };
    assert_eq!(format!("{inside:?}"), "not_null");
    let infinite = Value::object([("n", Value::from(plantime::Number::INFINITY))]).unwrap();
    let rule = Rule::equals(infinite);
    let form = rule.to_form().unwrap();
    assert_eq!(Rule::from_form(&form).unwrap(), rule);
    #[cfg(feature = "json")]
    assert!(plantime::json::to_vec(&form).is_ok(), "{form:?}");
}

#[test]
fn a_set_of_rules_has_no_guard_unless_it_is_given_one() {
    assert!(plantime::rule::set::RuleSet::new([Rule::NotNull]).guard().is_none());
}
