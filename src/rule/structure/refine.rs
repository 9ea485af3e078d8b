//! Converts rules to refinements.

use std::borrow::Cow;

use crate::language::Language;
use crate::refinement::{NumberRange, Range, Refinement};
use crate::text::nfc;
use crate::value::{Value, View, view_below_marks};

use crate::rule::{MembersRule, NumberRule, Rule, TextRule, Unit, ValueRule};

impl Rule {
    /// The weakest refinement that makes the rule hold, where the lattice can say it: every value within it
    /// passes, and every value that it excludes fails. For values of types that the rule reads and the refinement
    /// [applies to](Refinement::applies_to).
    ///
    /// A rule on strings has one if its strings are a [`Language`]: a pattern whose automaton is not too large, an
    /// ending, a list of strings, a format that is regular. A rule on lengths in code points or elements is the one of
    /// the length of a collection.
    ///
    /// ```
    /// use plantime::Refinement;
    /// use plantime::rule::{Format, Rule};
    ///
    /// let rule = Rule::all([Rule::NotNull, Rule::starts_with("vpc-")])?;
    /// assert_eq!(rule.as_refinement(), Some(Refinement::prefix("vpc-").and_not_null()));
    /// assert_eq!(Rule::ends_with("x").as_refinement(), Some(Refinement::suffix("x")?));
    /// assert_eq!(Rule::one_of(["a", "b"]).as_refinement(), Some(Refinement::one_of(["a", "b"])?));
    /// assert_eq!(Rule::format(Format::Json).as_refinement(), None);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn as_refinement(&self) -> Option<Refinement> {
        match self {
            Rule::NotNull => Some(Refinement::not_null()),
            Rule::IsNull => Some(Refinement::null()),
            Rule::Text(rule) => refinement_of_text(rule),
            Rule::Members(MembersRule::Contains(wanted)) => match view_below_marks(wanted) {
                // The empty string says nothing, and a collection may lack it.
                View::String(part) if !wanted.is_marked() && !part.is_empty() => {
                    Refinement::containing(part).ok()
                }
                _ => None,
            },
            Rule::Length(rule) if rule.unit == Unit::Elements => Some(Refinement::length(rule.range())),
            Rule::Number(NumberRule::Min(least)) => {
                Some(Refinement::number(NumberRange::at_least(least.clone())))
            }
            Rule::Number(NumberRule::Max(most)) => {
                Some(Refinement::number(NumberRange::at_most(most.clone())))
            }
            Rule::Value(ValueRule::Equals(operand)) => refinement_of_value(operand),
            Rule::Value(ValueRule::OneOf(operands)) => match operands.as_slice() {
                [] => Some(Refinement::null()),
                [operand] => refinement_of_value(operand),
                operands => Refinement::one_of(strings(operands)?).ok(),
            },
            Rule::Value(ValueRule::NoneOf(operands)) if operands.is_empty() => Some(Refinement::any()),
            Rule::Value(ValueRule::NoneOf(operands)) => {
                let excluded = Language::one_of(strings(operands)?).ok()?;
                Refinement::language(excluded.complement()).ok()
            }
            Rule::All(rules) | Rule::Sequence(rules) => {
                rules.iter().try_fold(Refinement::any(), |all, rule| meet(&all, &rule.as_refinement()?))
            }
            Rule::Any(rules) => match &**rules {
                [rule] => rule.as_refinement(),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The refinement of a rule on strings; `None` if its strings are no language, or one that is too large.
fn refinement_of_text(rule: &TextRule) -> Option<Refinement> {
    let shared = match rule {
        TextRule::StartsWith(start) => return Some(Refinement::prefix(start)),
        TextRule::EndsWith(end) => return Refinement::suffix(end).ok(),
        TextRule::NotBefore(first) => {
            return Refinement::language(Language::not_before(&nfc(first)).ok()?).ok();
        }
        TextRule::NotAfter(last) => return Refinement::language(Language::not_after(&nfc(last)).ok()?).ok(),
        TextRule::NoneOfIgnoringCase(words) => {
            return Refinement::language(words.pattern().language()?.complement()).ok();
        }
        TextRule::Matches(pattern) => pattern.language()?,
        TextRule::Format(format) => format.language()?,
        TextRule::OneOfIgnoringCase(words) => words.pattern().language()?,
        TextRule::Url(schemes) => schemes.pattern().language()?,
        TextRule::CidrNetwork(_) => return None,
    };
    Refinement::language((*shared).clone()).ok()
}

/// The strings of operands that are all strings; `None` if one is of another type, null or marked.
fn strings(operands: &[Value]) -> Option<Vec<&str>> {
    operands.iter().map(|operand| if operand.is_marked() { None } else { operand.as_str().ok() }).collect()
}

/// The refinement that only this value satisfies. `None` for a marked value: a refinement shows what it contains.
fn refinement_of_value(operand: &Value) -> Option<Refinement> {
    if operand.is_marked() {
        return None;
    }
    match view_below_marks(operand) {
        View::Null(_) => Some(Refinement::null()),
        View::Number(number) => Some(Refinement::number(NumberRange::exactly(number.clone()))),
        View::String(text) => Refinement::one_of([text]).ok(),
        _ => None,
    }
}

/// The refinement that satisfies both. `None` for ranges of different kinds, which no value has, for a contradiction,
/// and for languages whose intersection is too large.
fn meet(a: &Refinement, b: &Refinement) -> Option<Refinement> {
    match (a.range(), b.range()) {
        (Range::Any, _)
        | (_, Range::Any)
        | (Range::Prefix(_), Range::Prefix(_))
        | (Range::Number(_), Range::Number(_))
        | (Range::Length(_), Range::Length(_)) => a.meet(b).ok(),
        (one, other) => {
            // `Refinement::meet` may be wider.
            let both = language_of(one)?.meet(&*language_of(other)?).ok()?;
            let both = Refinement::language(both).ok()?;
            let is_nullable = a.allows_null() && b.allows_null();
            Some(if is_nullable { both } else { both.and_not_null() })
        }
    }
}

/// The language of a prefix or a language, if it fits.
fn language_of(range: &Range) -> Option<Cow<'_, Language>> {
    match range {
        Range::Prefix(prefix) => Language::prefix(prefix.as_str()).ok().map(Cow::Owned),
        Range::Language(language) => Some(Cow::Borrowed(language.language())),
        _ => None,
    }
}
