//! Converts rules to refinements.

use std::borrow::Cow;

use regex_syntax::hir::{HirKind, Look};

use crate::error::Result;
use crate::language::{self, Language};
use crate::limits;
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, NumberRange, Range, Refinement};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

use crate::rule::{
    ExprStep, LengthRule, LengthTest, MembersRule, NumberRule, Pattern, Rule, TextRule, Unit, ValueRule,
};

impl Rule {
    /// The weakest refinement that makes the rule hold, where the lattice can say it: every value within it
    /// passes, and every value that it excludes fails. For values of types that the rule reads and the refinement
    /// [applies to](Refinement::applies_to).
    ///
    /// A rule on strings has one if its strings are a [`Language`]: a pattern whose automaton is not too large, an
    /// ending, a list of strings, a format that is regular. A rule on the number of code points or elements is the one
    /// of the length of a collection; where other rules beside it read only strings, that of the length of a string.
    /// [`as_refinement_for`](Rule::as_refinement_for) names the type.
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
        exactly(self, reads_only_strings(self).then_some(&Type::String))
    }

    /// The weakest refinement that makes the rule hold for values of the type, as [`as_refinement`](Rule::as_refinement);
    /// `None` where the lattice cannot say it.
    ///
    /// | rule | of | refinement |
    /// |---|---|---|
    /// | `min_len(1)` | a list | `lengthmin(1)` |
    /// | `min_len(1)` | a string | `stringlengthmin(1)` |
    /// | `all(min_len(1), max_len(63), matches("^[a-z]+$"))` | a string | `stringpattern("^[a-z]{1,63}$")` |
    /// | `multiple_of(10)`, `even` | a number | `numbermultiple(10)`, `numbermultiple(2)` |
    /// | `one_of([1, 5, 9])` | a number | `oneof(1, 5, 9)` |
    /// | `port` | a number | `numberinteger(numberrange(1, 65535))` |
    /// | `multiple_of(0.5)`, `odd` | a number | none: only multiples of integers are a refinement |
    /// | `max_byte_len(64)` | a string | the strings of at most 64 bytes in UTF-8 |
    /// | `max_len(300)` | a string | none: more lengths than a [`Language`] can count |
    /// | `max_grapheme_len(2)` | a string | none: no regular language |
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::{LengthRange, Refinement, Type};
    ///
    /// let name = Rule::all([Rule::min_len(1), Rule::max_len(63)])?;
    /// let of_string = Refinement::string_length(LengthRange::new(1, Some(63))?)?;
    /// assert_eq!(name.as_refinement_for(&Type::String), Some(of_string));
    /// let of_list = Refinement::length(LengthRange::new(1, Some(63))?);
    /// assert_eq!(name.as_refinement_for(&Type::list(Type::Bool)?), Some(of_list));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn as_refinement_for(&self, ty: &Type) -> Option<Refinement> {
        exactly(self, Some(ty))
    }

    /// A refinement that every value of the type satisfies if the rule holds for it: the one of
    /// [`as_refinement_for`](Rule::as_refinement_for) where there is one, a wider one otherwise, and `any()` where nothing
    /// is implied.
    ///
    /// ```
    /// use plantime::rule::Rule;
    /// use plantime::{LengthRange, Refinement, Type};
    ///
    /// let name = Rule::all([Rule::min_len(1), Rule::max_len(300)])?;
    /// assert_eq!(name.as_refinement_for(&Type::String), None);
    /// assert_eq!(
    ///     name.implied_refinement(&Type::String),
    ///     Refinement::string_length(LengthRange::at_least(1))?
    /// );
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn implied_refinement(&self, ty: &Type) -> Refinement {
        let mut left = LANGUAGES;
        implied(self, Some(ty), &mut left).refinement
    }
}

/// The maximum number of languages that are computed for the rules inside one rule. Further rules imply nothing, so
/// that a rule of thousands of rules does not cost thousands of intersections.
const LANGUAGES: usize = 256;

