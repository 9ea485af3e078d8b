//! The languages of the match of a regular expression and of each of its groups: the strings that these can be in any
//! text.

use regex_syntax::hir::{Hir, HirKind, Look, Repetition};

use crate::language::{Language, hull};

/// The maximum depth of an expression whose groups are described: each level takes a stack frame.
const MAX_DEPTH: usize = 64;

/// The maximum number of groups that are described: each is compiled to an automaton.
const MAX_GROUPS: usize = 16;

/// The strings that a match, or a group of one, can be.
pub(crate) struct GroupLanguage {
    /// A language that contains every string that the match or group can be; empty if no match has the group.
    pub(crate) language: Language,
    /// Whether the group takes part in every match; true for the match itself.
    pub(crate) is_certain: bool,
}

/// The languages of the whole match and of each of the `count` groups; `None` if there are more than [`MAX_GROUPS`], or
/// the expression is too deep.
pub(super) fn languages(hir: &Hir, count: usize) -> Option<Vec<GroupLanguage>> {
    if count > MAX_GROUPS {
        return None;
    }
    let mut found = vec![None; count.saturating_add(1)];
    let whole = plain(hir, true, 0, &mut found)?;
    if let Some(slot) = found.first_mut() {
        *slot = Some((whole, true));
    }
    let languages = found.into_iter().map(|group| match group {
        Some((expression, is_certain)) => {
            let exactly = Hir::concat(vec![Hir::look(Look::Start), expression, Hir::look(Look::End)]);
            let language = hull(Language::from_hir(&exactly));
            GroupLanguage { language, is_certain }
        }
        None => GroupLanguage { language: Language::empty(), is_certain: false },
    });
    Some(languages.collect())
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
