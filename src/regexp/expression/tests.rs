use super::*;

/// A large expression, different for each number.
fn large(number: usize) -> String {
    format!("^{number}{}$", "[a-z]{0,1000}".repeat(9))
}

#[test]
fn what_is_evicted_is_compiled_again() {
    let expressions: Vec<Arc<Regexp>> = (0..60).map(|number| Regexp::new(&large(number)).unwrap()).collect();
    for _ in 0..2 {
        for (number, regexp) in expressions.iter().enumerate() {
            let engine = regexp.engine().unwrap();
            assert!(engine.is_match(&format!("{number}abc")) && !engine.is_match("abc"));
        }
    }
    let cached = expressions.iter().filter(|regexp| regexp.plain.get().is_some()).count();
    assert!(0 < cached && cached < expressions.len(), "{cached}");
}

#[test]
fn the_expression_of_a_function_is_cached_while_nobody_has_it() {
    let weak = Arc::downgrade(&Regexp::cached("^only cached$").unwrap());
    assert!(
        weak.upgrade().is_some_and(|regexp| Arc::ptr_eq(&regexp, &Regexp::new("^only cached$").unwrap()))
    );
    let weak = Arc::downgrade(&Regexp::new("^nobody has it$").unwrap());
    assert!(weak.upgrade().is_none());
}

/// An empty match of `\\B` inside a character is none, and does not hide the one behind it.
#[test]
fn a_match_behind_a_place_inside_a_character_is_found() {
    for text in ["K\u{212a}0", "K\u{17f}0", "a\u{e9}\u{e9}", "\u{212a}"] {
        for pattern in [r"(?:[\x{e9}-\x{1f600}]|\B)", r"\B", r"\B[\x{e9}-\x{1f600}]", r"\B0|\B"] {
            let regexp = Regexp::new(pattern).unwrap();
            let found = regexp.engine().unwrap().find(text).is_some();
            assert_eq!(regexp.is_match(text), found, "{pattern} {text:?}");
        }
    }
}

#[test]
fn an_engine_for_too_many_groups_is_not_made() {
    let regexp = Regexp::new(&"(a?)".repeat(5000)).unwrap();
    assert!(regexp.engine_with_groups().is_none() && regexp.engine().is_some());
    assert!(Regexp::new(&"(a?)".repeat(500)).unwrap().engine_with_groups().is_some());
}