/// The refinement that a rule implies of the values for which it holds.
struct Implied {
    /// A refinement that every value satisfies for which the rule holds.
    refinement: Refinement,
    /// Whether, conversely, the rule holds for every value that satisfies the refinement.
    is_exact: bool,
}

impl Implied {
    /// The rule holds for a value if and only if the value satisfies the refinement.
    fn exactly(refinement: Refinement) -> Implied {
        Implied { refinement, is_exact: true }
    }

    /// Every value passes the rule.
    fn all() -> Implied {
        Implied::exactly(Refinement::any())
    }

    /// Every value that passes the rule satisfies the refinement, but a value that satisfies it may fail the rule.
    fn within(refinement: Refinement) -> Implied {
        Implied { refinement, is_exact: false }
    }

    /// What the refinement says of a collection whose elements or keys satisfy this one.
    fn within_collection(self, build: impl FnOnce(Refinement) -> Result<Refinement>) -> Implied {
        match build(self.refinement) {
            Ok(refinement) => Implied { refinement, is_exact: self.is_exact },
            Err(_) => Implied::nothing(),
        }
    }

    /// What a rule implies of an object or tuple if it implies this of a part. A path through null leads to null, so the whole is
    /// not null if the part is not.
    fn within_structure(self, build: impl FnOnce(Refinement) -> Result<Refinement>) -> Implied {
        let allows_null = self.refinement.allows_null();
        match build(self.refinement) {
            Ok(whole) => {
                let refinement = if allows_null { whole } else { whole.and_not_null() };
                Implied { refinement, is_exact: self.is_exact }
            }
            Err(_) => Implied::nothing(),
        }
    }

    /// The rule implies nothing that a refinement could say.
    fn nothing() -> Implied {
        Implied::within(Refinement::any())
    }

    /// The refinement of a rule that holds for the strings of a language; of a wider one, not exact, if the language is
    /// too large. Nothing if the language is empty: then only null passes.
    fn of_language(language: language::Result) -> Implied {
        match language {
            Ok(language) => {
                Refinement::language(language).map_or_else(|_| Implied::nothing(), Implied::exactly)
            }
            Err(too_large) => Implied::within(Refinement::any().and_language(Ok(too_large.into_hull()))),
        }
    }
}

/// The refinement of a rule, if it is exact.
fn exactly(rule: &Rule, ty: Option<&Type>) -> Option<Refinement> {
    let mut left = LANGUAGES;
    let implied = implied(rule, ty, &mut left);
    implied.is_exact.then_some(implied.refinement)
}

/// Whether the rule can read strings only: a rule on strings or on their bytes or grapheme clusters, or `all` or
/// `sequence` with such a rule inside.
fn reads_only_strings(rule: &Rule) -> bool {
    match rule {
        Rule::Text(_) => true,
        Rule::Length(rule) => rule.unit != Unit::Elements,
        Rule::All(rules) | Rule::Sequence(rules) => rules.iter().any(reads_only_strings),
        _ => false,
    }
}

/// What a rule says of the values of the type for which it holds. Without a type: of values of the types that the
/// refinement applies to. `left` is the number of languages that may still be looked at.
fn implied(rule: &Rule, ty: Option<&Type>, left: &mut usize) -> Implied {
    let has_language = match rule {
        Rule::Text(TextRule::StartsWith(_)) => false,
        Rule::Text(_) | Rule::Members(_) | Rule::Value(_) => true,
        Rule::Length(_) => ty == Some(&Type::String),
        _ => false,
    };
    if has_language {
        match left.checked_sub(1) {
            Some(others) => *left = others,
            None => return Implied::nothing(),
        }
    }
    let implied = implied_by(rule, ty, left);
    let applies = ty.is_none_or(|ty| implied.refinement.applies_to(ty));
    if applies { implied } else { Implied::nothing() }
}

