//! JSON, with types and without, and types in JSON.

use plantime::{Type, TypeConstraint, json};

use crate::{alone, in_proportion};

/// Text of about 64 kB.
fn filled(open: &str, item: impl Fn(usize) -> String, close: &str) -> String {
    let mut text = open.to_owned();
    for i in 0.. {
        if i > 0 {
            text.push(',');
        }
        text.push_str(&item(i));
        if text.len() > 64_000 {
            break;
        }
    }
    text + close
}

fn array(item: &str) -> String {
    filled("[", |_| item.to_owned(), "]")
}

fn nested(open: &str, close: &str) -> String {
    format!(
        "[{}]",
        vec![open.repeat(250) + "1" + &close.repeat(250); 64_000 / (open.len() + close.len()) / 250]
            .join(",")
    )
}

fn texts() -> Vec<String> {
    let sparse = |ty: &str, item: &str| {
        let attributes = filled("{", |i| format!("\"a{i}\":\"bool\""), "}");
        format!("{{\"type\":[\"{ty}\",[\"object\",{attributes}]],\"value\":{}}}", array(item))
    };
    let mut texts: Vec<String> = [
        "1",
        "-1.5",
        "\"\"",
        "\"a\"",
        "null",
        "true",
        "[]",
        "{}",
        "[1]",
        "[[]]",
        "{\"a\":1}",
        "1e308",
        "1e8000",
        "1e-8000",
        "\"1e8000\"",
        "\"\\u00e9\"",
        "{\"value\":1,\"type\":\"number\"}",
        "{\"value\":null,\"type\":\"bool\"}",
    ]
    .into_iter()
    .map(array)
    .collect();
    texts.extend([
        filled("{", |i| format!("\"{i}\":1"), "}"),
        filled("{", |_| "\"\":1".to_owned(), "}"),
        filled("{", |i| format!("\"{i}\":{{}}"), "}"),
        filled("[", |i| format!("[{i}]"), "]"),
        filled("[", |i| format!("{{\"a\":{i}}}"), "]"),
        nested("[", "]"),
        nested("{\"a\":", "}"),
        nested("{\"type\":\"dynamic\",\"value\":", "}"),
        nested("{\"value\":", ",\"type\":\"dynamic\"}"),
        sparse("list", "{}"),
        sparse("list", "{\"a0\":true}"),
        sparse("set", "{}"),
        filled("[\"tuple\",[", |_| "\"bool\"".to_owned(), "]]"),
        filled("[\"tuple\",[", |_| "[\"object\",{}]".to_owned(), "]]"),
        filled("[\"tuple\",[", |_| "[\"tuple\",[]]".to_owned(), "]]"),
        filled("[\"object\",{", |i| format!("\"{i}\":\"bool\""), "}]"),
        filled("[\"object\",{", |_| "\"\":\"bool\"".to_owned(), "}]"),
        filled("[\"object\",{", |i| format!("\"{i}\":\"bool\""), "},[]]"),
        filled("[\"object\",{\"a\":\"bool\"},[", |_| "\"a\"".to_owned(), "]]"),
    ]);
    texts
}

#[test]
fn no_json_takes_memory_out_of_proportion() {
    let _alone = alone();
    let types: Vec<Type> = [
        "any",
        "list(any)",
        "map(any)",
        "list(number)",
        "set(string)",
        "map(string)",
        "set(list(number))",
        "set(object({a = any}))",
    ]
    .into_iter()
    .map(|text| text.parse().unwrap())
    .collect();
    for text in texts() {
        let bytes = text.as_bytes();
        in_proportion("the implied reading", bytes, || json::from_slice(bytes));
        in_proportion("the lenient reading", bytes, || json::lenient::from_slice(bytes));
        in_proportion("the implied type", bytes, || json::implied_type(bytes));
        for ty in &types {
            in_proportion(&ty.to_string(), bytes, || json::from_slice_as(bytes, ty));
            in_proportion(&ty.to_string(), bytes, || json::lenient::from_slice_as(bytes, ty));
        }
        in_proportion("a type", bytes, || Type::from_json_text(&text));
        in_proportion("a constraint", bytes, || TypeConstraint::from_json_text(&text));
    }
}
