//! Random rules without inner rules.

use crate::rule::{Format, Networks, Pattern, Rule, Schemes, Unit, Words};
use crate::sample::Sampler;
use crate::types::Type;
use crate::value::Value;

/// Regular expressions for random rules: with and without literals, anchors, classes and unbounded repetitions.
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

/// Ranges of prefix lengths of networks, minimum and maximum. Each is compiled once, so there are few.
const NETWORKS: [(u8, u8); 5] = [(8, 24), (0, 128), (16, 16), (0, 32), (48, 64)];

impl Sampler<'_> {
    /// A random rule without inner rules that can read values of the type.
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

    /// A random rule about strings. `None` in some of the draws, so that the caller draws a rule for any type.
    fn rule_of_text(&mut self) -> Option<Rule> {
        Some(match self.below(18) {
            0 => Rule::starts_with(self.text()),
            1 => Rule::ends_with(self.text()),
            2 => Rule::contains(self.text()),
            3 => Rule::matches(Pattern::new(self.pick(&PATTERNS, "")).ok()?),
            4 => self.length_rule(),
            5 | 6 => {
                let all: Vec<Format> = Format::all().collect();
                Rule::format(self.pick(&all, Format::Json))
            }
            7 => Rule::one_of_ignoring_case(self.words()?),
            8 => Rule::none_of_ignoring_case(self.words()?),
            9 | 10 => self.length_rule_in(),
            11 => Rule::not_zero(),
            12 => Rule::not_before(self.text()),
            13 => Rule::not_after(self.text()),
            14 => Rule::url(Schemes::new(self.pick(&SCHEMES, &[]).iter().copied()).ok()?),
            15 => {
                let (least, most) = self.pick(&NETWORKS, (8, 24));
                Rule::cidr_network(Networks::new(least, most).ok()?)
            }
            _ => return None,
        })
    }

    /// A random list of up to three strings for a rule to compare with; `None` if they are not allowed as such a
    /// list.
    fn words(&mut self) -> Option<Words> {
        let count = self.below(4);
        Words::new((0..count).map(|_| self.text()).collect::<Vec<_>>()).ok()
    }

    /// A random rule about numbers. `None` in some of the draws, so that the caller draws a rule for any type.
    fn rule_of_number(&mut self) -> Option<Rule> {
        let changes = [Rule::only_increase(), Rule::only_decrease(), Rule::multiple_of_old()];
        Some(match self.below(13) {
            0 => Rule::min(self.number()),
            1 => Rule::max(self.number()),
            2 => Rule::multiple_of(self.number()),
            3 => Rule::even(),
            4 => Rule::odd(),
            5 => Rule::port(),
            6 => Rule::port_or_zero(),
            7 => Rule::not_zero(),
            8 => self.pick(&changes, Rule::only_increase()),
            9 => self.total_of_itself(),
            _ => return None,
        })
    }

    /// A random rule about the elements of a list, set or tuple. `None` for other types, and in a third of the draws,
    /// so that the caller draws a rule for any type.
    fn rule_of_elements(&mut self, ty: &Type) -> Option<Rule> {
        Some(match self.below(6) {
            0 => {
                let element = match ty {
                    Type::Tuple(ty) => ty.get(self.below(ty.len()))?.clone(),
                    ty => ty.element_type()?.clone(),
                };
                Rule::contains(self.concrete_of(&element))
            }
            1 => Rule::unique(),
            2 => Rule::no_nulls(),
            3 => self.length_rule(),
            _ => return None,
        })
    }

    /// A random rule about the entries of a map or object. `None` in some of the draws, so that the caller draws a
    /// rule for any type.
    fn rule_of_entries(&mut self, ty: &Type) -> Option<Rule> {
        Some(match self.below(8) {
            0 => Rule::no_nulls(),
            1 => Rule::has_key(self.key_of(ty)),
            2 => self.length_rule(),
            3 => {
                if self.chance(1, 2) {
                    Rule::one_not_null_of([self.key_of(ty), self.key_of(ty)])
                } else {
                    Rule::one_not_null()
                }
            }
            4..7 => self.rule_across(ty)?,
            _ => return None,
        })
    }

    /// A random rule of a kind that reads values of every type, such as one about null, equality or the type itself.
    fn rule_of_any(&mut self, ty: &Type) -> Rule {
        match self.below(6) {
            0 | 1 => Rule::NotNull,
            3 if self.chance(1, 4) => Rule::type_is(self.ty(true)),
            3 if self.chance(1, 3) => Rule::type_is(ty.clone()),
            2 if self.chance(1, 3) => Rule::immutable(),
            2 => Rule::IsNull,
            3 => Rule::equals(self.concrete_of(ty)),
            4 => Rule::one_of(self.operands(ty)),
            _ => Rule::none_of(self.operands(ty)),
        }
    }

    /// Up to three random known values of the type, for a rule to compare values with.
    pub(super) fn operands(&mut self, ty: &Type) -> Vec<Value> {
        let count = self.below(4);
        (0..count).map(|_| self.concrete_of(ty)).collect()
    }

    /// A random rule about the length of a string or collection.
    fn length_rule(&mut self) -> Rule {
        let length = self.below(6) as u64;
        match self.below(3) {
            0 => Rule::min_len(length),
            1 => Rule::max_len(length),
            _ => Rule::len(length),
        }
    }

    /// A random rule about the length of a string in bytes or in grapheme clusters.
    fn length_rule_in(&mut self) -> Rule {
        let unit = if self.chance(1, 2) { Unit::Bytes } else { Unit::Graphemes };
        let length = self.below(6) as u64;
        match self.below(3) {
            0 => Rule::min_len_in(unit, length),
            1 => Rule::max_len_in(unit, length),
            _ => Rule::len_in(unit, length),
        }
    }
}