/// As [`implied`], without the bound on languages and the test that the refinement applies to the type.
fn implied_by(rule: &Rule, ty: Option<&Type>, left: &mut usize) -> Implied {
    match rule {
        Rule::NotNull => Implied::exactly(Refinement::not_null()),
        Rule::IsNull => Implied::exactly(Refinement::null()),
        Rule::Text(rule) => implied_by_text(rule),
        Rule::Members(MembersRule::Contains(wanted)) => match view_below_marks(wanted) {
            // Every string contains the empty string, but a collection may lack it.
            View::String(part)
                if !wanted.is_marked() && !part.is_empty() && ty.is_none_or(|ty| *ty == Type::String) =>
            {
                Refinement::containing(part).map_or_else(|_| Implied::nothing(), Implied::exactly)
            }
            _ if matches!(ty, Some(Type::List(_) | Type::Set(_))) => {
                Implied::within(Refinement::length(LengthRange::at_least(1)))
            }
            _ => Implied::nothing(),
        },
        Rule::Length(rule) => implied_by_length(*rule, ty),
        Rule::Number(NumberRule::Min(least)) => {
            Implied::exactly(Refinement::number(NumberRange::at_least(least.clone())))
        }
        Rule::Number(NumberRule::Max(most)) => {
            Implied::exactly(Refinement::number(NumberRange::at_most(most.clone())))
        }
        Rule::Number(NumberRule::MultipleOf(step)) if step.is_zero() || step.is_infinite() => {
            Implied::exactly(exactly_number(&Number::ZERO))
        }
        Rule::Number(NumberRule::MultipleOf(step)) => match step.absolute().to_u64() {
            Some(step) => Implied::exactly(Refinement::multiple_of(step)),
            None => Implied::nothing(),
        },
        Rule::Number(NumberRule::Even) => Implied::exactly(Refinement::multiple_of(2)),
        Rule::Number(NumberRule::Odd) => Implied::within(Refinement::integer()),
        Rule::Number(NumberRule::Port) => integer_between(1, 65535),
        Rule::Number(NumberRule::PortOrZero) => integer_between(0, 65535),
        Rule::Value(ValueRule::NotZero) if ty == Some(&Type::String) => {
            Implied::of_language(Language::lengths(1, None))
        }
        Rule::Value(rule @ (ValueRule::Equals(_) | ValueRule::OneOf(_))) => among(rule.operands()),
        Rule::Value(ValueRule::NoneOf(operands)) if operands.is_empty() => {
            Implied::exactly(Refinement::any())
        }
        Rule::Value(ValueRule::NoneOf(operands)) => match strings(operands).map(Language::one_of) {
            Some(Ok(excluded)) => Implied::of_language(Ok(excluded.complement())),
            _ => Implied::nothing(),
        },
        Rule::All(rules) | Rule::Sequence(rules) => {
            let parts: Vec<Implied> = rules.iter().map(|rule| implied(rule, ty, left)).collect();
            let is_of_structure = |part: &Implied| matches!(part.refinement.range(), Range::Structure(_));
            let (mut structures, others): (Vec<Implied>, Vec<Implied>) =
                parts.into_iter().partition(is_of_structure);
            // Neighbours first: each rule may be about another attribute, and a meet takes the time of all before it.
            while structures.len() > 1 {
                let pairs = structures.chunks(2);
                structures =
                    pairs.map(|pair| pair.iter().fold(Implied::all(), |a, b| all_of(&a, b))).collect();
            }
            others.iter().chain(&structures).fold(Implied::all(), |all, part| all_of(&all, part))
        }
        Rule::Any(rules) => rules
            .iter()
            .map(|rule| implied(rule, ty, left))
            .reduce(|a, b| any_of(&a, &b))
            .unwrap_or_else(Implied::nothing),
        Rule::At(path, rule) => implied_by_at(path.steps(), rule, ty, left),
        Rule::Keys(rule) => {
            implied(rule, Some(&Type::String), left).within_collection(|keys| Refinement::keys(&keys))
        }
        Rule::Not(inside) => implied_by_not(inside, ty, left),
        // Either the condition does not hold, or the rule does.
        Rule::Implies(condition, rule) | Rule::When(condition, rule) => {
            any_of(&implied_by_not(condition, ty, left), &implied(rule, ty, left))
        }
        _ => Implied::nothing(),
    }
}

