//! Hostile inputs stay within bounds of time and size.

use std::time::{Duration, Instant};

use super::super::{BYTES, Result, STATES};
use super::{Language, pattern};

/// The longest time that any single operation may take, unoptimised and on a busy machine.
const PATIENCE: Duration = Duration::from_secs(3);

fn within<T>(what: &str, operation: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = operation();
    let time = start.elapsed();
    println!("{:9.3} ms  {what}", time.as_secs_f64() * 1e3);
    assert!(time < PATIENCE, "{what}: {time:?}");
    result
}

fn either(result: Result) -> (Language, bool) {
    let is_exact = result.is_ok();
    let language = result.unwrap_or_else(super::super::TooLarge::into_hull);
    assert!(language.states() <= STATES && language.size() <= BYTES);
    (language, is_exact)
}

#[test]
fn hostile_patterns_end_early() {
    for text in [
        "(a|aa)*b.{1000}",
        "^(a|aa)*b.{1000}$",
        "^(?:a|b)*a(?:a|b){200}$",
        "^(?:(?:a?){30}){30}$",
        "^(?:(?:a*)*)*b$",
        "^\\pL{100}$",
        "\\pL{200}",
        "^(?:\\pL|\\pN)*\\pL{20}$",
        "^.{1000}$",
        "(?:.*a.*b.*c.*d.*e.*f){20}",
        "^(?:a{1000})*$",
        "^(?:x{0,30}){30}$",
        "(?:^|a)(?:\\b.\\B|$){200}",
        "^(?:[a-m]|[g-z]|[c-w]){60}[ac]{3}(?:.[^b]|[bc].){40}$",
        "(?i)(?:abcdefghij|klmnopqrst|uvwxyz){50}",
        "^(?:[^a]*a){100}$",
        "^(?:a|b|c|d|e|f|g)*(?:ab|cd|ef).{14}$",
    ] {
        let (language, is_exact) = within(text, || either(pattern(text)));
        println!("              exact: {is_exact}, {} states", language.states());
        within("... printed", || language.to_regex().map(|text| text.len()));
        within("... examples", || language.examples(3));
    }
}

/// The id of a rule of `azurerm`, of which the names in it are known: its automaton has as many states as the names together, and
/// an expression for it is longer than all limits.
#[test]
fn a_pattern_that_contains_names_is_printed_soon() {
    let hex = "[0-9a-fA-F]";
    let uuid = format!("{hex}{{8}}-{hex}{{4}}-{hex}{{4}}-{hex}{{4}}-{hex}{{12}}");
    let text = format!(
        "^/subscriptions/{uuid}/resourceGroups/[^/]+/providers/Microsoft\\.Network/networkSecurityGroups/[^/]+/securityRules/[^/]+$"
    );
    let mut language = pattern(&text).unwrap();
    for name in ["pass", "test", "a-name-that-is-long", "nnnnnnnn"] {
        let containing = Language::containing(name).unwrap();
        language = within(name, || either(language.meet(&containing))).0;
        within("... printed", || language.to_regex().map(|text| text.len()));
        within("... examples", || language.examples(3));
        within("... hull", || language.hull());
    }
}

#[test]
fn long_patterns_end_early() {
    for length in [4_000_usize, 8_000, 16_000] {
        let letters: String = ('a'..='z').cycle().take(length).collect();
        let words: String = ["lorem", "ipsum", "dolor"].iter().cycle().take(length / 5).copied().collect();
        for text in [
            format!("^{letters}$"),
            letters.clone(),
            format!("{words}$"),
            "a".repeat(length),
            "[ab]".repeat(length / 4),
            format!("(?:{})", "ab|".repeat(length / 3)),
        ] {
            let (language, _) = within(&text[..8], || either(pattern(&text)));
            within("... meets a prefix", || either(language.meet(&Language::prefix("abc").unwrap())));
        }
    }
}

