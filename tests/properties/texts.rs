//! What is written reads as the same; arithmetic is exact.

use plantime::sample::Size;
use plantime::strategy::{
    concrete, constraint, mark, marked, number, path, refinement, rule_for, text, ty, value,
};
use plantime::{Refinement, Value};
use proptest::prelude::{Strategy, any};

use crate::checks::{laws, serial, texts};
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
fn the_self_describing_form_reads_as_it_is_written() {
    let marked = value(Size::default()).prop_flat_map(marked);
    law(512, &(value(Size::LARGE), concrete(Size::LARGE), marked), |(value, concrete, marked)| {
        for value in [value, concrete, marked] {
            serial::value(&value);
        }
    });
    law(512, &(path(Size::default()), refinement(), number(), mark()), |(path, refinement, number, mark)| {
        serial::round_trip(&refinement);
        serial::round_trip(&number);
        serial::round_trip(&mark);
        if serde_json::to_string(&path).is_ok() {
            serial::round_trip(&path);
        }
    });
    law(512, &ty(Size::default(), true).prop_flat_map(|ty| rule_for(ty, Size::default())), |rule| {
        serial::rule(&rule);
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
            // Text is what it was written as, in normal form.
            let value = Value::from(text.as_str());
            assert_eq!(value.as_str().unwrap(), plantime::text::nfc(&text));
        }
    });
}
