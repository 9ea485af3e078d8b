//! Evaluates `unique`: no two elements are equal.

use crate::refinement::LengthRange;
use crate::refinement::Refinement;
use crate::types::Type;
use crate::value::equality::{any_equal, equal};
use crate::value::{Value, View, content_order, view_below_marks, within_capacity};

/// The maximum number of pairs that are compared if some elements are not wholly known; above it the rule is
/// undetermined.
const PAIRS: usize = 1 << 14;

/// Whether no two elements of a value that is not null are equal. `None` if that depends on unknowns.
///
/// | value | holds | does not |
/// |---|---|---|
/// | list, tuple | all pairs certainly differ | two elements are certainly equal, or there are more elements than the type has values |
/// | unknown list | at most one element | more elements than the element type has values |
/// | set | always | |
///
/// Two nulls are equal.
pub(in crate::rule) fn unique(value: &Value) -> Option<bool> {
    match view_below_marks(value) {
        View::List(list) => {
            let items: Vec<&Value> = list.iter().collect();
            if exceeds_type(list.element_type(), items.len() as u64) {
                Some(false)
            } else {
                all_differ(&items)
            }
        }
        View::Tuple(tuple) => all_differ(&tuple.iter().collect::<Vec<&Value>>()),
        View::Set(_) => Some(true),
        View::Unknown(range) => match range.ty() {
            Type::Set(_) => Some(true),
            Type::List(list) => {
                let length = range.length_range().unwrap_or_default();
                if length.upper().is_some_and(|upper| upper <= 1) {
                    return Some(true);
                }
                exceeds_type(list.element(), length.lower()).then_some(false)
            }
            Type::Tuple(tuple) => {
                let parts: Vec<Value> = tuple.iter().cloned().map(Value::unknown).collect();
                all_differ(&parts.iter().collect::<Vec<&Value>>())
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether `count` is larger than the number of values of the element type, null included, so that two of `count`
/// elements must be equal.
fn exceeds_type(element: &Type, count: u64) -> bool {
    let Ok(set) = Type::set(element.clone()) else { return false };
    let most = within_capacity(&set, &Refinement::any(), LengthRange::default());
    most.upper().is_some_and(|most| most < count)
}

/// Whether all elements certainly differ (`Some(true)`), or two are certainly equal (`Some(false)`). `None` also if
/// more than [`PAIRS`] pairs would have to be compared.
fn all_differ(items: &[&Value]) -> Option<bool> {
    let (mut known, open): (Vec<&Value>, Vec<&Value>) =
        items.iter().copied().partition(|item| item.is_wholly_known());
    let nulls = known.len();
    known.retain(|item| !item.is_null());
    let nulls = nulls.saturating_sub(known.len());
    known.sort_unstable_by(|a, b| content_order(a, b));
    let twice = known.windows(2).any(|pair| matches!(pair, [a, b] if equal(a, b) == Some(true)));
    if twice || nulls > 1 {
        return Some(false);
    }
    if open.len().saturating_mul(items.len()) > PAIRS {
        return if open.is_empty() { Some(true) } else { None };
    }
    let mut all = Some(true);
    let others = items.iter().copied().filter(|item| item.is_wholly_known());
    let others: Vec<&Value> = others.collect();
    for (place, item) in open.iter().enumerate() {
        let later = open.get(place.saturating_add(1)..).unwrap_or_default();
        match any_equal(others.iter().chain(later).copied(), item) {
            Some(true) => return Some(false),
            Some(false) => {}
            None => all = None,
        }
    }
    all
}