#[test]
fn ten_thousand_literals_stay_bounded() {
    let random = |n: u64| format!("{:x}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let many: Vec<String> = (0..10_000).map(random).collect();
    let (language, is_exact) = within("10,000 random literals", || either(Language::one_of(&many)));
    assert!(!is_exact && many.iter().all(|text| language.contains(text)));
    let numbers: Vec<String> = (0..10_000).map(|n| format!("name-{n:04}")).collect();
    let (language, is_exact) = within("10,000 numbered names", || either(Language::one_of(&numbers)));
    assert!(is_exact);
    assert_eq!(language.to_regex().as_deref(), Some("^name-[0-9]{4}$"));
    let long: Vec<String> = (0..1000).map(|n| format!("{n}{}", "x".repeat(10_000))).collect();
    within("1,000 literals of 10,000 characters", || either(Language::one_of(&long)));
}

#[test]
fn loops_stay_bounded() {
    let part = pattern("^[a-z]+-(?:x|yy)$").unwrap();
    let mut all = part.clone();
    within("100 concatenations", || {
        for _ in 0..100 {
            all = either(all.concat(&part)).0;
        }
    });
    let mut all = Language::empty();
    within("500 unions", || {
        for n in 0..500_u64 {
            all = either(all.join(&Language::literal(&n.wrapping_mul(0x9e37_79b9).to_string()).unwrap())).0;
        }
    });
}

#[test]
fn products_of_large_languages_stay_bounded() {
    let large: Vec<Language> = [
        "^(?:[a-c]{7})*[b-d]{0,100}$",
        "^(?:[ab]{251})*$",
        "^(?:[bc]{241})*$",
        "^.{3,250}$",
        "^(?:[^a]{127}a)*$",
        "\\pL{3}\\pN{4}",
        "^(?:(?:0|1)*1(?:0|1){6})$",
    ]
    .into_iter()
    .map(|text| either(pattern(text)).0)
    .collect();
    for a in &large {
        let of_a = a.examples(3);
        for b in &large {
            // What is too large is larger, not wrong.
            let (met, joined, rest) = (either(a.meet(b)).0, either(a.join(b)).0, either(a.difference(b)).0);
            let (concatenated, left, right) =
                (either(a.concat(b)).0, either(a.left_quotient(b)).0, either(a.right_quotient(b)).0);
            for (x, y) in of_a.iter().flat_map(|x| b.examples(3).into_iter().map(move |y| (x, y))) {
                assert!(joined.contains(x) && joined.contains(&y));
                assert!(if b.contains(x) { met.contains(x) } else { rest.contains(x) });
                let both = format!("{x}{y}");
                assert!(concatenated.contains(&both));
                assert!(!b.contains(&both) || either(b.left_quotient(a)).0.contains(&y));
                assert!(!a.contains(&both) || right.contains(x));
                for (at, _) in x.char_indices() {
                    assert!(!b.contains(&x[..at]) || left.contains(&x[at..]));
                }
            }
            within("meet", || either(a.meet(b)));
            within("join", || either(a.join(b)));
            within("difference", || either(a.difference(b)));
            within("inclusion", || a.is_subset(b));
            within("disjointness", || a.is_disjoint(b));
            within("concat", || either(a.concat(b)));
            within("left quotient", || either(a.left_quotient(b)));
            within("right quotient", || either(a.right_quotient(b)));
            within("concat_nfc", || either(a.concat_nfc(b)));
        }
        let reversed = within("reverse", || either(a.reverse())).0;
        assert!(
            of_a.iter()
                .all(|x| reversed.contains(&x.chars().rev().collect::<String>()) && a.hull().contains(x))
        );
        within("star", || either(a.star()));
        within("printed", || a.to_regex().map(|text| text.len()));
        within("hull", || a.hull());
    }
}

#[test]
fn maps_of_unicode_stay_bounded() {
    let upper = within("the map to upper case", || {
        super::super::CharMap::from_fn(|c| {
            let mut mapped = c.to_uppercase();
            mapped.next().filter(|image| *image != c && mapped.next().is_none()).map(|c| c.to_string())
        })
    });
    for text in ["", "^straße", "^\\pL{5}$", "^.{1,63}$", "^vpc-[0-9a-f]{17}$", "\\pL{3}\\pN{4}"] {
        let language = pattern(text).unwrap();
        let (mapped, is_exact) = within(text, || either(language.map(&upper)));
        println!("              exact: {is_exact}, {} states, {} bytes", mapped.states(), mapped.size());
        for example in language.examples(3) {
            let image = example.chars().map(|c| {
                let mut mapped = c.to_uppercase();
                mapped.next().filter(|_| mapped.next().is_none()).unwrap_or(c)
            });
            assert!(mapped.contains(&image.collect::<String>()));
        }
    }
}
