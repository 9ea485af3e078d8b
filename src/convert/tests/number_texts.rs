//! Texts of numbers that are not known, and numbers of texts that are not.

use super::super::number_text::{numbers_with_prefix, shared_prefix};
use super::*;

/// For each two bounds over a grid, every number of the grid between them starts with the text.
#[test]
fn text_of_a_range_starts_the_text_of_each_number_in_it() {
    let grid = [
        "-200", "-199.5", "-10", "-1.25", "-1.2", "-1", "-0.05", "0", "0.05", "0.5", "1", "1.2", "1.25",
        "1.29", "9.99", "10", "10.5", "99", "100", "120", "129", "199.99", "200",
    ];
    let numbers: Vec<crate::Number> = grid.iter().map(|text| text.parse().unwrap()).collect();
    let between =
        |a: &crate::Number, b: &crate::Number| a.add(b).unwrap().multiply(&"0.5".parse().unwrap()).unwrap();
    let mut tried: Vec<crate::Number> = numbers.clone();
    tried.extend(numbers.windows(2).map(|pair| between(&pair[0], &pair[1])));
    let bounds =
        |number: &crate::Number| [Bound::Inclusive(number.clone()), Bound::Exclusive(number.clone())];
    for low in &numbers {
        for high in &numbers {
            for (low, high) in bounds(low).into_iter().flat_map(|l| bounds(high).map(|h| (l.clone(), h))) {
                let Ok(range) = NumberRange::new(low, high) else { continue };
                let text = shared_prefix(&range);
                for number in tried.iter().filter(|number| range.contains(number)) {
                    assert!(number.to_string().starts_with(&text), "{range:?}: {text} and {number}");
                }
            }
        }
    }
    let range = |low: &str, high: &str| {
        NumberRange::new(Bound::Inclusive(low.parse().unwrap()), Bound::Exclusive(high.parse().unwrap()))
            .unwrap()
    };
    assert_eq!(shared_prefix(&range("100", "200")), "1");
    assert_eq!(shared_prefix(&range("1.25", "1.29")), "1.2");
    assert_eq!(shared_prefix(&range("-129", "-120")), "-12");
}

#[test]
fn numbers_of_a_prefix_hold_each_number_whose_text_starts_so() {
    let texts = [
        "0", "-0", "1", "-1", "12", "+5", ".5", "5.", "-0.5", "1e3", "1E-3", "-2.5e+2", "0e9", "inf", "-Inf",
        "+inf", "1e10", "00.10",
    ];
    for text in texts {
        let number: crate::Number = text.parse().unwrap();
        for end in 1..=text.len() {
            let range = numbers_with_prefix(&text[..end])
                .unwrap_or_else(|| panic!("{text} starts with {}", &text[..end]));
            assert!(range.contains(&number), "{}: {range:?} and {text}", &text[..end]);
        }
    }
    for prefix in ["a", "--", "1a", "1.2.", "e", ".e", "1ee", "infx", "iN", "0x", " ", "1e+-", "+-"] {
        assert_eq!(numbers_with_prefix(prefix), None, "{prefix}");
    }
}
