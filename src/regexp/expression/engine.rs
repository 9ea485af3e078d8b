//! Compiles a translated expression for the engine, the crate `regex-automata`.

use regex_automata::meta::Regex;
use regex_automata::nfa::thompson::WhichCaptures;
use regex_syntax::hir::Hir;

/// Compiles an engine that finds the position of a match, but not of its groups; `None` if it does not compile.
pub(super) fn without_groups(hir: &Hir) -> Option<Regex> {
    let config = Regex::config().which_captures(WhichCaptures::Implicit).nfa_size_limit(None);
    Regex::builder().configure(config).build_from_hir(hir).ok()
}

/// Compiles an engine that finds the groups too; `None` if it would be larger than 1 MiB.
pub(super) fn with_groups(hir: &Hir) -> Option<Regex> {
    let config =
        Regex::config().which_captures(WhichCaptures::All).nfa_size_limit(Some(crate::regexp::size::SIZE));
    Regex::builder().configure(config).build_from_hir(hir).ok()
}