/// The refinement that a rule at a path implies of the whole value. The steps of the path name attributes, tuple elements or all
/// elements.
fn implied_by_at(path: &[ExprStep], rule: &Rule, ty: Option<&Type>, left: &mut usize) -> Implied {
    // What a rule means depends on the type: of a part that has none yet nothing follows.
    let of_part = |inside: Option<&Type>, rest: &[ExprStep], left: &mut usize| match (inside, ty) {
        (Some(Type::Dynamic), _) | (None, Some(_)) => Implied::nothing(),
        (inside, _) => implied_by_at(rest, rule, inside, left),
    };
    match path {
        [] => implied(rule, ty, left),
        [ExprStep::Attr(name), rest @ ..] => {
            let inside = ty.map(|ty| if let Type::Object(ty) = ty { ty.get(name) } else { None });
            of_part(inside.flatten(), rest, left).within_structure(|known| Refinement::attribute(name, known))
        }
        [ExprStep::Index(index), rest @ ..] => {
            let Ok(index) = usize::try_from(*index) else { return Implied::nothing() };
            let inside = ty.map(|ty| if let Type::Tuple(ty) = ty { ty.get(index) } else { None });
            of_part(inside.flatten(), rest, left)
                .within_structure(|known| Refinement::tuple_element(index, known))
        }
        // All elements of a tuple or object are not of one type.
        [ExprStep::AnyElement, rest @ ..]
            if ty.is_none_or(|ty| matches!(ty, Type::List(_) | Type::Set(_) | Type::Map(_))) =>
        {
            match ty.and_then(Type::element_type) {
                Some(Type::Dynamic) => Implied::nothing(),
                element => implied_by_at(rest, rule, element, left).within_collection(Refinement::elements),
            }
        }
        _ => Implied::nothing(),
    }
}

/// The refinement that a rule on strings implies: that of the language for which it holds.
fn implied_by_text(rule: &TextRule) -> Implied {
    if let TextRule::StartsWith(start) = rule {
        // A prefix needs no automaton.
        return Implied::exactly(Refinement::prefix(start));
    }
    match (rule.language(), rule) {
        (Some(language), _) => Implied::of_language(language),
        (None, TextRule::Matches(pattern)) => {
            let start = literal_prefix(pattern).unwrap_or_default();
            Implied::within(Refinement::prefix(&start))
        }
        (None, _) => Implied::nothing(),
    }
}

/// The literal string that every match begins with; `None` if the pattern is not anchored at the start or begins with
/// no literal.
fn literal_prefix(pattern: &Pattern) -> Option<String> {
    let hir = pattern.translated();
    let HirKind::Concat(parts) = hir.kind() else { return None };
    match (parts.first()?.kind(), parts.get(1)?.kind()) {
        (HirKind::Look(Look::Start), HirKind::Literal(text)) => {
            std::str::from_utf8(&text.0).ok().map(str::to_owned)
        }
        _ => None,
    }
}

