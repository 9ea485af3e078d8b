//! What all matches of a regular expression have in common.

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

use crate::language::{self, Language, TooLarge};
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::{Value, canonical};

/// The maximum depth of an expression whose groups are described: each level takes a stack frame.
const MAX_DEPTH: usize = 64;

/// The maximum number of groups that are described: each is compiled to an automaton.
const MAX_GROUPS: usize = 16;

/// The characters of an expression that is a class of characters, or one or more of them (`true`).
pub(super) fn class(hir: &Hir) -> Option<(Vec<(char, char)>, bool)> {
    let (class, in_runs) = match hir.kind() {
        HirKind::Repetition(Repetition { min: 1, max: None, greedy: true, sub }) => (&**sub, true),
        _ => (hir, false),
    };
    let ranges = match class.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            class.iter().map(|range| (range.start(), range.end())).collect()
        }
        HirKind::Literal(literal) => {
            let mut chars = std::str::from_utf8(&literal.0).ok()?.chars();
            let only = chars.next().filter(|_| chars.as_str().is_empty())?;
            vec![(only, only)]
        }
        HirKind::Capture(capture) if !in_runs => return self::class(&capture.sub),
        _ => return None,
    };
    Some((ranges, in_runs))
}

/// An unknown string for the whole match and for each group: in the language of its expression and, if that of the text is known, a
/// part of such a text. A group that some matches do without may be null. `None` if there are too many of them, or no match can be.
pub(super) fn groups(hir: &Hir, count: usize, text: Option<&Language>) -> Option<Vec<Value>> {
    if count > MAX_GROUPS {
        return None;
    }
    let mut found = vec![None; count.saturating_add(1)];
    let whole = plain(hir, true, 0, &mut found)?;
    if let Some(slot) = found.first_mut() {
        *slot = Some((whole, true));
    }
    let parts = text.map(|text| {
        let rests = hull(text.left_quotient(&Language::all()));
        hull(rests.right_quotient(&Language::all()))
    });
    let unknown = |group: Option<(Hir, bool)>| {
        // A group that the expression cannot reach is null in each match; nothing is said of it.
        let Some((expression, is_certain)) = group else { return Some(Value::unknown(Type::String)) };
        let exactly = Hir::concat(vec![Hir::look(Look::Start), expression, Hir::look(Look::End)]);
        let mut language = Language::from_hir(&exactly);
        if let Some(parts) = &parts {
            language = hull(language).meet(parts);
        }
        if language.as_ref().is_ok_and(Language::is_empty) {
            return (!is_certain).then(|| Value::unknown(Type::String));
        }
        let known = if is_certain { Refinement::not_null() } else { Refinement::any() };
        Some(canonical(Type::String, known.and_language(language)))
    };
    found.into_iter().map(unknown).collect()
}

/// The language, or the larger one in its place.
fn hull(made: language::Result) -> Language {
    made.unwrap_or_else(TooLarge::into_hull)
}

/// The expression without assertions and groups, which matches at least the same texts. Notes the expression of each group, and whether
/// each match has it. `None` if it is too deep.
fn plain(hir: &Hir, is_certain: bool, depth: usize, groups: &mut [Option<(Hir, bool)>]) -> Option<Hir> {
    if depth > MAX_DEPTH {
        return None;
    }
    let deeper = depth.saturating_add(1);
    Some(match hir.kind() {
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => hir.clone(),
        HirKind::Look(_) => Hir::empty(),
        HirKind::Capture(capture) => {
            let sub = plain(&capture.sub, is_certain, deeper, groups)?;
            let place = usize::try_from(capture.index).ok()?;
            if let Some(slot) = groups.get_mut(place) {
                *slot = Some((sub.clone(), is_certain));
            }
            sub
        }
        HirKind::Repetition(repetition) => {
            let sub = plain(&repetition.sub, is_certain && repetition.min > 0, deeper, groups)?;
            Hir::repetition(Repetition { sub: Box::new(sub), ..repetition.clone() })
        }
        HirKind::Concat(parts) => {
            let parts: Option<Vec<Hir>> =
                parts.iter().map(|part| plain(part, is_certain, deeper, groups)).collect();
            Hir::concat(parts?)
        }
        HirKind::Alternation(branches) => {
            let branches: Option<Vec<Hir>> =
                branches.iter().map(|branch| plain(branch, false, deeper, groups)).collect();
            Hir::alternation(branches?)
        }
    })
}
