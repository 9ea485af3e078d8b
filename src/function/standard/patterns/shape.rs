//! What all matches of a regular expression have in common.

use regex_syntax::hir::{Class, Hir, HirKind, Repetition};

use crate::language::{Language, hull};
use crate::refinement::Refinement;
use crate::regexp::GroupLanguage;
use crate::types::Type;
use crate::value::{Value, canonical};

/// If the expression is only a class of characters, or one or more of them: the characters, and whether a match is a
/// longest run of them (`true`) or a single one. `None` for other expressions.
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

/// For the whole match and for each group an unknown string of its language; with `text`, the language of the searched
/// text, also a part of such a text. A group that takes no part in some matches may be null. `None` if a part that
/// every match has can be no string: then there is no match.
pub(super) fn groups(languages: &[GroupLanguage], text: Option<&Language>) -> Option<Vec<Value>> {
    let parts = text.map(|text| {
        let rests = hull(text.left_quotient(&Language::all()));
        hull(rests.right_quotient(&Language::all()))
    });
    let unknown = |group: &GroupLanguage| {
        let language = match &parts {
            Some(parts) => group.language.meet(parts),
            None => Ok(group.language.clone()),
        };
        if language.as_ref().is_ok_and(Language::is_empty) {
            // Such a group is null in each match; nothing is said of it.
            return (!group.is_certain).then(|| Value::unknown(Type::String));
        }
        let known = if group.is_certain { Refinement::not_null() } else { Refinement::any() };
        Some(canonical(Type::String, known.and_language(language)))
    };
    languages.iter().map(unknown).collect()
}
