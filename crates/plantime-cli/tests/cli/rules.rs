//! `plantime rules`.

use plantime::rule::keywords;
use serde_json::Value;

use crate::{Run, has};

fn rules(arguments: &[&str]) -> Run {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_plantime"));
    command.arg("rules").args(arguments).output().expect("the command runs").into()
}

#[test]
fn a_rule_is_told_by_its_name_or_an_alias() {
    let run = rules(&["min_len"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(
        run.out,
        "min_len\n  Characters or elements: at least so many.\n  \
         also            utf8_length_at_least, size_at_least\n  \
         framework       UTF8LengthAtLeast, UTF8LengthBetween, SizeAtLeast, SizeBetween\n  \
         sdk             MinItems\n  \
         ytt             min_len\n  \
         takes           a whole number that is not negative\n  \
         example         min_len = 3\n  \
         in words        has a length of at least 3\n  \
         on null         pass\n  \
         on unknown      undetermined: passes if n turns out to have a length of at least 3\n  \
         message         Attribute n string length must be at least 3, got: 0\n"
    );
    assert_eq!(rules(&["size_at_least"]).out, run.out);
}

#[test]
fn a_name_that_stands_for_others_says_for_which() {
    let run = rules(&["string_len_between"]);
    has(&run.out, "byte_len_between\n");
    has(&run.out, "  example         byte_len_between = [16, 24]\n");
    has(&run.out, "  short for       all(min_byte_len(16), max_byte_len(24))\n");
    has(&rules(&["value_strings_are"]).out, "  short for       at([*], starts_with(\"vpc-\"))\n");
}

#[test]
fn a_rule_is_told_in_markdown() {
    assert_eq!(
        rules(&["regex_matches", "--format", "markdown"]).out,
        "## `matches`\n\nThe string has a match of this regular expression.\n\n\
         ```hcl\nmatches = \"^vpc-[0-9a-f]+$\"\n```\n\n\
         - matches ^vpc-\\[0-9a-f\\]+$\n\n\
         | | |\n|---|---|\n\
         | also | `regex_matches`, `string_match` |\n\
         | framework | `RegexMatches` |\n\
         | sdk | `StringMatch`, `StringDoesNotMatch`, `StringDoesNotContainAny`, `StringIsWhiteSpace`, \
         `StringIsNotWhiteSpace`, `MapKeyMatch`, `MapValueMatch` |\n\
         | ytt | `matches` |\n\
         | takes | a regular expression, as a string |\n\
         | on null | pass |\n\
         | on unknown | undetermined: passes if n turns out to match ^vpc-\\[0-9a-f\\]+$ |\n\
         | message | Attribute n value must match regular expression '^vpc-\\[0-9a-f\\]+$', got: \"\" |\n"
    );
}

#[test]
fn all_rules_are_told_in_the_order_of_the_table() {
    let run = rules(&["--format", "json"]);
    let told: Value = serde_json::from_str(&run.out).expect("JSON");
    let names = told["rules"].as_array().expect("rules").iter().map(|rule| rule["name"].as_str());
    let names: Vec<&str> = names.map(|name| name.expect("a name")).collect();
    assert_eq!(told["rules"][0]["systems"]["framework"][0], "IsRequired");
    assert_eq!(names, keywords().iter().map(|keyword| keyword.name).collect::<Vec<_>>());
    let text = rules(&[]).out;
    for name in names {
        assert!(text.starts_with(&format!("{name}\n")) || text.contains(&format!("\n\n{name}\n")), "{name}");
    }
}

#[test]
fn a_name_that_is_none_gets_the_nearest() {
    let run = rules(&["start_with"]);
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    has(&run.err, "error: there is no rule \"start_with\"; did you mean \"starts_with\"?\n");
    assert_eq!(rules(&["min_len", "--format", "yaml"]).status, 2);
}

#[test]
fn a_rule_is_told_by_the_name_that_another_system_has_for_it() {
    let run = rules(&["IntBetween"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let named = |keyword: &&plantime::rule::Keyword| {
        let names = plantime::rule::System::ALL.iter().flat_map(|system| keyword.names_in(*system));
        names.into_iter().any(|name| *name == "IntBetween")
    };
    let expected: Vec<&str> = keywords().iter().filter(named).map(|keyword| keyword.name).collect();
    assert!(!expected.is_empty());
    for name in expected {
        has(&run.out, &rules(&[name]).out);
    }
    assert_eq!(rules(&["intbetween"]).out, run.out);
}

/// Those that the reader of rules files knows.
#[test]
fn every_word_of_the_language_is_explained() {
    for name in [
        "rule",
        "assume",
        "skip",
        "attribute",
        "change",
        "value",
        "when",
        "all",
        "any",
        "sequence",
        "not",
        "implies",
        "if",
        "then",
        "keys",
        "each",
        "resource",
        "output",
        "description",
        "severity",
        "id",
        "link",
        "tags",
        "owner",
        "ids",
        "until",
        "actions",
        "message",
        "null",
        "deny",
        "address",
        "reason",
        "force_new",
        "assumed",
    ] {
        for format in ["text", "markdown", "json"] {
            let run = rules(&[name, "--format", format]);
            assert_eq!((run.status, run.err.as_str()), (0, ""), "{name}");
            has(&run.out, name);
        }
    }
    assert_eq!(
        rules(&["reason"]).out,
        "reason\n  Why the rule is left out.\n  stands          in skip\n  example         reason = \"holds nothing\"\n"
    );
}

/// The examples of blocks are what the reader of rules files takes.
#[test]
fn the_examples_of_blocks_can_be_read() {
    for name in ["rule", "assume"] {
        let told: Value = serde_json::from_str(&rules(&[name, "--format", "json"]).out).expect("JSON");
        let example = told["words"][0]["example"].as_str().expect("an example");
        let read = plantime_terraform::plan::RulesFile::read(plantime::source::Source::new("f", example));
        assert!(read.is_ok(), "{example}: {read:?}");
    }
}

#[test]
fn what_a_sum_is_of_is_told_as_what_stands_beside_the_number() {
    has(&rules(&["at_least_sum_of"]).out, "  in words        is at least the sum of a + b beside it\n");
}
