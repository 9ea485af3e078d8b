//! Scalars: what a plain one is, how a text is printed, and that what is printed is read back.

use std::io::Write;
use std::process::{Command, Stdio};

use plantime_ytt::{Format, Package};
use serde_json::{Value, json};

/// A string in double quotes, with every character escaped that is not printable in ASCII.
fn written(text: &str) -> String {
    let escaped = |char: char| match u32::from(char) {
        code @ (0x22 | 0x5C) => format!("\\x{code:02X}"),
        0x20..=0x7E => char.to_string(),
        code @ 0..=0xFF => format!("\\x{code:02X}"),
        code @ 0..=0xFFFF => format!("\\u{code:04X}"),
        code => format!("\\U{code:08X}"),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}

/// Returns a package of texts as items, as values below keys, as keys, and deeper.
fn package(texts: &[String]) -> Package {
    let mut template = String::from("items:\n");
    for text in texts {
        template += &format!("- {}\n", written(text));
    }
    template += "values:\n";
    for (index, text) in texts.iter().enumerate() {
        template += &format!("  k{index}: {}\n", written(text));
    }
    template += "keys:\n";
    for (index, text) in texts.iter().enumerate() {
        let value = match index % 4 {
            0 => "a",
            1 => "{a: {b: 1}, c: 2}",
            2 => "[[a], {b: 1, c: 2}]",
            _ => "[]",
        };
        template += &format!("- ? {}\n  : {value}\n  after: 1\n", written(text));
    }
    template += "deeper:\n";
    for text in texts {
        let text = written(text);
        template += &format!("- - - {text}\n    - a: {{b: [{text}, {{c: {text}, d: 1}}]}}\n");
    }
    Package::new().template("t.yml", &template)
}

/// Adds each text with each of some marks before and behind it.
fn around(texts: &[&str], before: &[&str], behind: &[&str], all: &mut Vec<String>) {
    for text in texts {
        for before in before {
            for behind in behind {
                all.push(format!("{before}{text}{behind}"));
            }
        }
    }
}

/// Texts that YAML 1.1 or 1.2 may read as something else, or that need quotes, escapes or a block.
fn texts() -> Vec<String> {
    let mut all = Vec::new();
    let words = [
        "y", "Y", "yes", "Yes", "YES", "yEs", "n", "N", "no", "No", "NO", "true", "True", "TRUE", "tRUE",
        "false", "False", "FALSE", "on", "On", "ON", "off", "Off", "OFF", "null", "Null", "NULL", "nULL",
        "nil", "~", "<<", "=", "none", "inf", "nan", ".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN", ".iNF",
    ];
    around(&words, &["", "+", "-", " ", "#", "!"], &["", " ", ":", "\n", " #", ","], &mut all);
    let digits = [
        "0",
        "1",
        "00",
        "01",
        "07",
        "08",
        "010",
        "0x1F",
        "0X1f",
        "0xG",
        "0x",
        "0o17",
        "0O17",
        "0o8",
        "0b1",
        "0B1",
        "0b2",
        "0b",
        "1_000",
        "1__0",
        "_1",
        "1_",
        "0x_F",
        "0_7",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "0xFFFFFFFFFFFFFFFF",
        "0x1FFFFFFFFFFFFFFFF",
        "0b-1",
        "0777777777777777777777777777",
        "123456789012345678901234567890",
    ];
    around(&digits, &["", "-", "+", "--", "."], &["", "k", " ", ":", "."], &mut all);
    let floats = [
        "1.",
        ".5",
        "1.5",
        "1.5.2",
        "1e3",
        "1E3",
        "1e+3",
        "1e-3",
        "1.5e3",
        "1.e3",
        ".5e3",
        ".e3",
        "1e",
        "1e+",
        "1e400",
        "1e-400",
        "1.5_5",
        ".5_5",
        "1_0.5",
        "0.1",
        "00.1",
        "0x1p3",
        "1.0",
        "123456789.5",
        "0e0",
        ".",
    ];
    around(&floats, &["", "-", "+", " ", "_"], &["", "f", ".", "\n"], &mut all);
    let sixty = [
        "12:30",
        "1:2",
        "01:20",
        "1:20:30",
        "12:30:45.5",
        "190:20:30",
        "190:20:30.15",
        "1:60",
        "1:59",
        "0:0",
        "1:2:",
        ":1:2",
        "1_0:30",
        "12:30.",
        "12:30._5",
        "12:030",
        "1:2 ",
        "a:1",
        "1:b",
    ];
    around(&sixty, &["", "-", "+", "--"], &["", "x", "\n"], &mut all);
    let dates = [
        "2001-01-01",
        "2001-1-1",
        "2001-1-32",
        "2001-13-01",
        "2001-02-30",
        "2000-02-29",
        "1900-02-29",
        "201-01-01",
        "20011-01-01",
        "2001-01",
        "2001-0-1",
        "2001-1-0",
        "2001-001-01",
    ];
    let times = [
        "",
        "T12:30:45Z",
        "t12:30:45Z",
        "T12:30:45+01:00",
        "T1:2:3Z",
        "T12:30:45.123456789Z",
        "T12:30:45,5Z",
        "T24:00:00Z",
        "T12:60:00Z",
        "T12:30:60Z",
        "T12:30Z",
        "T12:30:45",
        "T12:30:45z",
        " 12:30:45",
        " 1:2:3.5",
        " 12:30:45 Z",
        " 21:59:43.10 -5",
        "  12:30:45",
        " ",
        "T12:30:45+1:00",
        "T12:30:45+25:00",
        "-",
        "x",
    ];
    around(&dates, &[""], &times, &mut all);
    let marks = [
        "-", "?", ":", ",", "[", "]", "{", "}", "#", "&", "*", "!", "|", ">", "'", "\"", "%", "@", "`", "\\",
        "---", "...", "--", "..", "$", "(", "/", ";", "^", "é", "日本", "😀", "\u{85}", "\u{a0}", "\u{2028}",
        "\u{2029}", "\u{feff}", "\u{fffd}", "\u{fffe}", "\u{e000}", "\u{d7ff}", "\u{300}", "\u{200b}",
        "\u{202e}",
    ];
    let behind =
        ["", "a", " a", " ", "\n", "\na", "\n a", " \na", "\n\na", "\ta", ": a", " #a", "a:", "a\n\n"];
    around(&marks, &["", "a", "a ", " ", "\n", "\t"], &behind, &mut all);
    for code in (0..0xA1_u32).chain([0x7F, 0x9F, 0xAD, 0xFFFD, 0x1_F600, 0x10_FFFF]) {
        let char = char::from_u32(code).unwrap();
        all.extend([format!("{char}"), format!("a{char}b"), format!("a\n{char}"), format!("{char}\nb\n")]);
    }
    let breaks = [
        "\n",
        "\n\n",
        "\n\n\n",
        " \n",
        "\n ",
        "a\n",
        "a\n\n",
        "a\n\n\n",
        "\na",
        "\n\na",
        "a\nb",
        "a\n b",
        "a \nb",
        "a\nb ",
        "a\n\nb\n",
        " a\nb",
        "  a\n b\n",
        "a\n#b",
        "a\n- b",
        "a\n---\nb",
        "a\n...\n",
        "---\na",
        "a\r\nb",
        "a\rb",
        "a\n\tb",
        "a\t\nb",
        "a: 1\nb: 2\n",
        "#\n",
        "- a\n- b",
        "",
        " ",
        "  ",
        "\t",
        "a\n \nb",
        "a\n  \n",
        "%a\nb",
        "?\n",
        "\n#",
    ];
    around(&breaks, &["", "x", "'"], &["", "z"], &mut all);
    for length in [79, 80, 81, 127, 128, 129, 200, 1_023, 1_024, 1_025, 3_000] {
        for word in ["a", "ab ", "'a ", "a\nb ", "é", "1", "\u{7}", "a: "] {
            let text: String = word.chars().cycle().take(length).collect();
            all.push(text.clone());
            all.push(format!("{text}."));
        }
    }
    all.sort();
    all.dedup();
    all
}

/// What our reader makes of a document, as JSON; `None` if it refuses it.
fn read_by_us(text: &str) -> Option<Value> {
    let package = Package::new().template("t.yml", text).format(Format::Json);
    serde_json::from_str(&package.output().values.ok()?).ok()
}

/// What PyYAML makes of a document, as JSON; `None` if it refuses it, or where there is no Python with PyYAML.
fn read_by_python(text: &str) -> Option<Value> {
    let program = "import json, sys, yaml\n\
                   loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)\n\
                   def keyed(v):\n  \
                     if isinstance(v, dict): return {str(k): keyed(v) for k, v in v.items()}\n  \
                     return [keyed(i) for i in v] if isinstance(v, list) else v\n\
                   source = sys.stdin.buffer.read().decode()\n\
                   sys.stdout.write(json.dumps(keyed(yaml.load(source, loader)), default=lambda v: {'read as': str(type(v))}))\n";
    let has_yaml = Command::new("python3").args(["-c", "import yaml"]).stderr(Stdio::null()).status();
    if !has_yaml.is_ok_and(|status| status.success()) {
        return None;
    }
    let mut child = Command::new("python3");
    child.args(["-c", program]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join();
    output.status.success().then(|| serde_json::from_slice(&output.stdout).ok()).flatten()
}

/// What a package of texts means, as JSON.
fn asked(texts: &[String]) -> Value {
    let values = texts.iter().enumerate().map(|(index, text)| (format!("k{index}"), json!(text)));
    let keys = texts.iter().enumerate().map(|(index, text)| {
        let value = match index % 4 {
            0 => json!("a"),
            1 => json!({"a": {"b": 1}, "c": 2}),
            2 => json!([["a"], {"b": 1, "c": 2}]),
            _ => json!([]),
        };
        json!({text: value, "after": 1})
    });
    let deeper = texts.iter().map(|text| json!([[text, {"a": {"b": [text, {"c": text, "d": 1}]}}]]));
    json!({
        "items": texts,
        "values": values.collect::<serde_json::Map<_, _>>(),
        "keys": keys.collect::<Vec<_>>(),
        "deeper": deeper.collect::<Vec<_>>(),
    })
}

/// The first texts that a reader does not read back, each with what was printed of it.
fn lost(texts: &[String], read: impl Fn(&str) -> Option<Value>) -> Vec<String> {
    let single = |text: &String| {
        let texts = std::slice::from_ref(text);
        let printed = package(texts).output().values.unwrap();
        let shown: String = printed.chars().take(400).collect();
        (read(&printed) != Some(asked(texts))).then(|| format!("{text:?}: {shown}"))
    };
    texts.iter().filter_map(single).take(3).collect()
}

#[test]
fn texts_are_read_back_by_two_readers() {
    let texts = texts();
    assert!(texts.len() >= 2_000, "{} texts", texts.len());
    let has_python = read_by_python("a: 1\n").is_some();
    if !has_python {
        println!("skipped: there is no Python with PyYAML");
    }
    for texts in texts.chunks(400) {
        let printed = package(texts).output().values.unwrap();
        if read_by_us(&printed).as_ref() != Some(&asked(texts)) {
            panic!("not read back: {:#?}", lost(texts, read_by_us));
        }
        if has_python && read_by_python(&printed).as_ref() != Some(&asked(texts)) {
            panic!("not read back by PyYAML: {:#?}", lost(texts, read_by_python));
        }
    }
}

/// How a text is printed as the value of a key.
fn printed(text: &str) -> String {
    let output = Package::new().template("t.yml", &format!("a: {}\n", written(text))).output();
    output.values.unwrap().strip_prefix("a: ").unwrap().strip_suffix('\n').unwrap().to_owned()
}

#[test]
fn a_text_is_plain_quoted_or_a_block_as_ytt_prints_it() {
    // What YAML 1.1 resolves to something else has double quotes: null, booleans, numbers, base 60, times.
    let resolved = [
        "",
        "~",
        "null",
        "y",
        "No",
        "on",
        "1",
        "-0",
        "+1",
        "017",
        "0o17",
        "0x1F",
        "0b1",
        "0b-1",
        "1_000",
        ".5",
        "1.",
        "1e3",
        "-.inf",
        ".nan",
        "12:30",
        "01:20",
        "1:20:30",
        "-190:20:30.15",
        "1_0:59",
        "2001-1-1",
        "2001-01-01",
        "2001-12-14t21:59:43.10-05:00",
        "2001-12-14 21:59:43.10",
        "2001-1-1T1:2:3Z",
        "9223372036854775808",
    ];
    for text in resolved {
        assert_eq!(printed(text), format!("\"{text}\""));
    }
    // All else that can be is plain.
    let plain = [
        "a",
        "a b",
        "a:b",
        "a#b",
        "-a",
        "?a",
        ":a",
        "a?",
        "a,b",
        "a]",
        "a'b",
        "a\"b",
        "a\\b",
        "nUll",
        "1:60",
        "1:2:3:a",
        "a:1",
        "1.5.2",
        "0x",
        "08k",
        "_1",
        "2001-13-1",
        "2001-2-30",
        "2001-01",
        ".5f",
        "é",
        "日本",
        "\u{a0}",
        "\u{e000}",
        "a---",
        "--",
        "..",
        "$(x)",
    ];
    for text in plain {
        assert_eq!(printed(text), text);
    }
    // What plain would mean otherwise has single quotes.
    let quoted = [
        "- a", "-", "?", ": a", "a: b", "a:", "a #b", "#a", ",a", "[a", "]a", "{a", "}a", "&a", "*a", "!a",
        "|a", ">a", "'a", "\"a", "%a", "@a", "`a", " a", "a ", " ", "---", "---a", "...", "...a",
    ];
    for text in quoted {
        assert_eq!(printed(text), format!("'{}'", text.replace('\'', "''")));
    }
    // A line break makes a block, unless it stands behind a blank, a blank ends the text, or a character needs an escape.
    for (text, block) in [
        ("a\nb", "|-\n  a\n  b"),
        ("a\n", "|\n  a"),
        ("a\n\n", "|+\n  a\n"),
        ("\n", "|2+\n"),
        ("\n\n", "|2+\n\n"),
        ("\na", "|2-\n\n  a"),
        (" a\nb\n", "|2\n   a\n  b"),
        ("a\n b", "|-\n  a\n   b"),
        ("head: \n  a: 1\n", "\"head: \\n  a: 1\\n\""),
        ("a\nb ", "\"a\\nb \""),
        ("a\tb", "\"a\\tb\""),
        ("a\r\nb", "\"a\\r\\nb\""),
        ("\u{0}\u{7}\u{8}\u{b}\u{c}\u{1b}\u{1}", "\"\\0\\a\\b\\v\\f\\e\\x01\""),
        ("\u{7f}\u{80}\u{85}", "\"\\x7F\\x80\\N\""),
        ("a\u{feff}", "\"a\\uFEFF\""),
        ("\u{feff}a b", "\"\\uFEFF\\x61\\x20\\x62\""),
        ("\u{fffe}\u{ffff}", "\"\\uFFFE\\uFFFF\""),
        ("😀", "\"\\U0001F600\""),
    ] {
        assert_eq!(printed(text), block);
    }
}

#[test]
fn what_another_reader_takes_for_something_else_has_quotes() {
    // ytt prints these plain, or with a line break that readers of YAML 1.1 see.
    for text in
        ["<<", "=", "1e400", "2001-13-01", "2001-12-14 21:59:43.10 -5", ".5_5", "0x1FFFFFFFFFFFFFFFFF", "0b_"]
    {
        assert_eq!(printed(text), format!("'{text}'"));
    }
    assert_eq!(printed("a\u{2028}b"), "\"a\\Lb\"");
}

#[test]
fn keys_that_are_long_or_have_line_breaks_are_explicit() {
    let of = |key: &str, value: &str| {
        let template = format!("? {}\n: {value}\nb: 1\n", written(key));
        Package::new().template("t.yml", &template).output().values.unwrap()
    };
    let long = "k".repeat(129);
    assert_eq!(of(&long, "1"), format!("? {long}\n: 1\nb: 1\n"));
    assert_eq!(of(&long, "{a: 1, c: {d: 2}}"), format!("? {long}\n: a: 1\n  c:\n    d: 2\nb: 1\n"));
    assert_eq!(of(&long, "[1, [2]]"), format!("? {long}\n: - 1\n  - - 2\nb: 1\n"));
    assert_eq!(of("a\nb", "1"), "? |-\n  a\n  b\n: 1\nb: 1\n");
    assert_eq!(of(&"k".repeat(128), "1"), format!("{}: 1\nb: 1\n", "k".repeat(128)));
    assert_eq!(of("a\tb", "1"), "\"a\\tb\": 1\nb: 1\n");
}

#[test]
fn numbers_are_printed_as_they_are_read() {
    let of = |text: &str, format: Format| {
        let output = Package::new().template("t.yml", &format!("a: {text}\n")).format(format).output();
        output.values.unwrap().trim_end().to_owned()
    };
    for (text, yaml, json) in [
        ("-9223372036854775808", "-9223372036854775808", "-9223372036854775808"),
        ("-9223372036854775809", "-9.223372036854776e+18", "-9223372036854776000"),
        ("-9223372036854775807", "-9223372036854775807", "-9223372036854775807"),
        ("18446744073709551615", "18446744073709551615", "18446744073709551615"),
        ("+18446744073709551615", "1.8446744073709552e+19", "18446744073709552000"),
        ("1e400", "'1e400'", "\"1e400\""),
        ("1e6", "1e+06", "1000000"),
        ("123456.5", "123456.5", "123456.5"),
        ("123456789.5", "1.234567895e+08", "123456789.5"),
        ("100000000000000000000", "1e+20", "100000000000000000000"),
        ("1e21", "1e+21", "1e+21"),
        ("0.0001", "0.0001", "0.0001"),
        ("0.00001", "1e-05", "0.00001"),
        ("1e-7", "1e-07", "1e-7"),
        ("5e-324", "5e-324", "5e-324"),
        ("-0.0", "-0", "-0"),
        ("08", "8", "8"),
        ("017", "15", "15"),
        ("0b-1", "-1", "-1"),
        (".5_5", "'.5_5'", "\".5_5\""),
        ("!!float 5", "5", "5"),
        ("!!str 5", "\"5\"", "\"5\""),
    ] {
        assert_eq!(of(text, Format::Yaml), format!("a: {yaml}"), "{text}");
        assert_eq!(of(text, Format::Json), format!("{{\"a\":{json}}}"), "{text}");
    }
}
