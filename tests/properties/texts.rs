//! What is written reads as the same; arithmetic is exact.

use plantime::sample::Size;
use plantime::strategy::{constraint, number, path, refinement, text, ty};
use plantime::{Refinement, Value};
use proptest::prelude::any;

use crate::checks::{laws, texts};
use crate::law;

#[test]
fn types_and_constraints_read_as_they_are_written() {
    law(512, &(ty(Size::LARGE, true), constraint(Size::LARGE)), |(ty, constraint)| {
        texts::types(&ty);
        texts::constraints(&constraint);
    });
    law(
        512,
        &(ty(Size::default(), true), ty(Size::default(), true), ty(Size::default(), true)),
        |(a, b, c)| {
            laws::ordered(&a, &b);
            laws::transitive(&a, &b, &c);
            assert!(!a.covers(&b) || a.compatible(&b));
            assert_eq!(a.compatible(&b), b.compatible(&a));
        },
    );
}

#[test]
fn paths_read_as_they_are_written() {
    let size = Size { depth: 20, ..Size::default() };
    law(512, &(path(size), path(size)), |(a, b)| {
        texts::paths(&a);
        laws::ordered(&a, &b);
        let joined = a.clone().join(&b);
        assert!(joined.starts_with(&a) && joined.len() == a.len() + b.len());
    });
}

#[test]
fn refinements_read_as_they_are_written() {
    law(512, &refinement(), |refinement| {
        assert_eq!(refinement.to_string().parse::<Refinement>().unwrap(), refinement);
    });
}

#[test]
fn arithmetic_is_exact() {
    law(512, &(number(), number(), number()), |(a, b, c)| {
        texts::arithmetic(&a, &b);
        laws::transitive(&a, &b, &c);
    });
}

/// Nothing that reads text panics, whatever the text.
#[test]
fn every_text_has_an_answer() {
    law(512, &(text(Size::LARGE), any::<String>()), |(a, b)| {
        for text in [a, b] {
            texts::number(&text);
            texts::ty(&text);
            texts::path(&text);
            crate::checks::rules::file(&text);
            // Text is what it was written as, in normal form.
            let value = Value::from(text.as_str());
            assert_eq!(value.as_str().unwrap(), plantime::text::nfc(&text));
        }
    });
}
