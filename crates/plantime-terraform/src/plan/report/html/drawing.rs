//! A small drawing of how unknown values and the rules that wait for them hang together.

use std::collections::BTreeMap;

use super::super::decision::OpenGroup;
use super::super::render::push_html;

/// The number of unknown values and of rules that are drawn.
const DRAWN: usize = 8;

/// The height of a row, and the number of characters of a name that are drawn.
const ROW: usize = 24;
const NAME: usize = 40;

/// Adds the drawing: unknown values on the left, rules on the right, a line where a rule waits for a value, the wider the more
/// answers. Nothing where a line of text says as much: with one value and one rule.
pub(super) fn push_drawing(out: &mut String, groups: &[OpenGroup<'_>]) {
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    let drawn = groups.get(..DRAWN).unwrap_or(groups);
    for (_, _, answer, _) in drawn.iter().flat_map(|group| &group.answers) {
        let count = rules.entry(&answer.rule).or_default();
        *count = count.saturating_add(1);
    }
    let mut names: Vec<(&str, usize)> = rules.into_iter().collect();
    names.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    names.truncate(DRAWN);
    if drawn.len() < 2 && names.len() < 2 {
        return;
    }
    let height = ROW.saturating_mul(drawn.len().max(names.len()));
    let middle = |row: usize| row.saturating_mul(ROW).saturating_add(ROW / 2);
    out.push_str(&format!(
        "<svg class=\"drawing\" viewBox=\"0 0 720 {height}\" role=\"img\" aria-label=\"Which rules wait for which unknown values\">\n"
    ));
    for (row, group) in drawn.iter().enumerate() {
        for (at, (name, _)) in names.iter().enumerate() {
            let count = group.answers.iter().filter(|(_, _, answer, _)| &*answer.rule == *name).count();
            if count > 0 {
                let (from, to, width) = (middle(row), middle(at), count.min(6));
                out.push_str(&format!(
                    "<path class=\"edge\" stroke-width=\"{width}\" d=\"M300 {from} C370 {from} 390 {to} 460 {to}\"/>\n"
                ));
            }
        }
    }
    for (row, group) in drawn.iter().enumerate() {
        let name = if group.unknown.is_empty() { "no single value" } else { group.unknown };
        push_name(out, "end", 292, middle(row), name);
    }
    for (row, (name, _)) in names.iter().enumerate() {
        push_name(out, "start", 468, middle(row), name);
    }
    out.push_str("</svg>\n");
}

/// Adds a name at a place, cut where it is long.
fn push_name(out: &mut String, anchor: &str, x: usize, y: usize, name: &str) {
    out.push_str(&format!("<text x=\"{x}\" y=\"{}\" text-anchor=\"{anchor}\">", y.saturating_add(4)));
    match name.char_indices().nth(NAME) {
        Some((end, _)) => push_html(out, &format!("{}…", name.get(..end).unwrap_or_default())),
        None => push_html(out, name),
    }
    out.push_str("</text>\n");
}
