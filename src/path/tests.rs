use super::{Path, Step};
use crate::types::Type;
use crate::value::Value;

#[track_caller]
fn round_trip(text: &str) -> Path {
    let path: Path = text.parse().unwrap();
    assert_eq!(path.to_string(), text);
    path
}

#[test]
fn text_form_round_trips() {
    assert!(round_trip("").is_empty());
    assert_eq!(round_trip("a.b-c"), Path::new().attr("a").attr("b-c"));
    assert_eq!(round_trip("[0][12]"), Path::new().index(0).index(12));
    assert_eq!(round_trip(r#"tags["a\"b\\c\n"]"#), Path::new().attr("tags").index("a\"b\\c\n"));
    assert_eq!(round_trip(r#""odd name".x"#), Path::new().attr("odd name").attr("x"));
    assert_eq!(round_trip("a[*]"), Path::new().attr("a").index(Value::unknown(Type::Number)));
    assert_eq!(round_trip("[1.5]").len(), 1);
}

#[test]
fn bad_text_says_what_and_where() {
    for (text, message) in [
        (".a", "a path needs an attribute name at column 1, but has `.`"),
        ("a..b", "a path needs an attribute name at column 3, but has `.`"),
        ("a[", "a path needs a number, a quoted key or `*` at column 3, but has the end"),
        ("a[0", "a path needs `]` at column 4, but has the end"),
        ("a[0]b", "a path needs `.` or `[` at column 5, but has `b`"),
        ("a[\"x", "a path needs a quoted text that ends at column 4, but has `x`"),
    ] {
        assert_eq!(text.parse::<Path>().unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn a_path_of_too_many_steps_is_refused() {
    let text = "[0]".repeat(257);
    assert!(text.parse::<Path>().unwrap_err().is_limit());
    assert!("[0]".repeat(256).parse::<Path>().is_ok());
}

#[test]
fn names_are_normalised() {
    assert_eq!(Step::attr("e\u{301}"), Step::attr("é"));
}

#[test]
fn odd_names_and_keys_read_back() {
    let odd = [
        "",
        " ",
        "\"",
        "\\",
        "\\\"",
        "a\nb\r\tc",
        "${",
        "${x}",
        "$${x}",
        "%{ if }",
        "%%{",
        "$",
        "\0",
        "\u{1}",
        "\u{7f}\u{85}",
        "\u{200b}\u{e0001}",
        "e\u{301}",
        "\u{301}",
        "é.b",
        "[0]",
        "]",
        "*",
        "0",
        "-1",
        "1.5",
        "inf",
        "true",
        "null",
        "(known after apply)",
    ];
    for text in odd {
        for path in [
            Path::new().attr(text),
            Path::new().index(text),
            Path::new().attr("a").attr(text).index(text).index(0).attr(text),
            Path::new().index(text).attr(text).index(Value::unknown(Type::Number)),
        ] {
            assert_eq!(round_trip(&path.to_string()), path, "{text:?}");
        }
    }
}
