//! Calls recorded from go-cty: where `regex` finds something, the rule passes, and where it refuses, the rule is none.

use plantime::rule::Pattern;
use serde_json::Value as Json;

#[test]
fn rules_agree_with_what_go_cty_recorded() {
    let (mut found, mut not_found, mut refused) = (0, 0, 0);
    for name in ["stdlib", "peer_stdlib"] {
        let path = format!("../shared/vectors/dev/{name}.jsonl.gz");
        // Where the recorded calls are not at hand, there is nothing to compare.
        let Ok(file) = std::fs::File::open(path) else { continue };
        let lines = crate::packed::text(file);
        for line in lines.lines().filter(|line| line.contains("\"regex")) {
            let case: Json = serde_json::from_str(line).unwrap();
            let argument = |at: usize| case["args"].get(at).and_then(|argument| argument["str"].as_str());
            let (pattern, text) = match case["fn"].as_str() {
                Some("regex" | "regexall") => (argument(0), argument(1)),
                Some("regexreplace" | "regex_replace") => (argument(1), argument(0)),
                _ => continue,
            };
            let Some(pattern) = pattern else { continue };
            let error = case["err"].as_str().unwrap_or_default();
            if error.contains("regexp") && !error.contains("cannot mix") {
                assert!(Pattern::new(pattern).unwrap_err().is_syntax(), "{line}");
                refused += 1;
            } else if error.starts_with("pattern did not match") {
                assert!(!super::is_match(pattern, text.unwrap()), "{line}");
                not_found += 1;
            } else if case["fn"] == "regex"
                && error.is_empty()
                && let Some(text) = text
            {
                assert!(super::is_match(pattern, text), "{line}");
                found += 1;
            }
        }
    }
    println!("{found} found, {not_found} not found, {refused} refused");
}
