//! The hull is sound, monotone and idempotent, and always fits.

use super::super::hull::{LENGTH, PREFIX, SUFFIX};
use super::{Language, Random, pattern, strings};

#[test]
fn hulls_are_sound_monotone_and_idempotent() {
    let mut random = Random(6);
    for _ in 0..1500 {
        let (a, b) = (random.language(), random.language());
        let (hull, both) = (a.hull(), a.join(&b).unwrap());
        assert!(a.is_subset(&hull), "{a:?}");
        assert_eq!(hull.hull(), hull, "{a:?}");
        assert!(hull.is_subset(&both.hull()), "{a:?} {b:?}");
        assert!(a.meet(&b).unwrap().hull().is_subset(&hull));
    }
}

#[test]
fn the_hull_of_literals_is_that_of_their_language() {
    let mut random = Random(9);
    let all = strings(&['a', 'b', 'é', '/'], 4);
    for _ in 0..500 {
        let count = random.below(4) + 1;
        let chosen: Vec<&str> = (0..count)
            .map(|_| all[usize::try_from(random.below(all.len() as u64)).unwrap()].as_str())
            .collect();
        let language = Language::one_of(&chosen).unwrap();
        let parts = chosen.iter().map(|text| super::super::hull::HullDescription::of_literal(text));
        let joined = parts.reduce(|all, one| all.join(&one)).unwrap();
        assert_eq!(joined, super::super::hull::HullDescription::of(&language), "{chosen:?}");
    }
}

#[test]
fn the_parts_are_the_best_within_their_bounds() {
    let hull = |text: &str| pattern(text).unwrap().hull();
    assert_eq!(hull("^ab[0-9]{3}xyz$"), pattern("^ab[0-9abxyz]{3}xyz$").unwrap());
    assert_eq!(hull("^[a-z]*$"), pattern("^[a-z]*$").unwrap());
    assert_eq!(hull("^é?$"), pattern("^[^\\x00-\\x7f]?$").unwrap());
    assert!(hull("db").is_subset(&pattern("(?s)^..").unwrap()));
    assert_eq!(Language::empty().hull(), Language::empty());
    assert_eq!(Language::all().hull(), Language::all());
}

#[test]
fn the_largest_hulls_fit() {
    // Many classes: each character of the prefix is another one.
    let distinct: String = (0..PREFIX).filter_map(|at| char::from_u32(0x4e00 + 2 * at as u32)).collect();
    let ascii: String = (0x21..0x7f_u8).map(char::from).collect();
    let ends = ["", "abcd", "aaaa", "abab", "日本語字", "aabc"];
    let most = LENGTH as usize;
    for prefix in ["", "a", &ascii[..47], &ascii[..48], &ascii, &distinct, &distinct[..most * 3]] {
        for suffix in ends {
            assert!(suffix.chars().count() <= SUFFIX);
            for lengths in
                [(0, None), (0, Some(LENGTH)), (LENGTH, None), (LENGTH, Some(LENGTH)), (24, Some(47))]
            {
                for class in ["", "[\\x00-\\x7f]*", "[!#%')+\\-/13579a-z]*", "[^a]*"] {
                    let parts = [
                        Language::prefix(prefix).unwrap(),
                        Language::suffix(suffix).unwrap(),
                        Language::lengths(lengths.0, lengths.1).unwrap(),
                        pattern(&if class.is_empty() { String::new() } else { format!("^{class}$") })
                            .unwrap(),
                    ];
                    let met = parts.iter().try_fold(Language::all(), |all, part| all.meet(part));
                    let met = met.unwrap_or_else(|_| panic!("{prefix} {suffix} {lengths:?} {class}"));
                    assert!(met.states() <= 250, "{}", met.states());
                }
            }
        }
    }
}

#[test]
fn hulls_of_usual_patterns_are_monotone() {
    let texts = [
        "",
        "^a{10,60}$",
        "^a{5,}$",
        "^a{20,40}$",
        "^[ab]{49}$",
        "^[ab]{48}$",
        "^ab.*yz$",
        "^abc.*xyz$",
        "^abc[a-z]{3}xyz$",
        "é$",
        "^\\pL*é$",
        "^[a-z]*$",
        "^[a-f]+$",
        "abc",
        "^x{120}",
        "^x{112}",
        "^x{100}$",
        "^x{200}$",
        "^(?:dev|prod)$",
        "^(?:dev|prod|x+)$",
        "^.{0,48}$",
        "^.{0,49}$",
        "^(?s:.){48,}$",
    ];
    let languages = texts.map(|text| pattern(text).unwrap());
    let mut count = 0;
    for a in &languages {
        let hull = a.hull();
        assert!(a.is_subset(&hull) && hull.hull() == hull, "{a:?}");
        for b in &languages {
            if a.is_subset(b) {
                count += 1;
                assert!(hull.is_subset(&b.hull()), "{a:?} {b:?}");
            }
        }
    }
    println!("{count} inclusions");
}

#[test]
fn the_hull_of_a_union_is_that_of_the_parts() {
    use super::super::hull::HullDescription;
    let mut random = Random(11);
    for _ in 0..1000 {
        let (a, b) = (random.language(), random.language());
        let joined = HullDescription::of(&a).join(&HullDescription::of(&b));
        assert_eq!(joined, HullDescription::of(&a.join(&b).unwrap()), "{a:?} {b:?}");
        // What stands in for a meet that takes too long contains it.
        let met = HullDescription::of(&a).meet(&HullDescription::of(&b)).language();
        assert!(a.meet(&b).unwrap().is_subset(&met), "{a:?} {b:?}");
    }
}
