//! Templates.

use plantime::text::common_prefix;
use plantime::{Refinement, Type, Value};

use super::attempt::marks_of_success;
use super::iterate::{Items, has_keys, items, origin_at};
use super::{ElementOrigin, Evaluated, Evaluator, Frame, Place};
use crate::expression::tree::{Node, Part, TemplateFor, TemplateIf};

impl Evaluator<'_> {
    /// The text of the parts one after another.
    pub(super) fn template(&self, parts: &[Part], node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        let mut texts: Vec<Value> = Vec::with_capacity(parts.len());
        let mut problems: Option<crate::expression::Diagnostics> = None;
        let mut unknown_numbers: Vec<usize> = Vec::new();
        for part in parts {
            match (self.part(part, node, frame), &mut problems) {
                (Ok((text, is_unknown_number)), _) => {
                    unknown_numbers.extend(is_unknown_number.then_some(texts.len()));
                    texts.push(text);
                }
                (Err(more), Some(problems)) => problems.extend(more),
                (Err(first), None) => problems = Some(first),
            }
        }
        if let Some(problems) = problems {
            return Err(problems);
        }
        let joined = self.joined(&texts, node, frame)?;
        if unknown_numbers.is_empty() {
            return Ok(joined);
        }
        let narrowed = prefix_before_numbers(&texts, &unknown_numbers)
            .and_then(|prefix| joined.assume(&Refinement::prefix(&prefix)).ok());
        Ok(narrowed.unwrap_or(joined))
    }

    /// The texts as one.
    fn joined(&self, texts: &[Value], node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        let known: Option<Vec<&str>> = texts.iter().map(|text| text.as_str().ok()).collect();
        if let Some(known) = known {
            let text = known.concat();
            self.count_text(text.len(), node)?;
            return Ok(Value::from(text));
        }
        let length = |text: &Value| text.clone().unmark().0.as_str().map_or(0, str::len);
        self.count_text(texts.iter().map(length).fold(0, usize::saturating_add), node)?;
        Value::concat_text(&texts.iter().collect::<Vec<_>>())
            .map_err(|error| self.too_large(&error, node, frame))
    }

    /// Evaluates one part of a template to a string, which may be unknown. The flag says whether the part interpolates an unknown
    /// number.
    fn part(&self, part: &Part, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated<(Value, bool)> {
        match part {
            Part::Literal(text) => Ok((text.clone(), false)),
            Part::Interpolation(inner) => {
                let value = self.value(inner, frame)?;
                let is_unknown_number = value.ty() == Type::Number && !value.is_known();
                Ok((self.text(&value, inner, frame)?, is_unknown_number))
            }
            Part::If(choice) => {
                let TemplateIf { condition, yes, no } = &**choice;
                let (condition, marks) = self.condition(condition, frame)?.unmark();
                let text = match condition.as_bool() {
                    Ok(truth) => {
                        let (chosen, other) = if truth { (yes, no) } else { (no, yes) };
                        let text = self.template(chosen, node, frame)?;
                        // As in Terraform, the result has the marks of the whole of both texts; of one that fails those of what it used,
                        // since it would not fail for other content.
                        let may_fail = self.state.may_fail.get();
                        let (other, used) = self.with_used_marks(|| self.template(other, node, frame));
                        self.state.may_fail.set(may_fail);
                        match other {
                            Ok(other) => text.with_marks(other.marks()),
                            Err(problems) if problems.is_limit() => return Err(problems),
                            Err(_) => text.with_marks(&marks_of_success(&used)),
                        }
                    }
                    Err(_) => match [yes, no].map(|parts| {
                        let (text, used) = self.with_used_marks(|| self.template(parts, node, frame));
                        text.map_err(|problems| (problems, used))
                    }) {
                        [Ok(yes), Ok(no)] => condition
                            .conditional(&yes, &no)
                            .map_err(|error| self.too_large(&error, node, frame))?,
                        // The condition must choose the other one.
                        [Ok(only), Err((problems, used))] | [Err((problems, used)), Ok(only)] => {
                            if problems.is_limit() {
                                return Err(problems);
                            }
                            self.may_fail();
                            only.with_marks(&used)
                        }
                        [Err((mut problems, _)), Err((more, _))] => {
                            problems.extend(more);
                            return Err(problems);
                        }
                    },
                };
                Ok((text.with_marks(&marks), false))
            }
            Part::For(each) => Ok((self.template_for(each, node, frame)?, false)),
        }
    }

    /// An interpolated value as text.
    fn text(&self, value: &Value, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        if value.as_str().is_ok() {
            return Ok(value.clone());
        }
        if value.as_number().is_ok()
            && let Ok(text) = plantime::convert(value, &Type::String.into())
        {
            return Ok(text);
        }
        let place = Place { span: &node.span, about: node, frame };
        if value.is_certainly_null() {
            let detail = "The expression result is null. Cannot include a null value in a string template.";
            return Err(self.problem(place, "Invalid template interpolation value", detail));
        }
        if value.may_be_null() {
            self.may_fail();
        }
        self.converted(value, &Type::String.into()).map_err(|message| {
            let detail = format!("Cannot include the given value in a string template: {message}.");
            let problem = self.problem(place, "Invalid template interpolation value", detail);
            problem.reported_once_known_if(!value.is_known())
        })
    }

    /// Evaluates a `%{ for }` directive: joins the strings of all iterations.
    fn template_for(&self, each: &TemplateFor, node: &Node, frame: Option<&Frame<'_>>) -> Evaluated {
        let (collection, marks) = self.collection(&each.collection, "'for' expression", frame)?;
        let iteration = |key: &Value, value: &Value, origin: ElementOrigin<'_>| {
            self.count_iteration(node)?;
            let frame = Frame::Loop {
                parent: frame,
                key: each.key.as_deref().map(|name| (name, key)),
                value: (&each.value, value),
                origin,
            };
            self.template(&each.parts, node, Some(&frame))
        };
        let has_keys = has_keys(&collection);
        let over = |_: &Value, items: Items| match items {
            Items::Known(items) => {
                let mut texts = Vec::with_capacity(items.len());
                for (key, value) in &items {
                    texts.push(iteration(key, value, origin_at(has_keys, &each.collection, key))?);
                }
                self.joined(&texts, node, frame)
            }
            Items::Unknown { key, value, length } => {
                self.may_fail();
                match self.with_used_marks(|| iteration(&key, &value, ElementOrigin::Unknown)) {
                    (Err(problems), _) if problems.is_limit() || length.lower() > 0 => Err(problems),
                    // Each iteration fails, so there is none; why it fails may be behind a mark.
                    (Err(_), used) => Ok(Value::from("").with_marks(&used)),
                    (Ok(text), _) => {
                        let marks = text.marks().clone();
                        let rest = Value::unknown_not_null(Type::String);
                        let all = if length.lower() > 0 { vec![text, rest] } else { vec![rest] };
                        Ok(self.joined(&all, node, frame)?.with_marks(&marks))
                    }
                }
            }
            Items::None => Ok(Value::from("")),
        };
        let text = self.of_each_case(&collection, over, |item| {
            iteration(item, item, ElementOrigin::Unknown).map(drop)
        })?;
        // The texts of the cases may have less in common than all texts of the items.
        let is_open = matches!(collection.ty(), Type::Set(_)) && !text.is_known();
        let narrowed = match is_open.then(|| over(&collection, items(&collection))) {
            Some(Ok(all)) => text.assume(all.range().refinement()).ok(),
            _ => None,
        };
        Ok(narrowed.unwrap_or(text).with_marks(&marks))
    }
}

/// The known prefix of the concatenated texts. The texts at the indexes `numbers` are converted from unknown numbers. A text that is
/// converted from a number never begins with a combining mark, so the text before it stays as it is: what the results for `0` and for
/// `-1` have as common prefix, the results for all numbers have.
fn prefix_before_numbers(texts: &[Value], numbers: &[usize]) -> Option<String> {
    let prefix = |number: &str| {
        let mut texts: Vec<Value> = texts.iter().map(|text| text.clone().unmark().0).collect();
        for at in numbers {
            texts.get_mut(*at).into_iter().for_each(|text| *text = Value::from(number));
        }
        let joined = Value::concat_text(&texts.iter().collect::<Vec<_>>()).ok()?;
        let known = joined.as_str().ok().map(str::to_owned);
        known.or_else(|| joined.range().prefix().map(str::to_owned))
    };
    let (a, b) = (prefix("0")?, prefix("-1")?);
    Some(common_prefix(&a, &b).to_owned())
}
