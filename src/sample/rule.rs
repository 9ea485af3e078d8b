//! Random rules.

use super::Sampler;
use crate::limits;
use crate::rule::{ExprStep, Format, Networks, PathExpr, Pattern, Requirement, Rule, Schemes, Unit, Words};
use crate::types::{ObjectType, Type};

/// Expressions with and without literals to hold on to, anchors, classes and what has no end.
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

const FORMATS: [Format; 7] = [
    Format::Json,
    Format::Yaml,
    Format::Ipv4,
    Format::Quantity,
    Format::Port,
    Format::UriReference,
    Format::Base64,
];

impl Sampler<'_> {
    /// A rule that can read values of this type, nested up to the depth of the size.
    ///
    /// ```
    /// use plantime::Type;
    /// use plantime::sample::{Sampler, Seed, Size};
    ///
    /// let rule = Sampler::new(&mut Seed::new(1), Size::default()).rule_for(&Type::String);
    /// assert!(rule.check_type(&Type::String).is_ok());
    /// ```
    pub fn rule_for(&mut self, ty: &Type) -> Rule {
        let depth = self.below(self.size.depth.min(limits::DEPTH).saturating_add(1));
        let rule = self.rule_within(ty, depth);
        if rule.check_type(ty).is_ok() { rule } else { Rule::NotNull }
    }

    fn rule_within(&mut self, ty: &Type, depth: usize) -> Rule {
        self.spend(1);
        if depth == 0 || self.left() == 0 || self.chance(1, 2) {
            return self.single_rule(ty);
        }
        let below = depth.saturating_sub(1);
        let rule = match self.below(6) {
            0 if matches!(ty, Type::Map(_) | Type::Object(_)) => {
                Rule::keys(self.rule_within(&Type::String, below))
            }
            0 => Rule::not(self.rule_within(ty, below)),
            1 => Rule::implies(self.rule_within(ty, below), self.rule_within(ty, below)),
            2 => Rule::when(self.rule_within(ty, below), self.rule_within(ty, below)),
            3 => {
                let rules: Vec<Rule> = self.few_rules(ty, below);
                if self.chance(1, 4) { Rule::sequence(rules) } else { Rule::all(rules) }
            }
            4 => {
                let rules: Vec<Rule> = self.few_rules(ty, below);
                Rule::any(rules)
            }
            _ => match self.place_in(ty) {
                Some((place, part)) => Rule::at(place, self.rule_within(&part, below)),
                None => Rule::not(self.rule_within(ty, below)),
            },
        };
        rule.unwrap_or(Rule::NotNull)
    }

    fn few_rules(&mut self, ty: &Type, depth: usize) -> Vec<Rule> {
        let count = self.below(4);
        (0..count).map(|_| self.rule_within(ty, depth)).collect()
    }

    fn single_rule(&mut self, ty: &Type) -> Rule {
        let own = match ty {
            Type::String => match self.below(14) {
                12 => Some(Rule::NotBefore(self.text())),
                13 => Some(Rule::NotAfter(self.text())),
                8 => Some(Rule::NotZero),
                9 => Schemes::new(self.chance(1, 2).then_some("https")).ok().map(Rule::Url),
                10 => Networks::new(8, 24).ok().map(Rule::CidrNetwork),
                0 => Some(Rule::StartsWith(self.text())),
                1 => Some(Rule::EndsWith(self.text())),
                2 => Some(Rule::Contains(self.text().into())),
                3 => Pattern::new(self.pick(&PATTERNS, "")).ok().map(Rule::Matches),
                4 => Some(self.length_rule()),
                5 => Some(Rule::Format(self.pick(&FORMATS, Format::Json))),
                6 => Words::new([self.text(), self.text()]).ok().map(Rule::OneOfIgnoringCase),
                7 => {
                    let unit = if self.chance(1, 2) { Unit::Bytes } else { Unit::Graphemes };
                    Some(Rule::MinLenIn(unit, self.below(6) as u64))
                }
                _ => None,
            },
            Type::Number => match self.below(13) {
                8 => Some(Rule::PortOrZero),
                10 => {
                    let changes = [Rule::OnlyIncrease, Rule::OnlyDecrease, Rule::MultipleOfOld];
                    Some(self.pick(&changes, Rule::OnlyIncrease))
                }
                9 => Some(self.arithmetic_rule(&[PathExpr::new()])),
                6 => Some(Rule::Port),
                7 => Some(Rule::NotZero),
                3 => Some(Rule::MultipleOf(self.number())),
                4 => Some(Rule::Even),
                5 => Some(Rule::Odd),
                0 => Some(Rule::Min(self.number())),
                1 => Some(Rule::Max(self.number())),
                _ => None,
            },
            Type::List(_) | Type::Set(_) if self.chance(1, 3) => {
                let element = ty.element_type().cloned().unwrap_or(Type::Bool);
                Some(Rule::Contains(self.concrete_of(&element)))
            }
            Type::List(_) | Type::Set(_) | Type::Tuple(_) if self.chance(1, 3) => Some(Rule::Unique),
            Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) | Type::Object(_)
                if self.chance(1, 4) =>
            {
                Some(Rule::NoNulls)
            }
            Type::Map(_) if self.chance(1, 4) => Some(Rule::OneNotNull(None)),
            Type::Map(_) if self.chance(1, 3) => Some(Rule::HasKey(self.name())),
            Type::List(_) | Type::Set(_) | Type::Map(_) | Type::Tuple(_) if self.chance(1, 2) => {
                Some(self.length_rule())
            }
            Type::Object(object) if self.chance(1, 2) => {
                let paths: Vec<PathExpr> = object
                    .iter()
                    .filter_map(|(name, _)| PathExpr::from_steps([ExprStep::Attr(name.to_owned())]).ok())
                    .collect();
                let (first, last) = (paths.first().cloned(), paths.last().cloned());
                Some(match self.below(12) {
                    8 => match first.zip(last) {
                        Some((path, alternative)) => Rule::PreferWriteOnly(path, alternative),
                        None => Rule::OneNotNull(None),
                    },
                    9..12 => self.total_of(object).unwrap_or(Rule::NoNulls),
                    4 => Rule::AlsoRequires(first.unwrap_or_default(), paths),
                    5 => match (first.zip(last), object.iter().next()) {
                        (Some((path, last)), Some((_, ty))) => {
                            let one_of = vec![self.concrete_of(ty)];
                            Rule::RequiredWhen(Box::new(Requirement { path, one_of, required: vec![last] }))
                        }
                        _ => Rule::OneNotNull(None),
                    },
                    6 => Rule::OneNotNull(self.chance(1, 2).then(|| vec![self.name(), self.name()])),
                    0 => Rule::ExactlyOneOf(paths),
                    1 => Rule::AtLeastOneOf(paths),
                    2 => Rule::Conflicting(paths),
                    3 => Rule::RequiredTogether(paths),
                    _ => self.length_rule(),
                })
            }
            _ => None,
        };
        own.unwrap_or_else(|| match self.below(6) {
            0 | 1 => Rule::NotNull,
            3 if self.chance(1, 4) => Rule::TypeIs(self.ty(true)),
            3 if self.chance(1, 3) => Rule::TypeIs(ty.clone()),
            2 if self.chance(1, 3) => Rule::Immutable,
            2 => Rule::IsNull,
            3 => Rule::Equals(self.concrete_of(ty)),
            4 => Rule::OneOf(self.operands(ty)),
            _ => Rule::NoneOf(self.operands(ty)),
        })
    }

    fn operands(&mut self, ty: &Type) -> Vec<crate::value::Value> {
        let count = self.below(4);
        (0..count).map(|_| self.concrete_of(ty)).collect()
    }

    /// A sum or a product of the numbers of an object, asked of one of them.
    fn total_of(&mut self, object: &ObjectType) -> Option<Rule> {
        let numbers: Vec<&str> =
            object.iter().filter(|(_, ty)| **ty == Type::Number).map(|(name, _)| name).collect();
        let total = *numbers.get(self.below(numbers.len()))?;
        let beside =
            |name: &&str| PathExpr::from_steps([ExprStep::Parent, ExprStep::Attr((*name).to_owned())]).ok();
        let parts: Vec<PathExpr> = numbers.iter().filter_map(beside).collect();
        let rule = self.arithmetic_rule(&parts);
        Rule::at(PathExpr::from_steps([ExprStep::Attr(total.to_owned())]).ok()?, rule).ok()
    }

    fn arithmetic_rule(&mut self, paths: &[PathExpr]) -> Rule {
        let paths = paths.iter().filter(|_| self.chance(2, 3)).cloned().collect();
        match self.below(4) {
            0 => Rule::AtLeastSumOf(paths),
            1 => Rule::AtMostSumOf(paths),
            2 => Rule::EqualToSumOf(paths),
            _ => Rule::EqualToProductOf(paths),
        }
    }

    fn length_rule(&mut self) -> Rule {
        let length = self.below(6) as u64;
        match self.below(3) {
            0 => Rule::MinLen(length),
            1 => Rule::MaxLen(length),
            _ => Rule::Len(length),
        }
    }

    /// A path one step into a type, and the type there.
    fn place_in(&mut self, ty: &Type) -> Option<(PathExpr, Type)> {
        let (step, part) = match ty {
            Type::Object(object) => {
                let place = self.below(object.len());
                (ExprStep::Attr(object.name_at(place)?.to_owned()), object.type_at(place)?.clone())
            }
            Type::Tuple(tuple) => {
                let place = self.below(tuple.len());
                (ExprStep::Index(place as u64), tuple.get(place)?.clone())
            }
            Type::List(list) => {
                let some = ExprStep::Index(self.below(3) as u64);
                let step = if self.chance(1, 2) { some } else { ExprStep::AnyElement };
                (step, list.element().clone())
            }
            Type::Set(set) => (ExprStep::AnyElement, set.element().clone()),
            Type::Map(map) => {
                let some = ExprStep::Key(self.name());
                let step = if self.chance(1, 2) { some } else { ExprStep::AnyElement };
                (step, map.element().clone())
            }
            _ => return None,
        };
        Some((PathExpr::from_steps([step]).ok()?, part))
    }
}
