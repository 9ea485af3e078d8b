use super::{How, PathExpr};
use crate::mark::Mark;
use crate::types::Type;
use crate::value::Value;

fn expr(text: &str) -> PathExpr {
    text.parse().unwrap()
}

#[test]
fn the_text_form_reads_back() {
    for text in [
        "",
        "a",
        "a.b",
        "ingress[*].cidr_blocks[*]",
        "tags[\"Na\\\"me\"]",
        "a[0][12]",
        "<",
        "<.<.b",
        "\"a b\".c",
        "[*]",
    ] {
        assert_eq!(expr(text).to_string(), text);
        assert_eq!(expr(&expr(text).to_string()), expr(text));
    }
    for (text, canonical) in
        [("a.<.b", "b"), ("a[*].<", "a"), ("a.<.<.b", "<.b"), ("a.0.b", "a[0].b"), ("a.*", "a[*]")]
    {
        assert_eq!(expr(text).to_string(), canonical, "{text}");
    }
}

#[test]
fn texts_that_are_no_paths_say_where() {
    for (text, message) in [
        (".a", "a path needs a name, `[` or `<` at column 1, but has `.`"),
        ("a.", "a path needs a name or `<` at column 3, but has the end"),
        ("a[", "a path needs an index, a quoted key or `*` at column 3, but has the end"),
        ("a[x]", "a path needs an index, a quoted key or `*` at column 3, but has `x`"),
        ("a[1", "a path needs `]` at column 4, but has the end"),
        ("a[\"x]", "a path needs a quoted text that ends at column 4, but has `x`"),
        ("a b", "a path needs a name or `<` at column 1, but has `a`"),
        ("[0]b", "a path needs `.` or `[` at column 4, but has `b`"),
        ("a[99999999999999999999]", "a path needs an index, a quoted key or `*` at column 3, but has `9`"),
    ] {
        assert_eq!(text.parse::<PathExpr>().unwrap_err().to_string(), message, "{text}");
    }
    assert!("a.".repeat(300).trim_end_matches('.').parse::<PathExpr>().unwrap_err().is_limit());
}

fn found(text: &str, value: &Value) -> Vec<(String, String, How)> {
    let matches = expr(text).matches(value).unwrap();
    matches.iter().map(|found| (found.path.to_string(), found.value.to_string(), found.how)).collect()
}

fn one(path: &str, value: &str, how: How) -> Vec<(String, String, How)> {
    vec![(path.to_owned(), value.to_owned(), how)]
}

#[test]
fn every_way_a_path_can_end() {
    let map = Value::map([("Name", "web")]).unwrap();
    let set = Value::set(["x", "y"]).unwrap();
    let value = Value::object([
        ("gone", Value::null(Type::list(Type::String).unwrap())),
        ("later", Value::unknown("object({id = string})".parse().unwrap())),
        ("set", set),
        ("tags", map),
        ("tuple", Value::tuple([Value::from(1), Value::from(2)]).unwrap()),
    ])
    .unwrap();
    assert_eq!(found("tags.Name", &value), one("tags[\"Name\"]", "\"web\"", How::Exact));
    assert_eq!(found("tags[\"Nam\"]", &value), one("tags[\"Nam\"]", "null", How::Missing));
    assert_eq!(found("tuple[2]", &value), one("tuple[2]", "null", How::Missing));
    assert_eq!(found("gone[*]", &value), one("gone", "null", How::StoppedAtNull));
    assert_eq!(found("gone[0]", &value), one("gone", "null", How::StoppedAtNull));
    assert_eq!(found("later.id", &value), one("later", "(known after apply)", How::StoppedAtUnknown));
    let members: Vec<String> = found("set[*]", &value).into_iter().map(|(path, _, _)| path).collect();
    assert_eq!(members, ["set[\"x\"]", "set[\"y\"]"]);
    assert_eq!(found("<.a", &value), []);

    for (text, message) in [
        ("tagz", r#"there is no attribute "tagz"; did you mean "tags"?"#),
        ("later.ID", r#"later: there is no attribute "ID"; did you mean "id"?"#),
        ("set[0]", "set: set of string has no index 0: that needs a list or tuple"),
        ("gone.x", r#"gone: list of string has no attribute "x": that needs an object or map"#),
    ] {
        assert_eq!(expr(text).matches(&value).unwrap_err().to_string(), message, "{text}");
        assert_eq!(expr(text).check_type(&value.ty()).unwrap_err().to_string(), message, "{text}");
    }
}

#[test]
fn marks_met_on_the_way_are_on_the_part_and_on_its_key() {
    let value =
        Value::object([("m", Value::map([("secret-key", "v")]).unwrap().mark(Mark::SENSITIVE))]).unwrap();
    assert_eq!(found("m[*]", &value), one("m[(sensitive value)]", "(sensitive value)", How::Exact));
    let set = Value::set(["secret"]).unwrap().mark(Mark::SENSITIVE);
    assert_eq!(found("[*]", &set), one("[(sensitive value)]", "(sensitive value)", How::Exact));
}
