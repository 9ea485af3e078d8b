//! Printed expressions read back to the same language.

use super::{Language, Random, pattern};

fn printed(language: &Language) -> String {
    language.to_regex().unwrap()
}

#[test]
fn printed_expressions_read_back() {
    let mut random = Random(5);
    let (mut count, mut none) = (0, 0);
    for _ in 0..3000 {
        let mut language = random.language();
        if random.below(2) == 0 {
            language = language.meet(&random.language()).unwrap();
        }
        if random.below(4) == 0 {
            language = language.complement();
        }
        count += 1;
        match language.to_regex() {
            Some(text) => assert_eq!(pattern(&text).unwrap(), language, "{text}"),
            None => none += 1,
        }
    }
    println!("{none} of {count} not printed");
    assert!(none * 50 < count);
}

#[test]
fn usual_patterns_are_printed_as_they_are_written() {
    for text in [
        "^vpc-[0-9a-f]{17}$",
        "^vpc-",
        "\\.com$",
        "^a$",
        "^(?:dev|prod|staging)$",
        "^[a-z][0-9a-z]*$",
        "^[0-9]{1,3}$",
        "^ab?c{2,}$",
        "^[A-Za-z_]{1,63}$",
        "^(?:ab)+$",
        "^a(?s:.)*b$",
        "^.*$",
        "^(?:sg|subnet|vpc)-[0-9a-f]{8}$",
        "db",
        "^arn:aws:iam::[0-9]{12}:role/",
        "^[^/]+$",
        "^é\\x{301}?$",
        "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
        "",
        "^$",
        "^[0-9]+(?:\\.[0-9]+){2}$",
        "^(?:[0-9]{1,3}\\.){3}[0-9]{1,3}$",
        "^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$",
    ] {
        let language = pattern(text).unwrap();
        let printed = printed(&language);
        assert_eq!(pattern(&printed).unwrap(), language, "{text} as {printed}");
        println!("{} {text:50} {printed}", if text == printed { "=" } else { " " });
    }
    assert_eq!(printed(&pattern("^vpc-[0-9a-f]{17}$").unwrap()), "^vpc-[0-9a-f]{17}$");
    assert_eq!(printed(&Language::empty()), r"[^\x00-\x{10FFFF}]");
}
