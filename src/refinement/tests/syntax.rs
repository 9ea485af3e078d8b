//! The text form: what is read, what is refused and how, and that nothing breaks it.

use proptest::prelude::*;

use crate::limits;
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, NumberRange, Refinement};

#[track_caller]
fn reads(text: &str, canonical: &str) {
    let refinement: Refinement = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(refinement.to_string(), canonical);
    assert_eq!(canonical.parse(), Ok(refinement));
}

#[track_caller]
fn refuses(text: &str, message: &str) {
    let error = text.parse::<Refinement>().unwrap_err();
    assert!(error.is_syntax() || error.is_contradiction() || error.is_limit(), "{error:?}");
    assert_eq!(error.to_string(), message);
}

#[test]
fn every_form_is_read() {
    reads("any()", "any()");
    reads("null()", "null()");
    reads("notnull()", "notnull()");
    reads("notnull(any())", "notnull()");
    reads(r#"notnull(stringprefix("vpc-"))"#, r#"notnull(stringprefix("vpc-"))"#);
    reads(r#"stringprefix("vpc-", notnull())"#, r#"notnull(stringprefix("vpc-"))"#);
    reads(r#"stringprefix("vpc-"), notnull()"#, r#"notnull(stringprefix("vpc-"))"#);
    reads("notnull(numbermin(1), numbermax(5))", "notnull(numberrange(1, 5))");
    reads("notnull(numbermin(1, numbermax(5)))", "notnull(numberrange(1, 5))");
    reads("notnull(numberabove(-1.50), numberbelow(1e2))", "notnull(numberabove(-1.5), numberbelow(100))");
    reads("numberabove(1), numbermax(5)", "numberabove(1), numbermax(5)");
    reads("numberrange(-inf, 5)", "numbermax(5)");
    reads("numberrange(-inf, inf)", "any()");
    reads("numberabove(-inf)", "numberabove(-inf)");
    reads("numbermin(+Inf)", "numbermin(inf)");
    reads("numberrange(5, 5, notnull())", "notnull(numberrange(5, 5))");
    reads("listlength(1, 3)", "length(1, 3)");
    reads("setlength(2)", "length(2)");
    reads("maplengthmin(2)", "lengthmin(2)");
    reads("length(0, 3)", "lengthmax(3)");
    reads("length(2, notnull())", "notnull(length(2))");
    reads("length(2, 3, notnull())", "notnull(length(2, 3))");
    reads("length(1e1)", "length(10)");
    reads("lengthmin(0)", "any()");
    reads(r#"stringprefix("")"#, "any()");
    reads("numbermin(3), null()", "null()");
    reads("lengthmin(1), listlengthmax(2)", "length(1, 2)");
}

#[test]
fn white_space_and_a_last_comma_change_nothing() {
    reads(" notnull (\n\tstringprefix ( \"a\" , ) ,\r\n) , ", r#"notnull(stringprefix("a"))"#);
}

#[test]
fn escapes_stand_for_their_characters() {
    reads(r#"stringprefix("\"\\\n\r\t\u00e9\u{1f600}")"#, r#"stringprefix("\"\\\n\r\té😀")"#);
    reads(r#"stringprefix("\u{0}\u007f\u200b")"#, r#"stringprefix("\u{0}\u{7f}\u{200b}")"#);
    reads("stringprefix(\"e\u{301}\")", r#"stringprefix("é")"#);
    // What HCL would take for a template is plain text here.
    reads(r#"stringprefix("${x}")"#, r#"stringprefix("${x}")"#);
}

fn message_of(text: &str) -> String {
    text.parse::<Refinement>().unwrap_err().to_string()
}

#[test]
fn a_range_that_says_nothing_is_any() {
    assert_eq!(crate::refinement::NumberRange::default().to_string(), "any()");
}

#[test]
fn a_misspelt_name_is_answered_with_the_nearest() {
    let rows = [
        ("stringprefx", "stringprefix"),
        ("string_prefix", "stringprefix"),
        ("starts_with", "stringprefix"),
        ("assumestringprefix", "stringprefix"),
        ("not_null", "notnull"),
        ("NotNull", "notnull"),
        ("nonnull", "notnull"),
        ("numbermim", "numbermin"),
        ("numerrange", "numberrange"),
        ("lenght", "length"),
        ("list_length", "listlength"),
        ("min_len", "lengthmin"),
        ("nul", "null"),
    ];
    for (wrong, right) in rows {
        let message = format!("column 9: there is no refinement \"{wrong}\"; did you mean \"{right}\"?");
        refuses(&format!("notnull({wrong}(1))"), &message);
    }
    // A name may be as long as the longest with the mistakes that would still be taken for one.
    let long = |dashes: usize| format!("stringprefix{}(1)", "-".repeat(dashes));
    assert!(message_of(&long(20)).contains("did you mean"), "{}", message_of(&long(20)));
    for dashes in [21, 40] {
        assert!(!message_of(&long(dashes)).contains("did you mean"), "{dashes}");
    }
    refuses(
        "colour(1)",
        "column 1: there is no refinement \"colour\"; there are any, null, notnull, stringprefix, stringsuffix, stringcontains, stringlength, oneof, stringpattern, numbermin, \
         numbermax, numberabove, numberbelow, numberrange, length, lengthmin, lengthmax",
    );
}

#[test]
fn an_error_names_the_place() {
    refuses("", "column 1: a refinement expected, but the text ends here");
    refuses("notnull", "column 8: \"(\" after notnull expected, but the text ends here");
    refuses("notnull(", "column 9: a refinement expected, but the text ends here");
    refuses("notnull())", "column 10: \",\" or the end expected, but found \")\"");
    refuses("notnull(any(),\n  1)", "line 2, column 3: a refinement expected, but found \"1\"");
    refuses("notnull(\"a\")", "column 9: a refinement expected, but found text in quotes");
    refuses("any() null()", "column 7: \",\" or the end expected, but found \"null\"");
    refuses("stringprefix(5)", "column 14: text in quotes expected, but found \"5\"");
    refuses("stringprefix(vpc)", "column 14: text in quotes expected, but found \"vpc\"");
    refuses(
        "stringprefix(\"a\" \"b\")",
        "column 18: \",\" or \")\" of stringprefix expected, but found text in quotes",
    );
    refuses("stringprefix(\"é\", x())", {
        "column 19: there is no refinement \"x\"; there are any, null, notnull, stringprefix, stringsuffix, stringcontains, stringlength, oneof, stringpattern, numbermin, numbermax, \
         numberabove, numberbelow, numberrange, length, lengthmin, lengthmax"
    });
    refuses("stringprefix(\"a", "column 14: the text in quotes does not end on its line");
    refuses("stringprefix(\"a\\", "column 16: the text in quotes does not end on its line");
    refuses("stringprefix(\"a\n\")", "line 1, column 14: the text in quotes does not end on its line");
    refuses(r#"stringprefix("a\d")"#, r"column 16: there is no escape \d; write \\ for a backslash");
    refuses(r#"stringprefix("\u12")"#, r"column 15: four hexadecimal digits belong after \u");
    refuses(
        r#"stringprefix("\u{}")"#,
        r#"column 15: one to six hexadecimal digits and "}" belong after \u{"#,
    );
    refuses(
        r#"stringprefix("\ud83d\ude00")"#,
        r"column 15: U+D83D is no character; one above U+FFFF is written like \u{1f600}",
    );
    refuses("numbermin(\"5\")", "column 11: a number expected, but found text in quotes");
    refuses("numbermin(1x)", "column 11: a number is required, found \"1x\"");
    refuses("numbermin(1, 2)", "column 14: a refinement expected, but found \"2\"");
    refuses("numberrange(1)", "column 14: \",\" after the lower of two numbers expected, but found \")\"");
    refuses("length()", "column 8: a number expected, but found \")\"");
    let whole = "a whole number between 0 and 18446744073709551615 is required, found";
    refuses("length(1.5)", &format!("column 8: {whole} \"1.5\""));
    refuses("length(1, inf)", &format!("column 11: {whole} \"inf\""));
    refuses("lengthmin(-1)", &format!("column 11: {whole} \"-1\""));
}

#[test]
fn a_text_speaks_of_one_kind_of_value() {
    refuses(
        "stringprefix(\"a\"), numbermin(1)",
        "column 20: numbermin is for numbers, but stringprefix is for strings",
    );
    refuses(
        "length(1), setlength(1), listlength(1)",
        "column 26: listlength is for lists, but setlength is for sets",
    );
}

#[test]
fn what_only_null_could_be_is_refused() {
    refuses("numbermin(5), numbermax(1)", "column 15: at most 1 contradicts at least 5");
    refuses("numberrange(5, 1)", "column 1: no number is at least 5 and at most 1");
    refuses("numberabove(inf)", "column 1: no number is above inf");
    refuses("length(3, 1)", "column 1: no length is at least 3 and at most 1");
    refuses("notnull(null())", "column 9: null contradicts not null");
    refuses(
        r#"stringprefix("a", stringprefix("b"))"#,
        r#"column 19: starts with "b" contradicts starts with "a""#,
    );
    assert!("notnull(null())".parse::<Refinement>().unwrap_err().is_contradiction());
}

#[test]
fn nesting_and_digits_are_limited() {
    let nested = |levels: usize| format!("{}{}", "notnull(".repeat(levels), ")".repeat(levels));
    reads(&nested(limits::DEPTH), "notnull()");
    for levels in [limits::DEPTH + 1, 100_000] {
        let error = nested(levels).parse::<Refinement>().unwrap_err();
        assert!(error.is_limit(), "{error}");
        assert_eq!(error.to_string(), "column 2049: refinements nest at most 256 levels");
    }
    assert!("notnull(".repeat(1_000_000).parse::<Refinement>().unwrap_err().is_limit());
    assert!("numbermin(1e9000)".parse::<Refinement>().unwrap_err().is_limit());
    let wide = format!("notnull({})", vec!["lengthmin(1)"; 10_000].join(","));
    reads(&wide, "notnull(lengthmin(1))");
}

#[test]
fn what_is_shown_of_a_long_text_is_short() {
    let error = format!("numbermin(1{})", "x".repeat(1_000_000)).parse::<Refinement>().unwrap_err();
    assert!(error.to_string().len() < 200, "{error}");
    let error = "y".repeat(1_000_000).parse::<Refinement>().unwrap_err();
    assert!(error.to_string().len() < 300, "{error}");
    let error = format!("lengthmin(0.{})", "1".repeat(8_000)).parse::<Refinement>().unwrap_err();
    assert!(error.to_string().len() < 200, "{error}");
}

#[test]
fn deep_text_is_read_on_a_small_stack() {
    let deep = "notnull(".repeat(limits::DEPTH + 1);
    let reader = std::thread::Builder::new().stack_size(1 << 20);
    reader.spawn(move || deep.parse::<Refinement>().unwrap_err()).unwrap().join().unwrap();
}

fn numbers() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        any::<f64>().prop_filter_map("a number", |n| Number::try_from(n).ok()),
    ]
}

fn bounds() -> impl Strategy<Value = Bound> {
    prop_oneof![
        Just(Bound::Unbounded),
        numbers().prop_map(Bound::Inclusive),
        numbers().prop_map(Bound::Exclusive),
    ]
}

fn refinements() -> impl Strategy<Value = Refinement> {
    let ranges = prop_oneof![
        any::<String>().prop_map(|text| Refinement::prefix(&text)),
        (bounds(), bounds()).prop_filter_map("not empty", |(lower, upper)| {
            NumberRange::new(lower, upper).ok().map(Refinement::number)
        }),
        (any::<u64>(), any::<Option<u64>>()).prop_filter_map("not empty", |(min, max)| {
            LengthRange::new(min, max).ok().map(Refinement::length)
        }),
    ];
    (ranges, any::<bool>()).prop_map(|(range, not_null)| if not_null { range.and_not_null() } else { range })
}

fn tokens() -> impl Strategy<Value = String> {
    let token = prop_oneof![
        prop::sample::select(vec![
            "notnull(",
            "null()",
            "any(",
            "stringprefix(",
            "\"a\"",
            "\"ab\"",
            "\"\\u{e9}\"",
            "\"",
            "\\",
            "numbermin(",
            "numberbelow(",
            "numberrange(",
            "length(",
            "listlengthmin(",
            "setlength(",
            ")",
            ")",
            ")",
            ",",
            ",",
            "(",
            "1",
            "2",
            "-1.5",
            "inf",
            " ",
            "\n",
            "é",
            "_",
        ])
        .prop_map(String::from),
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(token, 0..24).prop_map(|tokens| tokens.concat())
}

proptest! {
    #[test]
    fn any_refinement_reads_back(refinement in refinements()) {
        prop_assert_eq!(refinement.to_string().parse(), Ok(refinement));
    }

    #[test]
    fn any_text_is_read_or_refused_with_a_place_inside(text in tokens()) {
        match crate::refinement::syntax::parse(&text) {
            Ok(refinement) => prop_assert_eq!(refinement.to_string().parse(), Ok(refinement)),
            Err(misread) => {
                prop_assert!(text.is_char_boundary(misread.offset), "{:?}", misread);
                prop_assert!(text.parse::<Refinement>().is_err());
            }
        }
    }

    #[test]
    fn what_a_refinement_displays_is_one_line(refinement in refinements()) {
        let texts = [refinement.to_string(), refinement.describe().to_string()];
        prop_assert!(texts.iter().all(|text| !text.contains(char::is_control)));
    }
}
