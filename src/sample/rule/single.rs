//! Random rules without inner rules.

use crate::rule::{Format, Networks, Pattern, Rule, Schemes, Unit, Words};
use crate::sample::Sampler;
use crate::types::Type;
use crate::value::Value;

/// Patterns with and without literals, anchors, classes and unbounded repetitions.
const PATTERNS: [&str; 12] = [
    "",
    "^a",
    "b$",
    "^vpc-[0-9a-z]+$",
    "^$",
    ".",
    "^(a|b)*$",
    "\u{e9}",
    "(?i)AB",
    "[[:alpha:]]{2,3}",
    "^a|b$",
    "^\\p{L}+x",
];

/// Lists of URL schemes; the empty one allows any scheme.
const SCHEMES: [&[&str]; 4] = [&["https"], &[], &["http", "HTTPS"], &["s3"]];

/// Prefix lengths of networks. Each is compiled once, so only a few are used.
const NETWORKS: [(u8, u8); 5] = [(8, 24), (0, 128), (16, 16), (0, 32), (48, 64)];

impl Sampler<'_> {
    /// A rule without inner rules that can read the type.
    pub(super) fn single_rule(&mut self, ty: &Type) -> Rule {
        let own = match ty {
            Type::String => self.rule_of_text(),
            Type::Number => self.rule_of_number(),
            Type::List(_) | Type::Set(_) | Type::Tuple(_) => self.rule_of_elements(ty),
            Type::Map(_) | Type::Object(_) => self.rule_of_entries(ty),
            _ => None,
        };
        own.unwrap_or_else(|| self.rule_of_any(ty))
    }

    /// A rule about strings.
    fn rule_of_text(&mut self) -> Option<Rule> {
        Some(match self.below(18) {
            0 => Rule::StartsWith(self.text()),
            1 => Rule::EndsWith(self.text()),
            2 => Rule::Contains(self.text().into()),
            3 => Rule::Matches(Pattern::new(self.pick(&PATTERNS, "")).ok()?),
            4 => self.length_rule(),
            5 | 6 => {
                let all: Vec<Format> = Format::all().collect();
                Rule::Format(self.pick(&all, Format::Json))
            }
            7 => Rule::OneOfIgnoringCase(self.words()?),
            8 => Rule::NoneOfIgnoringCase(self.words()?),
            9 | 10 => self.length_rule_in(),
            11 => Rule::NotZero,
            12 => Rule::NotBefore(self.text()),
            13 => Rule::NotAfter(self.text()),
            14 => Rule::Url(Schemes::new(self.pick(&SCHEMES, &[]).iter().copied()).ok()?),
            15 => {
                let (least, most) = self.pick(&NETWORKS, (8, 24));
                Rule::CidrNetwork(Networks::new(least, most).ok()?)
            }
            _ => return None,
        })
    }

    /// A random list of words.
    fn words(&mut self) -> Option<Words> {
        let count = self.below(4);
        Words::new((0..count).map(|_| self.text()).collect::<Vec<_>>()).ok()
    }

    /// A rule about numbers.
    fn rule_of_number(&mut self) -> Option<Rule> {
        let changes = [Rule::OnlyIncrease, Rule::OnlyDecrease, Rule::MultipleOfOld];
        Some(match self.below(13) {
            0 => Rule::Min(self.number()),
            1 => Rule::Max(self.number()),
            2 => Rule::MultipleOf(self.number()),
            3 => Rule::Even,
            4 => Rule::Odd,
            5 => Rule::Port,
            6 => Rule::PortOrZero,
            7 => Rule::NotZero,
            8 => self.pick(&changes, Rule::OnlyIncrease),
            9 => self.total_of_itself(),
            _ => return None,
        })
    }

    /// A rule about the elements of a list, set or tuple.
    fn rule_of_elements(&mut self, ty: &Type) -> Option<Rule> {
        Some(match self.below(6) {
            0 => {
                let element = match ty {
                    Type::Tuple(ty) => ty.get(self.below(ty.len()))?.clone(),
                    ty => ty.element_type()?.clone(),
                };
                Rule::Contains(self.concrete_of(&element))
            }
            1 => Rule::Unique,
            2 => Rule::NoNulls,
            3 => self.length_rule(),
            _ => return None,
        })
    }

    /// A rule about the entries of a map or object.
    fn rule_of_entries(&mut self, ty: &Type) -> Option<Rule> {
        Some(match self.below(8) {
            0 => Rule::NoNulls,
            1 => Rule::HasKey(self.key_of(ty)),
            2 => self.length_rule(),
            3 => {
                let some = self.chance(1, 2);
                Rule::OneNotNull(some.then(|| vec![self.key_of(ty), self.key_of(ty)]))
            }
            4..7 => self.rule_across(ty)?,
            _ => return None,
        })
    }

    /// A rule about values of any type.
    fn rule_of_any(&mut self, ty: &Type) -> Rule {
        match self.below(6) {
            0 | 1 => Rule::NotNull,
            3 if self.chance(1, 4) => Rule::TypeIs(self.ty(true)),
            3 if self.chance(1, 3) => Rule::TypeIs(ty.clone()),
            2 if self.chance(1, 3) => Rule::Immutable,
            2 => Rule::IsNull,
            3 => Rule::Equals(self.concrete_of(ty)),
            4 => Rule::OneOf(self.operands(ty)),
            _ => Rule::NoneOf(self.operands(ty)),
        }
    }

    /// Values of the type to compare with.
    pub(super) fn operands(&mut self, ty: &Type) -> Vec<Value> {
        let count = self.below(4);
        (0..count).map(|_| self.concrete_of(ty)).collect()
    }

    /// A rule about the length of a string or collection.
    fn length_rule(&mut self) -> Rule {
        let length = self.below(6) as u64;
        match self.below(3) {
            0 => Rule::MinLen(length),
            1 => Rule::MaxLen(length),
            _ => Rule::Len(length),
        }
    }

    /// A rule about a range of lengths.
    fn length_rule_in(&mut self) -> Rule {
        let unit = if self.chance(1, 2) { Unit::Bytes } else { Unit::Graphemes };
        let length = self.below(6) as u64;
        match self.below(3) {
            0 => Rule::MinLenIn(unit, length),
            1 => Rule::MaxLenIn(unit, length),
            _ => Rule::LenIn(unit, length),
        }
    }
}
