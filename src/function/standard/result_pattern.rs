//! Patterns of the results of functions, such as that of a digest.

use std::sync::OnceLock;

use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, canonical};

/// The pattern of all strings that a function returns. It is compiled when the first unknown result needs it.
#[derive(Debug)]
pub(super) struct ResultPattern {
    pattern: &'static str,
    refinement: OnceLock<Refinement>,
}

impl ResultPattern {
    /// The pattern with this regular expression.
    pub(super) const fn new(pattern: &'static str) -> ResultPattern {
        ResultPattern { pattern, refinement: OnceLock::new() }
    }

    /// The refinement that a string matches the pattern and is not null.
    pub(super) fn refinement(&self) -> &Refinement {
        // An invalid pattern would only lose precision. `unknown_results_match_the_pattern_of_all_results` in tests/functions finds it.
        let compiled = || Refinement::pattern(self.pattern).unwrap_or(Refinement::any()).and_not_null();
        self.refinement.get_or_init(compiled)
    }

    /// An unknown string that matches the pattern and is not null.
    pub(super) fn value(&self) -> Value {
        canonical(Type::String, self.refinement().clone())
    }

    /// As [`value`](Self::value), with a prefix that the string is known to have.
    pub(super) fn with_prefix(&self, prefix: &str) -> Value {
        let known = Refinement::prefix(prefix).and_not_null();
        let both = known.meet(self.refinement()).unwrap_or(known);
        canonical(Type::String, both)
    }
}
