//! Regular expressions in what is read: a short one may compile to a megabyte.

use plantime::json;
use plantime::rule::{Pattern, Rule};
use plantime::source::Source;
use plantime_terraform::plan::{Obligations, RulesFile};

use crate::{INPUT, alone, in_proportion, measured};

fn repeated(unit: &str, bytes: usize) -> String {
    unit.repeat(bytes / unit.len())
}

/// Patterns that compile to much, are too large, or have large trees.
fn patterns() -> Vec<String> {
    let short = [
        // The fuzz target `plan_json` found this one.
        "#[za-][a-z0-9-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaeaaaaaaaaaaaaaaaaa]{4381}$",
        "[a-z]{4000}",
        "[a-z]{1000}[a-z]{1000}[a-z]{1000}",
        "(?:a{40}){25}",
        ".{1,1000}",
        r"\pL{57}",
        r"(?i)[\pL\W]{50}",
        r"\w{57}",
        r"\w{60}",
        r"^[\w+=,.@-]{1,50}$",
        r"(?i)[\w.]{50}",
        r"(?i:\p{any}){100}",
        r"\W\pL\PL\p{Greek}\d\D\s\S",
        r"(\w{1000}){1000}",
        r"(?:\w{1000}){0}",
        "(",
        r"\p{none}",
        "",
    ];
    let mut patterns: Vec<String> = short.map(str::to_owned).into();
    let units = [
        "a",
        "a|",
        "()",
        "(?:a)",
        "a*",
        "a*?",
        "a{2}",
        "||",
        "^",
        r"\b",
        ".",
        "é",
        "(?i)",
        r"\w",
        r"\W",
        r"\pL",
        "(?i:k)",
        "(?i:é)",
        r"\x{e9}",
        "a{0}",
        r"\w{0}",
        r"(?i:\pL{0})",
        "[a]",
        "[^a]",
        "(?x: )",
    ];
    for unit in units {
        // One more than a power of two leaves as much room as can be.
        patterns.extend([2049, INPUT / 2 + 1, INPUT].map(|bytes| repeated(unit, bytes)));
    }
    for unit in ["a", "é", r"\w", r"\pL", "a-z", "[a]", "[^a]", "[:alpha:]", r"\x{4e00}-\x{9fff}", "[a&&b]"]
    {
        let texts = [2049, 4090, 4097, INPUT].map(|bytes| repeated(unit, bytes));
        patterns.extend(texts.map(|text| format!("[{text}]")));
        patterns.push(format!("(?i)[{}]", repeated(unit, 4090)));
    }
    for open in ["[]", "[^]", "(?x)[# ]\n", "(?x)[ ]", "[a]["] {
        patterns.push(format!("{open}{}]", repeated("a", 1 << 14)));
    }
    let brackets = "[".repeat(200) + "a" + &"]".repeat(200);
    let groups = "(".repeat(200) + "a" + &")".repeat(200);
    patterns.extend([repeated(&brackets, INPUT), repeated(&groups, INPUT), brackets]);
    patterns.extend([" ", "#\n"].map(|unit| format!("(?x){}a", repeated(unit, INPUT))));
    patterns
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn obligations(patterns: &[&str]) -> String {
    let one = |pattern: &&str| {
        format!(
            "{{\"address\":\"a.b\",\"claim\":\"\",\"must\":{{\"matches\":{}}},\"passes_if\":\"\",\"path\":\"c\",\
             \"position\":{{\"column\":1,\"line\":1}},\"rule\":\"r\",\"severity\":\"error\",\"waits_for\":[]}}",
            quoted(pattern)
        )
    };
    let obligations = patterns.iter().map(one).collect::<Vec<_>>().join(",");
    let head = "\"format_version\":\"1.0\",\"plan\":\"p\",\"rules\":\"r\",\"sha256\":\"\"";
    format!("{{{head},\"obligations\":[{obligations}]}}")
}

fn rules(patterns: &[&str]) -> String {
    let attributes = patterns.iter().enumerate();
    let attributes = attributes.map(|(i, p)| format!("attribute \"c{i}\" {{ matches = {} }}\n", quoted(p)));
    format!("rule \"r\" {{\n resource = \"a.b\"\n{}}}\n", attributes.collect::<String>())
}

fn form(patterns: &[&str]) -> String {
    let parts: Vec<String> = patterns.iter().map(|p| format!("{{\"matches\":{}}}", quoted(p))).collect();
    format!("{{\"all\":[{}]}}", parts.join(","))
}

#[test]
fn documents_of_patterns_are_read() {
    let _alone = alone();
    let texts: Vec<String> = (0..300).map(|i| format!("^{i}-{}$", "[a-z]{0,1000}".repeat(9))).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let read = Obligations::read(obligations(&texts).as_bytes()).unwrap();
    assert_eq!(read.obligations.len(), 300);
    assert!(RulesFile::read(Source::new("r.hcl", rules(&texts))).is_ok());
    assert!(Rule::from_form(&json::from_slice(form(&texts).as_bytes()).unwrap()).is_ok());
    let error = Obligations::read(obligations(&["a", "(", "b"]).as_bytes()).unwrap_err().to_string();
    let start = "obligations[1].must.matches: invalid regular expression: missing closing ): `(` at line 1";
    assert!(error.starts_with(start), "{error}");
}

#[test]
fn patterns_are_read_in_proportion() {
    let _alone = alone();
    for pattern in patterns() {
        // Once, and where it is short as often as fits, each time another one, so that none is shared.
        let counts = if pattern.len() < 200 { vec![1, INPUT / (pattern.len() + 200)] } else { vec![1] };
        for count in counts {
            let all: Vec<String> = (0..count).map(|i| format!("{pattern}{i}")).collect();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            let start: String = pattern.chars().take(40).collect();
            let what = |what: &str| format!("{what} with {count} times {start}");
            let text = obligations(&all);
            in_proportion(&what("obligations"), text.as_bytes(), || Obligations::read(text.as_bytes()));
            let text = rules(&all);
            in_proportion(&what("rules"), text.as_bytes(), || {
                RulesFile::read(Source::new("r.hcl", text.clone())).map_err(|problems| problems.len())
            });
            let text = form(&all);
            in_proportion(&what("a form"), text.as_bytes(), || {
                json::from_slice(text.as_bytes()).and_then(|form| Rule::from_form(&form))
            });
        }
    }
}

/// What is compiled when patterns are asked is kept within 64 MiB.
#[test]
fn what_patterns_compile_to_is_kept_within_limits() {
    let _alone = alone();
    let patterns: Vec<Pattern> =
        (0..30).map(|i| Pattern::new(&format!("^{i}{}$", "[a-z]{0,1000}".repeat(12))).unwrap()).collect();
    let (answers, live, _) = measured(|| {
        let twice = patterns.iter().chain(patterns.iter().take(2));
        twice.filter(|pattern| pattern.is_match("7abc")).count()
    });
    println!("{live} bytes are kept");
    assert_eq!(answers, 1);
    assert!((16 << 20..80 << 20).contains(&live), "{live} bytes");
}
