//! Texts.

use plantime::sample::Size;
use plantime::strategy::text;
use proptest::prelude::any;

use crate::{checks, law};

/// No rules file panics, whatever its text.
#[test]
fn every_rules_file_has_an_answer() {
    law(512, &(text(Size::LARGE), any::<String>()), |(a, b)| {
        checks::rules_file::file(&a);
        checks::rules_file::file(&b);
    });
}
