//! Refinements in words.

use crate::number::Number;
use crate::refinement::{LengthRange, NumberRange, Refinement};

#[track_caller]
fn says(text: &str, words: &str) {
    let refinement: Refinement = text.parse().unwrap();
    assert_eq!(refinement.describe().to_string(), words);
}

#[test]
fn a_refinement_is_described_in_words() {
    says("any()", "nothing");
    says("null()", "null");
    says("notnull()", "not null");
    says(r#"notnull(stringprefix("vpc-"))"#, r#"not null, starts with "vpc-""#);
    says(r#"stringprefix("a\"b")"#, r#"starts with "a\"b", or null"#);
    says("notnull(numbermin(1), numberbelow(5))", "not null, at least 1, below 5");
    says("numberabove(1.5), numbermax(5)", "above 1.5, at most 5, or null");
    says("notnull(numberrange(5, 5))", "not null, exactly 5");
    says("notnull(numbermin(inf))", "not null, exactly inf");
    says("notnull(numberbelow(inf))", "not null, below inf");
    says("notnull(length(0))", "not null, no elements");
    says("notnull(length(1))", "not null, exactly 1 element");
    says("length(1, 4)", "1 to 4 elements, or null");
    says("lengthmin(1)", "at least 1 element, or null");
    says("lengthmin(2)", "at least 2 elements, or null");
    says("lengthmax(1)", "at most 1 element, or null");
    says(r#"stringsuffix("-b")"#, r#"ends with "-b", or null"#);
    says(r#"notnull(stringcontains("db"))"#, r#"not null, contains "db""#);
    says("notnull(stringlength(1, 63))", "not null, 1 to 63 characters long");
    says("notnull(stringlength(1))", "not null, exactly 1 character long");
    says("stringlengthmax(3)", "at most 3 characters long, or null");
    says("stringlengthmin(2)", "at least 2 characters long, or null");
    says(r#"notnull(oneof("b", "a"))"#, r#"not null, one of "a", "b""#);
    says(r#"oneof("a")"#, r#"exactly "a", or null"#);
    says(r#"notnull(stringpattern("^vpc-[0-9a-f]{17}$"))"#, "not null, matches ^vpc-[0-9a-f]{17}$");
    says(
        "notnull(oneof(\"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", \"j\", \"k\", \"l\"))",
        "not null, one of \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"i\", \"j\" and 2 others",
    );
}

#[test]
fn a_range_is_described_without_null() {
    assert_eq!(Refinement::prefix("vpc-").range().describe().to_string(), r#"starts with "vpc-""#);
    assert_eq!(Refinement::not_null().range().describe().to_string(), "nothing");
}

#[test]
fn a_contradiction_names_both_sides_unless_withheld() {
    let known = Refinement::prefix("secret").and_not_null();
    let contradiction = known.meet(&Refinement::prefix("vpc-")).unwrap_err();
    assert_eq!(
        contradiction.to_string(),
        r#"what is known (not null, starts with "secret") contradicts the assumption (starts with "vpc-")"#
    );
    assert_eq!(
        contradiction.withhold_existing().to_string(),
        r#"what is known contradicts the assumption (starts with "vpc-")"#
    );
    let contradiction = Refinement::null().meet(&Refinement::not_null()).unwrap_err();
    assert_eq!(contradiction.to_string(), "what is known (null) contradicts the assumption (not null)");
    let contradiction = Refinement::not_null().meet(&Refinement::null()).unwrap_err();
    assert_eq!(contradiction.to_string(), "what is known (not null) contradicts the assumption (null)");
}

#[test]
fn debug_shows_what_is_known() {
    let prefix = Refinement::prefix("vpc-").and_not_null();
    assert_eq!(format!("{prefix:?}"), format!("Refinement({prefix})"));
    assert_eq!(format!("{:?}", prefix.range()), "Prefix(Prefix(\"vpc-\"))");
    let numbers = NumberRange::at_least(Number::from(1));
    assert_eq!(format!("{numbers:?}"), format!("NumberRange({numbers})"));
    let lengths = LengthRange::at_least(2);
    assert_eq!(format!("{lengths:?}"), format!("LengthRange({lengths})"));
}
