//! Random refinements.

use super::Sampler;
use crate::number::Number;
use crate::refinement::{Bound, LengthRange, Nullness, NumberRange, Range, Refinement};
use crate::types::Type;
use crate::value::Value;

impl Sampler<'_> {
    /// A refinement that applies to the type.
    pub fn refinement_of(&mut self, ty: &Type) -> Refinement {
        let range = match ty {
            Type::String if self.chance(1, 2) => Refinement::prefix(&self.text()),
            Type::String if self.chance(1, 2) => self.string_language(),
            Type::Number if self.chance(1, 8) => self.few_numbers(),
            Type::Number if self.chance(3, 4) => {
                let range = Refinement::number(self.number_range());
                if self.chance(2, 3) { range } else { self.multiples().meet(&range).unwrap_or(range) }
            }
            Type::List(_) | Type::Set(_) | Type::Map(_) if self.chance(3, 4) => {
                let length = Refinement::length(self.length_range());
                if self.chance(2, 3) { length } else { self.elements_of(ty).meet(&length).unwrap_or(length) }
            }
            Type::Object(_) | Type::Tuple(_) if self.chance(1, 2) => self.attributes_of(ty),
            _ => Refinement::any(),
        };
        match self.below(8) {
            0..=3 => range.and_not_null(),
            4..=6 => range,
            _ => Refinement::null(),
        }
    }

    /// A refinement of the elements, or of the keys, of a collection type.
    fn elements_of(&mut self, ty: &Type) -> Refinement {
        if matches!(ty, Type::Map(_)) && self.chance(1, 3) {
            let keys = self.refinement_of(&Type::String);
            return Refinement::keys(&keys).unwrap_or_default();
        }
        let Some(element) = ty.element_type().filter(|element| **element != Type::Dynamic) else {
            return Refinement::any();
        };
        let element = self.refinement_of(element);
        Refinement::elements(element).unwrap_or_default()
    }

    /// A refinement of one attribute of an object type, or of one element of a tuple type.
    fn attributes_of(&mut self, ty: &Type) -> Refinement {
        let drawn = match ty {
            Type::Object(ty) if !ty.is_empty() => {
                let Some((name, ty)) = ty.iter().nth(self.below(ty.len())) else { return Refinement::any() };
                (*ty != Type::Dynamic).then(|| Refinement::attribute(name, self.refinement_of(ty)))
            }
            Type::Tuple(ty) if !ty.is_empty() => {
                let index = self.below(ty.len());
                let Some(ty) = ty.get(index).filter(|ty| **ty != Type::Dynamic) else {
                    return Refinement::any();
                };
                Some(Refinement::tuple_element(index, self.refinement_of(ty)))
            }
            _ => None,
        };
        drawn.and_then(Result::ok).unwrap_or_default()
    }

    /// A refinement of any kind.
    pub fn refinement(&mut self) -> Refinement {
        let list = Type::list(Type::String).unwrap_or(Type::String);
        let object = Type::object([("a", Type::String)]).unwrap_or(Type::String);
        let ty = self.pick(&[Type::String, Type::Number, list, Type::Bool, object], Type::Bool);
        self.refinement_of(&ty)
    }

    /// A refinement of strings by a small language.
    fn string_language(&mut self) -> Refinement {
        let drawn = match self.below(6) {
            0 => Refinement::suffix(&self.text()),
            1 => Refinement::containing(&self.text()),
            2 => {
                let (low, more) = (self.below(4) as u64, self.below(4) as u64);
                let most = if self.chance(2, 3) { Some(low.saturating_add(more)) } else { None };
                LengthRange::new(low, most).and_then(Refinement::string_length)
            }
            3 => {
                let strings: Vec<String> = (0..=self.below(3)).map(|_| self.text()).collect();
                Refinement::one_of(strings)
            }
            _ => Refinement::pattern(self.pick(
                &[
                    "^[ab]+$",
                    "^a*b?$",
                    "[0-9]$",
                    "^(?:true|false)$",
                    "^[0-9]{1,3}$",
                    "é",
                    "^[^a]*$",
                    r"^\x{301}?a",
                ],
                "",
            )),
        };
        // A long string makes an automaton that is too large.
        drawn.unwrap_or_default()
    }

    /// The multiples of a small number, mostly the integers.
    fn multiples(&mut self) -> Refinement {
        Refinement::multiple_of(self.pick(&[1, 1, 1, 2, 3, 10], 1))
    }

    /// One to four numbers.
    fn few_numbers(&mut self) -> Refinement {
        let numbers: Vec<Number> = (0..=self.below(4)).map(|_| self.number()).collect();
        Refinement::one_of_numbers(numbers).unwrap_or_default()
    }

    /// A range of numbers.
    fn number_range(&mut self) -> NumberRange {
        let (low, high) = (self.number(), self.number());
        let (low, high) = if low <= high { (low, high) } else { (high, low) };
        let (lower, upper) = (self.bound(low.clone()), self.bound(high));
        NumberRange::new(lower, upper).unwrap_or_else(|_| NumberRange::exactly(low))
    }

    /// A bound at the number: inclusive, exclusive or none.
    fn bound(&mut self, number: Number) -> Bound {
        match self.below(3) {
            0 => Bound::Inclusive(number),
            1 => Bound::Exclusive(number),
            _ => Bound::Unbounded,
        }
    }

    /// A range of lengths.
    fn length_range(&mut self) -> LengthRange {
        let (low, more) = (self.some_length(), self.some_length());
        let most = if self.chance(2, 3) { Some(low.saturating_add(more)) } else { None };
        LengthRange::new(low, most).unwrap_or_default()
    }

    /// A length for a bound.
    fn some_length(&mut self) -> u64 {
        match self.below(12) {
            11 => self.pick(&[31, 32, 33, 1000, u64::MAX, u64::MAX - 1], 0),
            length => (length as u64).checked_div(2).unwrap_or(0),
        }
    }

    /// A refinement that holds for everything the value may become.
    pub fn refinement_holding(&mut self, value: &Value) -> Refinement {
        let range = value.range();
        let own = range.refinement();
        if own.nullness() == Nullness::Null {
            // Null is in every range.
            let ty = value.ty();
            return match self.refinement_of(&ty) {
                drawn if drawn.nullness() == Nullness::NotNull => Refinement::null(),
                drawn => drawn,
            };
        }
        let loosened = match own.range() {
            Range::Any => Refinement::any(),
            Range::Prefix(prefix) => Refinement::prefix(&self.beginning(prefix.as_str())),
            Range::Language(language) => match self.below(4) {
                0 => Refinement::prefix(&self.beginning(language.prefix())),
                1 => Refinement::language(language.language().hull()).unwrap_or_default(),
                2 => self
                    .string_language()
                    .join(&Refinement::language(language.language().clone()).unwrap_or_default()),
                _ => Refinement::language(language.language().clone()).unwrap_or_default(),
            },
            Range::Number(range) => {
                let (lower, upper) = (self.looser(range.lower(), -1), self.looser(range.upper(), 1));
                NumberRange::new(lower, upper).map_or(Refinement::any(), Refinement::number)
            }
            Range::Multiples(multiples) => {
                let range = multiples.range();
                let (lower, upper) = (self.looser(range.lower(), -1), self.looser(range.upper(), 1));
                let range = NumberRange::new(lower, upper).map_or(Refinement::any(), Refinement::number);
                match self.below(3) {
                    0 => range,
                    1 => Refinement::integer().meet(&range).unwrap_or(range),
                    _ => Refinement::multiple_of(multiples.step()).meet(&range).unwrap_or(range),
                }
            }
            Range::Numbers(few) => {
                let range = few.range();
                let (lower, upper) = (self.looser(range.lower(), -1), self.looser(range.upper(), 1));
                let range = NumberRange::new(lower, upper).map_or(Refinement::any(), Refinement::number);
                match self.below(3) {
                    0 => range,
                    1 => Refinement::of(own.range().clone()).join(&self.few_numbers()),
                    _ => Refinement::of(own.range().clone()),
                }
            }
            Range::Structure(structure) => {
                let kept = structure.parts().iter().filter(|_| self.chance(2, 3)).cloned();
                Refinement::of(Range::of_structure(kept.collect()))
            }
            Range::Length(_) | Range::Elements(_) => {
                let range = own.length_range().unwrap_or_default();
                let lower = range.lower().saturating_sub(self.below(3) as u64);
                let slack = if self.chance(1, 3) { None } else { Some(self.below(3) as u64) };
                let upper = range.upper().zip(slack).map(|(upper, slack)| upper.saturating_add(slack));
                let length = LengthRange::new(lower, upper).unwrap_or_default();
                if self.chance(1, 2) { own.with_length(length) } else { Refinement::length(length) }
            }
        };
        let stays = own.nullness() == Nullness::NotNull && !self.chance(1, 3);
        if stays { loosened.and_not_null() } else { loosened }
    }

    /// A bound that excludes no number that this one allows: the same or a lower number for a `sign` of -1, the same or
    /// a higher one for 1, or no bound.
    fn looser(&mut self, bound: &Bound, sign: i64) -> Bound {
        let Some(end) = bound.number() else { return Bound::Unbounded };
        let moved = |gap: &Number| gap.multiply(&Number::from(sign)).and_then(|gap| end.add(&gap));
        match self.below(5) {
            0 => bound.clone(),
            1 | 2 => {
                let gap = self.number().absolute();
                let open = self.chance(1, 2);
                match moved(&gap) {
                    Ok(moved) if open && moved != *end => Bound::Exclusive(moved),
                    Ok(moved) if moved == *end => bound.clone(),
                    Ok(moved) => Bound::Inclusive(moved),
                    Err(_) => Bound::Unbounded,
                }
            }
            3 => match moved(&Number::from(1)) {
                Ok(moved) if moved != *end => Bound::Exclusive(moved),
                _ => bound.clone(),
            },
            _ => Bound::Unbounded,
        }
    }
}
