//! No text takes memory out of proportion: at most 128 times its length and 1 MB. One test alone, in a process of its
//! own, so that the most it ever took is its own doing.
#![cfg(target_os = "linux")]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    reason = "a test says what went wrong by failing"
)]

use plantime::{Type, TypeConstraint, json};

/// The most bytes that were in memory at any time so far.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

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
    // What is there once, whatever is read.
    let warm =
        |text: &str| types.iter().filter(|ty| json::from_slice_as(text.as_bytes(), ty).is_ok()).count();
    assert!(warm("[]") > 3 && json::from_slice(b"[1.5]").is_ok());
    for text in texts() {
        let before = peak();
        let check = |what: &str| {
            let taken = peak() - before;
            let shown: String = text.chars().take(60).collect();
            assert!(
                taken <= text.len() * 128 + (1 << 20),
                "{what} of {shown}: {taken} bytes for {}",
                text.len()
            );
        };
        let bytes = text.as_bytes();
        let _ = (json::from_slice(bytes).is_ok(), check("the implied reading"));
        let _ = (json::lenient::from_slice(bytes).is_ok(), check("the lenient reading"));
        for ty in &types {
            let _ = (json::from_slice_as(bytes, ty).is_ok(), check(&ty.to_string()));
            let _ = (json::lenient::from_slice_as(bytes, ty).is_ok(), check(&ty.to_string()));
        }
        let _ = (Type::from_json_text(&text).is_ok(), check("a type"));
        let _ = (TypeConstraint::from_json_text(&text).is_ok(), check("a constraint"));
    }
}
