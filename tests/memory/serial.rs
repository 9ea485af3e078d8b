//! The self-describing form.

use plantime::rule::Rule;
use plantime::{Path, Value};

use crate::{INPUT, alone, in_proportion};

/// A node with as many parts as fit.
fn node(start: &str, part: &str) -> String {
    format!("[{start}{}]", format!(",{part}").repeat(INPUT / (part.len() + 1)))
}

fn texts() -> Vec<String> {
    let mut nodes: Vec<String> = [
        ("\"tuple\"", "[\"dynamic\"]"),
        ("\"tuple\"", "[\"tuple\"]"),
        ("\"tuple\"", "[\"object\"]"),
        ("\"tuple\"", "[\"null\",\"bool\"]"),
        ("\"tuple\"", "[\"unknown\",\"bool\"]"),
        ("\"tuple\"", "[\"null\",\"map(object({}))\"]"),
        ("\"tuple\"", "[\"number\",\"1e8000\"]"),
        ("\"tuple\"", "[\"refined\",\"bool\",\"notnull()\"]"),
        ("\"tuple\"", "[\"number\",\"1e600\"]"),
        ("\"tuple\"", "[\"refined\",\"number\",\"numbermin(1e8000)\"]"),
        ("\"tuple\"", "[\"refined\",\"number\",\"numbermin(1e900)\"]"),
        ("\"tuple\"", "[\"refined\",\"list(bool)\",\"notnull(listlength(32,32))\"]"),
        ("\"tuple\"", "[\"marked\",[[\"a\"]],[\"bool\",true]]"),
        ("\"list\",\"bool\"", "[\"bool\",true]"),
        ("\"list\",\"number\"", "[\"number\",\"1.5\"]"),
        ("\"list\",\"dynamic\"", "[\"null\",\"bool\"]"),
        ("\"list\",\"list(bool)\"", "[\"list\",\"bool\"]"),
        ("\"set\",\"number\"", "[\"unknown\",\"number\"]"),
        ("\"set\",\"string\"", "[\"string\",\"a\"]"),
        ("\"partial_set\",\"string\",1,9", "[\"unknown\",\"string\"]"),
        ("\"partial_set\",\"set(bool)\",1,9", "[\"unknown\",\"set(bool)\"]"),
        ("\"map\",\"bool\"", "\"a\",[\"bool\",true]"),
        ("\"object\"", "\"a\",[\"bool\",true]"),
    ]
    .into_iter()
    .map(|(start, part)| node(start, part))
    .collect();
    let counted =
        |part: fn(usize) -> String| (0..INPUT / part(9999).len()).map(part).collect::<Vec<_>>().join(",");
    nodes.push(format!("[\"object\",{}]", counted(|i| format!("\"{i}\",[\"dynamic\"]"))));
    nodes.push(format!("[\"map\",\"bool\",{}]", counted(|i| format!("\"{i}\",[\"null\",\"bool\"]"))));
    nodes.push(format!("[\"set\",\"number\",{}]", counted(|i| format!("[\"number\",\"{i}\"]"))));
    nodes.push(format!("[\"null\",\"object({{{}}})\"]", counted(|i| format!("a{i} = bool"))));
    nodes.push(format!("{}[\"dynamic\"]{}", "[\"tuple\",".repeat(120), "]".repeat(120)));
    nodes.into_iter().map(|node| format!("{{\"plantime\":1,\"value\":{node}}}")).collect()
}

#[test]
fn the_self_describing_form_is_read_in_proportion() {
    let _alone = alone();
    for text in texts() {
        let bytes = text.as_bytes();
        in_proportion("a value", bytes, || serde_json::from_slice::<Value>(bytes));
        if let Ok(value) = serde_json::from_slice::<Value>(bytes) {
            let bytes = postcard::to_stdvec(&value).unwrap();
            in_proportion("a value of postcard", &bytes, || postcard::from_bytes::<Value>(&bytes));
        }
    }
    let steps = node("[\"attr\",\"a\"]", "[\"attr\",\"a\"]");
    in_proportion("a path", steps.as_bytes(), || serde_json::from_str::<Path>(&steps));
    let rules = format!("{{\"plantime\":1,\"value\":{}}}", node("\"tuple\"", "[\"string\",\"not_null\"]"));
    in_proportion("a rule", rules.as_bytes(), || serde_json::from_str::<Rule>(&rules));
    // A sequence that promises more than there is.
    for promise in [&b"\x01\x05tuple\xff\xff\xff\xff\x0f"[..], b"\x01\xff\xff\xff\xff\x0f\x05tuple"] {
        in_proportion("a promise", promise, || postcard::from_bytes::<Value>(promise));
    }
}
