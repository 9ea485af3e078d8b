//! Random rules without inner rules.

use crate::rule::{Format, Networks, Pattern, Read, Rule, Schemes, Words, keywords};
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
        match self.below(9) {
            0 => Some(Rule::contains(self.text())),
            1 => Some(self.length_rule()),
            2 => Some(Rule::not_zero()),
            // Drawn more often than other keywords: each of its arguments is a rule of another kind.
            3 => self.rule_with_argument(Read::Format(Rule::format)),
            4 => None,
            _ => self.rule_only_for(&Type::String),
        }
    }

    /// A random rule of the keywords that read only strings, or only numbers, with a random argument. `None` if the
    /// argument drawn is not a valid one, and for arguments that lead to other values.
    fn rule_only_for(&mut self, ty: &Type) -> Option<Rule> {
        let rows = || keywords().iter().filter(|row| row.is_only_for(ty));
        let row = rows().nth(self.below(rows().count()))?;
        self.rule_with_argument(row.read)
    }

    /// A rule with a random argument, of the kind that its keyword takes. `None` for kinds of arguments that no rule
    /// on strings or numbers alone has, and if the argument drawn is not valid.
    fn rule_with_argument(&mut self, read: Read) -> Option<Rule> {
        Some(match read {
            Read::Flag(of) => of(),
            Read::Text(of) => of(self.text()),
            Read::Length(of) => of(self.below(6) as u64),
            Read::Number(of) | Read::Bound(of, _) => of(self.number()),
            Read::Pattern(of) => of(Pattern::new(self.pick(&PATTERNS, "")).ok()?).ok()?,
            Read::Format(of) => {
                let all: Vec<Format> = Format::all().collect();
                of(self.pick(&all, Format::Json))
            }
            Read::Words(of) => of(self.words()?),
            Read::Schemes(of) => of(Schemes::new(self.pick(&SCHEMES, &[]).iter().copied()).ok()?),
            Read::Networks(of) => {
                let (least, most) = self.pick(&NETWORKS, (8, 24));
                of(Networks::new(least, most).ok()?)
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
        match self.below(8) {
            0 => Some(Rule::not_zero()),
            1 => Some(self.total_of_itself()),
            2 | 3 => None,
            _ => self.rule_only_for(&Type::Number),
        }
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
}