/// The refinement that a rule on a length implies: for strings if `ty` is string, otherwise for lists, sets and maps.
fn implied_by_length(rule: LengthRule, ty: Option<&Type>) -> Implied {
    let range = rule.range();
    if ty != Some(&Type::String) {
        return match rule.unit {
            Unit::Elements => Implied::exactly(Refinement::length(range)),
            Unit::Bytes | Unit::Graphemes => Implied::nothing(),
        };
    }
    let least = u32::try_from(range.lower()).unwrap_or(u32::MAX);
    let most = range.upper().map(|most| u32::try_from(most).unwrap_or(u32::MAX));
    match rule.unit {
        Unit::Elements => Implied::of_language(Language::lengths(least, most)),
        Unit::Bytes => Implied::of_language(Language::byte_lengths(least, most)),
        Unit::Graphemes => {
            // A grapheme cluster has one or more characters, so only "empty" and "not empty" are exact.
            let nothing = most.filter(|most| *most == 0);
            let said = Implied::of_language(Language::lengths(least, nothing));
            let is_exact = said.is_exact && (nothing.is_some() || least <= 1 && most.is_none());
            Implied { is_exact, ..said }
        }
    }
}

/// The refinement that the negation of a rule implies. It allows null without finding out whether null satisfies the
/// negation, so it is never exact.
fn implied_by_not(inside: &Rule, ty: Option<&Type>, left: &mut usize) -> Implied {
    let said = match inside {
        Rule::Number(NumberRule::Min(least)) => {
            NumberRange::below(least.clone()).map(Refinement::number).ok()
        }
        Rule::Number(NumberRule::Max(most)) => NumberRange::above(most.clone()).map(Refinement::number).ok(),
        Rule::Length(LengthRule { unit: Unit::Elements, test, length }) if ty != Some(&Type::String) => {
            match test {
                LengthTest::Min => length.checked_sub(1).map(LengthRange::at_most).map(Refinement::length),
                LengthTest::Max => Some(Refinement::length(LengthRange::at_least(length.saturating_add(1)))),
                LengthTest::Exact => None,
            }
        }
        _ => {
            let inside = implied(inside, ty, left);
            let language = language_of(inside.refinement.range()).filter(|_| inside.is_exact);
            language.and_then(|language| Refinement::language(language.complement()).ok())
        }
    };
    said.map_or_else(Implied::nothing, Implied::within)
}

/// The refinement that `equals` or `one_of` with these operands implies.
fn among(operands: &[Value]) -> Implied {
    if operands.iter().any(Value::is_marked) {
        // A refinement is shown to users, and would reveal a marked operand.
        return Implied::nothing();
    }
    if let Some(strings) = strings(operands)
        && !strings.is_empty()
    {
        return Implied::of_language(Language::one_of(strings));
    }
    let numbers: Option<Vec<Number>> =
        operands.iter().map(|operand| operand.as_number().ok().cloned()).collect();
    if let Some(said) = numbers.filter(|numbers| !numbers.is_empty()).map(Refinement::one_of_numbers)
        && let Ok(said) = said
    {
        return Implied::exactly(said);
    }
    match operands {
        [] => return Implied::exactly(Refinement::null()),
        [operand] => match view_below_marks(operand) {
            View::Null(_) => return Implied::exactly(Refinement::null()),
            View::Number(number) => return Implied::exactly(exactly_number(number)),
            _ => {}
        },
        _ => {}
    }
    // Null passes every rule on operands, and the refinement does not exclude it.
    let ranges = operands.iter().filter(|operand| !operand.is_null()).map(|operand| match operand.view() {
        View::String(text) => Refinement::prefix(text),
        View::Number(number) => exactly_number(number),
        View::List(list) => Refinement::length(LengthRange::exactly(list.len() as u64)),
        View::Map(map) => Refinement::length(LengthRange::exactly(map.len() as u64)),
        View::Set(set) => Refinement::length(set.length()),
        _ => Refinement::any(),
    });
    Implied::within(ranges.reduce(|a, b| a.join(&b)).unwrap_or_default())
}

/// The refinement of an integer between two bounds, both included.
fn integer_between(least: i64, most: i64) -> Implied {
    let range = NumberRange::new(Bound::Inclusive(least.into()), Bound::Inclusive(most.into()));
    range.map_or_else(|_| Implied::nothing(), |range| Implied::exactly(Refinement::integer_in(&range)))
}

/// The refinement of the numbers that equal this one.
fn exactly_number(number: &Number) -> Refinement {
    Refinement::number(NumberRange::exactly(number.clone()))
}

