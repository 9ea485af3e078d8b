//! L5: marks change no conversion, and stay with what they mark.

use plantime::{Mark, TypeConstraint, convert};
use rayon::prelude::*;

use super::super::gamma::Abs;
use super::super::laws::Violations;
use super::super::marks::marked_inside;
use super::sources::sources;
use super::{TARGETS, to};

fn mark() -> Mark {
    Mark::new("m")
}

/// Where what stands at a place of a value is once it is converted; `None` where it is dropped. Below a set the
/// place is the set, and where the result is unknown the place is that of the unknown.
fn carried(place: &[String], result: &Abs) -> Option<Vec<String>> {
    let mut at = Vec::new();
    let mut result = result;
    for step in place {
        let below = match result {
            Abs::List(_, items) | Abs::Tuple(items) => step.parse::<usize>().ok().and_then(|i| items.get(i)),
            Abs::Map(_, parts) | Abs::Object(parts) => match parts.get(step) {
                None => return None,
                part => part,
            },
            _ => None,
        };
        let Some(below) = below else { break };
        result = below;
        at.push(step.clone());
    }
    Some(at)
}

/// L5: the same answer, marks aside; and the mark is where the part that had it is now.
#[test]
fn marks_change_no_conversion_and_stay_with_what_they_mark() {
    let sources = sources();
    let targets: Vec<TypeConstraint> = TARGETS.iter().map(|target| to(target)).collect();
    let found: Vec<Violations> = targets
        .par_iter()
        .map(|target| {
            let mut wrong = Violations::default();
            for (value, abs, _) in &sources.values {
                let bare = convert(value, target);
                let top = value.clone().mark(mark());
                for marked in std::iter::once(top).chain(marked_inside(value)) {
                    let (_, places) = Abs::with_marks(&marked);
                    let [(place, _)] = places.as_slice() else { panic!("one mark") };
                    let answer = convert(&marked, target);
                    let call = || format!("{abs:?} marked at {place:?} to {target}");
                    match (&answer, &bare) {
                        (Ok(answer), Ok(bare)) => {
                            let (found, marks) = Abs::with_marks(answer);
                            let plain = Abs::of(bare);
                            if found != plain {
                                wrong.add("erasure", || format!("{} = {found:?}, not {plain:?}", call()));
                                continue;
                            }
                            let now: Vec<&Vec<String>> = marks.iter().map(|(place, _)| place).collect();
                            let wanted = carried(place, &plain);
                            if now != wanted.iter().collect::<Vec<_>>() {
                                wrong.add("retention", || {
                                    format!("{} = {found:?} marked at {now:?}, not {wanted:?}", call())
                                });
                            }
                        }
                        (Err(marked), Err(bare)) => {
                            if (marked.is_type_mismatch(), marked.is_syntax(), marked.is_not_found())
                                != (bare.is_type_mismatch(), bare.is_syntax(), bare.is_not_found())
                            {
                                wrong
                                    .add("erasure of errors", || format!("{}: {marked}, not {bare}", call()));
                            }
                        }
                        _ => wrong.add("erasure", || format!("{} = {answer:?}, not {bare:?}", call())),
                    }
                }
            }
            wrong
        })
        .collect();
    let mut wrong = Violations::default();
    found.into_iter().for_each(|found| wrong.merge(found));
    wrong.none("marks of convert");
}
