//! Writing refinements and ranges as text.

use std::fmt;

use super::Quoted;
use crate::refinement::string_language::Form;
use crate::refinement::{
    Bound, ElementRange, LengthRange, Multiples, Nullness, NumberRange, Numbers, Prefix, Range, Refinement,
    StringLanguage, StructureRange,
};

impl fmt::Display for Refinement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.nullness(), self.range()) {
            (Nullness::Nullable, Range::Any) => f.write_str("any()"),
            (Nullness::Nullable, range) => range.fmt(f),
            (Nullness::NotNull, Range::Any) => f.write_str("notnull()"),
            (Nullness::NotNull, range) => write!(f, "notnull({range})"),
            (Nullness::Null, _) => f.write_str("null()"),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::Any => f.write_str("any()"),
            Range::Prefix(prefix) => prefix.fmt(f),
            Range::Number(range) => range.fmt(f),
            Range::Length(range) => range.fmt(f),
            Range::Language(language) => language.fmt(f),
            Range::Multiples(multiples) => multiples.fmt(f),
            Range::Elements(elements) => elements.fmt(f),
            Range::Numbers(numbers) => numbers.fmt(f),
            Range::Structure(structure) => structure.fmt(f),
        }
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stringprefix({})", Quoted(self.as_str()))
    }
}

impl fmt::Display for StringLanguage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.form() {
            Form::Suffix(suffix) => write!(f, "stringsuffix({})", Quoted(suffix)),
            Form::Containing(part) => write!(f, "stringcontains({})", Quoted(part)),
            Form::Lengths(least, None) => write!(f, "stringlengthmin({least})"),
            Form::Lengths(0, Some(most)) => write!(f, "stringlengthmax({most})"),
            Form::Lengths(least, Some(most)) if least == most => write!(f, "stringlength({least})"),
            Form::Lengths(least, Some(most)) => write!(f, "stringlength({least}, {most})"),
            Form::OneOf(strings) => {
                f.write_str("oneof(")?;
                for (place, string) in strings.iter().enumerate() {
                    write!(f, "{}{}", if place == 0 { "" } else { ", " }, Quoted(string))?;
                }
                f.write_str(")")
            }
            Form::Enclosed(..) => {
                let pattern = self.language().to_regex().unwrap_or_default();
                write!(f, "stringpattern({})", Quoted(&pattern))
            }
            Form::Pattern(pattern) => write!(f, "stringpattern({})", Quoted(pattern)),
            Form::Table(table) => write!(f, "stringautomaton({})", Quoted(table)),
        }
    }
}

impl fmt::Display for NumberRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Bound::Inclusive(lower), Bound::Inclusive(upper)) = (self.lower(), self.upper()) {
            return write!(f, "numberrange({lower}, {upper})");
        }
        match self.lower() {
            Bound::Unbounded => {}
            Bound::Inclusive(number) => write!(f, "numbermin({number})")?,
            Bound::Exclusive(number) => write!(f, "numberabove({number})")?,
        }
        match (self.lower(), self.upper()) {
            (Bound::Unbounded, Bound::Unbounded) => return f.write_str("any()"),
            (Bound::Unbounded, _) | (_, Bound::Unbounded) => {}
            _ => f.write_str(", ")?,
        }
        match self.upper() {
            Bound::Unbounded => Ok(()),
            Bound::Inclusive(number) => write!(f, "numbermax({number})"),
            Bound::Exclusive(number) => write!(f, "numberbelow({number})"),
        }
    }
}

impl fmt::Display for Multiples {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = self.stated_range();
        match (self.step(), range.is_trivial()) {
            (1, true) => f.write_str("numberinteger()"),
            (1, false) => write!(f, "numberinteger({range})"),
            (step, true) => write!(f, "numbermultiple({step})"),
            (step, false) => write!(f, "numbermultiple({step}, {range})"),
        }
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("oneof(")?;
        for (place, number) in self.as_slice().iter().enumerate() {
            write!(f, "{}{number}", if place == 0 { "" } else { ", " })?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for LengthRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.lower(), self.upper()) {
            (0, None) => f.write_str("any()"),
            (min, None) => write!(f, "lengthmin({min})"),
            (min, Some(max)) if min == max => write!(f, "length({min})"),
            (0, Some(max)) => write!(f, "lengthmax({max})"),
            (min, Some(max)) => write!(f, "length({min}, {max})"),
        }
    }
}

impl fmt::Display for ElementRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.length();
        if !length.is_trivial() {
            write!(f, "{length}, ")?;
        }
        if !self.element().is_trivial() {
            write!(f, "elements({})", self.element())?;
        }
        if *self.keys() != Range::Any {
            let separator = if self.element().is_trivial() { "" } else { ", " };
            write!(f, "{separator}keys({})", self.keys())?;
        }
        Ok(())
    }
}

impl fmt::Display for StructureRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (name, refinement) in self.attributes() {
            write!(f, "{separator}attribute({}, {refinement})", Quoted(name))?;
            separator = ", ";
        }
        for (index, refinement) in self.elements() {
            write!(f, "{separator}tupleelement({index}, {refinement})")?;
            separator = ", ";
        }
        Ok(())
    }
}