/// The strings of operands that are all strings; `None` if one is of another type, null or marked.
fn strings(operands: &[Value]) -> Option<Vec<&str>> {
    operands.iter().map(|operand| if operand.is_marked() { None } else { operand.as_str().ok() }).collect()
}

/// The refinement that two rules imply together, given those of each. If they contradict each other, no value passes
/// both, and every refinement is true of that: the result is the first one, not exact.
fn all_of(a: &Implied, b: &Implied) -> Implied {
    let (first, second) = (&a.refinement, &b.refinement);
    let is_exact = a.is_exact && b.is_exact;
    let met = || first.meet(second).unwrap_or_else(|_| first.clone());
    match (first.range(), second.range()) {
        (Range::Any, _)
        | (_, Range::Any)
        | (Range::Prefix(_), Range::Prefix(_))
        | (
            Range::Number(_) | Range::Multiples(_) | Range::Numbers(_),
            Range::Number(_) | Range::Multiples(_) | Range::Numbers(_),
        )
        | (Range::Length(_) | Range::Elements(_), Range::Length(_) | Range::Elements(_))
        | (Range::Structure(_), Range::Structure(_)) => {
            match first.meet(second) {
                // The meet of two refinements to multiples is wider than their intersection if the common step would
                // be too large.
                Ok(refinement) => {
                    let is_exact = is_exact && first.contains(&refinement) && second.contains(&refinement);
                    Implied { refinement, is_exact }
                }
                Err(_) => Implied::within(first.clone()),
            }
        }
        (one, other) => {
            // `Refinement::meet` may be wider than the intersection, and does not say so.
            let both = language_of(one).zip(language_of(other)).map(|(one, other)| one.meet(&other));
            let Some(Ok(both)) = both else { return Implied::within(met()) };
            let is_nullable = first.allows_null() && second.allows_null();
            match Refinement::language(both) {
                Ok(both) if is_nullable => Implied { refinement: both, is_exact },
                Ok(both) => Implied { refinement: both.and_not_null(), is_exact },
                Err(_) if is_nullable => Implied { refinement: Refinement::null(), is_exact },
                Err(_) => Implied::within(first.clone()),
            }
        }
    }
}

/// The refinement that holds if one of two rules holds, given those of each.
fn any_of(a: &Implied, b: &Implied) -> Implied {
    let (first, second) = (&a.refinement, &b.refinement);
    // The join of two prefixes is wider than their union.
    let either =
        language_of(first.range()).zip(language_of(second.range())).map(|(one, other)| one.join(&other));
    match either {
        Some(Ok(either)) => match Refinement::language(either) {
            Ok(either) => {
                let is_nullable = first.allows_null() || second.allows_null();
                let refinement = if is_nullable { either } else { either.and_not_null() };
                Implied { refinement, is_exact: a.is_exact && b.is_exact }
            }
            Err(_) => Implied::nothing(),
        },
        _ => {
            let refinement = first.join(second);
            // The join of two lists of numbers is their union, if it is a list.
            let is_either = |number: &Number| {
                first.range().contains_number(number) || second.range().contains_number(number)
            };
            let is_union = *first.range() != Range::Any
                && *second.range() != Range::Any
                && refinement
                    .range()
                    .few_numbers(limits::ONE_OF)
                    .is_some_and(|few| few.iter().all(is_either));
            Implied { is_exact: is_union && a.is_exact && b.is_exact, refinement }
        }
    }
}

/// The language of a prefix or of a string language; `None` for other ranges, and for a prefix that is too long for a
/// language.
fn language_of(range: &Range) -> Option<Cow<'_, Language>> {
    match range {
        Range::Prefix(prefix) => Language::prefix(prefix.as_str()).ok().map(Cow::Owned),
        Range::Language(language) => Some(Cow::Borrowed(language.language())),
        _ => None,
    }
}
