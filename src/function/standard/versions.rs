//! Functions of versions, for rules: `versioncmp` and `versionmatches`. The order of versions, and what a constraint means for
//! prereleases, are those of HashiCorp's go-version, which Terraform reads versions with.

use core::cmp::Ordering;

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::{Bound, NumberRange, Refinement};
use crate::text::VisibleInMessage;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::StandardFunction;

/// Adds `versioncmp` and `versionmatches`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let compare = Function::new("versioncmp")
        .description("-1, 0 or 1 as the first version is less than, equal to or greater than the second one.")
        .parameter(Parameter::new("a", Type::String))
        .parameter(Parameter::new("b", Type::String))
        .returns(Type::Number)
        .not_null()
        .transformer(|arguments| {
            for index in 0..2 {
                if arguments.at(index).is_known() {
                    Version::argument(arguments, index)?;
                }
            }
            let range = NumberRange::new(Bound::inclusive(-1), Bound::inclusive(1)).unwrap_or_default();
            Ok(canonical(Type::Number, Refinement::integer_in(&range).and_not_null()))
        })
        .body(|arguments| {
            let order = Version::argument(arguments, 0)?.compare(&Version::argument(arguments, 1)?);
            Ok(Value::from(Number::from(order as i8)))
        });
    let matches = Function::new("versionmatches")
        .description("Whether a version meets each of the constraints, such as `>= 1.2, < 2.0`.")
        .parameter(Parameter::new("version", Type::String))
        .parameter(Parameter::new("constraint", Type::String))
        .returns(Type::Bool)
        .not_null()
        .transformer(|arguments| {
            if arguments.at(0).is_known() {
                Version::argument(arguments, 0)?;
            }
            if arguments.at(1).is_known() {
                constraints(arguments)?;
            }
            Ok(canonical(Type::Bool, Refinement::not_null()))
        })
        .body(|arguments| {
            let version = Version::argument(arguments, 0)?;
            Ok(Value::from(constraints(arguments)?.iter().all(|constraint| constraint.admits(&version))))
        });
    let note = "an integer from -1 to 1; an error if a known version is invalid";
    functions.push(StandardFunction::rules_only(compare, note));
    let note = "that the result is not null; an error if a known version or constraint is invalid";
    functions.push(StandardFunction::rules_only(matches, note));
}

/// The minimum number of numbers of a version: further ones are 0.
const LEAST_NUMBERS: usize = 3;

/// A version: `1.2.3-beta.1+build`.
struct Version<'t> {
    numbers: Vec<i64>,
    /// How many numbers are written.
    written: usize,
    /// What follows the numbers; empty for a release.
    prerelease: &'t str,
}

impl<'t> Version<'t> {
    /// The version in an argument, which is known.
    fn argument(arguments: &'t Arguments<'_>, index: usize) -> Result<Version<'t>> {
        let text = arguments.text(index)?;
        Version::read(text).ok_or_else(|| {
            let message = format!("malformed version: {}", VisibleInMessage(text));
            Error::new(Kind::Syntax, message).in_argument(index)
        })
    }

    /// Reads a version: numbers with points between them, perhaps after a `v`; a prerelease, which needs no `-` before a letter; a build
    /// after `+`. `None` if the text is none, or a number is too large.
    fn read(text: &'t str) -> Option<Version<'t>> {
        let (core, build) = match text.split_once('+') {
            Some((core, build)) => (core, Some(build)),
            None => (text, None),
        };
        let core = core.strip_prefix('v').unwrap_or(core);
        let end = core.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(core.len());
        let (numbers, rest) = core.split_at_checked(end)?;
        let mut numbers: Vec<i64> =
            numbers.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let written = numbers.len();
        numbers.resize(written.max(LEAST_NUMBERS), 0);
        let prerelease = match rest.strip_prefix('-') {
            // A hyphen alone is the prerelease itself.
            Some(after) if !after.is_empty() => after,
            _ => rest,
        };
        let is_word = |word: &str| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '~'))
        };
        let is_fit = |words: &str| words.split('.').all(is_word);
        let is_version = (prerelease.is_empty() || is_fit(prerelease)) && build.is_none_or(is_fit);
        is_version.then_some(Version { numbers, written, prerelease })
    }

    fn is_prerelease(&self) -> bool {
        !self.prerelease.is_empty()
    }

    /// The order of versions. The build does not count. Versions with a different number of numbers are equal if the further ones are 0,
    /// whatever their prereleases are.
    fn compare(&self, other: &Version<'_>) -> Ordering {
        if self.numbers == other.numbers {
            return match (self.is_prerelease(), other.is_prerelease()) {
                (false, false) => Ordering::Equal,
                (false, true) => Ordering::Greater,
                (true, false) => Ordering::Less,
                (true, true) => compare_prereleases(self.prerelease, other.prerelease),
            };
        }
        let count = self.numbers.len().max(other.numbers.len());
        let at = |version: &Version<'_>, index: usize| version.numbers.get(index).copied().unwrap_or(0);
        (0..count)
            .map(|index| at(self, index).cmp(&at(other, index)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

/// The order of prereleases, word by word: numbers before other words; fewer words before more numbers, and after more other words.
fn compare_prereleases(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.split('.'), b.split('.'));
    loop {
        let order = match (a.next(), b.next()) {
            (None, None) => return Ordering::Equal,
            (a, b) => compare_words(a.unwrap_or_default(), b.unwrap_or_default()),
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// The order of two words of prereleases; an empty one is missing.
fn compare_words(a: &str, b: &str) -> Ordering {
    let number = |word: &str| word.parse::<i64>().ok();
    match (number(a), number(b)) {
        _ if a == b => Ordering::Equal,
        (_, other) if a.is_empty() => {
            if other.is_some() {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (own, _) if b.is_empty() => {
            if own.is_some() {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
        // Two spellings of one number are in no order: the first counts as the lesser one.
        (Some(a), Some(b)) => {
            if a > b {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
    }
}

/// How a version is compared with that of a constraint.
#[derive(Clone, Copy)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    /// `~>`: only the last written number may be greater.
    Pessimistic,
}

/// The operators as they are written. One that begins with another one comes first.
const OPERATORS: [(&str, Operator); 7] = [
    ("!=", Operator::NotEqual),
    (">=", Operator::GreaterOrEqual),
    ("<=", Operator::LessOrEqual),
    ("~>", Operator::Pessimistic),
    ("=", Operator::Equal),
    (">", Operator::Greater),
    ("<", Operator::Less),
];

/// A constraint: `>= 1.2`.
struct Constraint<'t> {
    operator: Operator,
    version: Version<'t>,
}

/// The constraints in the second argument, which is known.
fn constraints<'t>(arguments: &'t Arguments<'_>) -> Result<Vec<Constraint<'t>>> {
    let text = arguments.text(1)?;
    let read = |part: &'t str| {
        let part = part.trim_matches([' ', '\t', '\n', '\r', '\u{c}']);
        let found = OPERATORS.iter().find_map(|(word, operator)| Some((*operator, part.strip_prefix(word)?)));
        let (operator, version) = found.unwrap_or((Operator::Equal, part));
        let version = Version::read(version.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']))?;
        Some(Constraint { operator, version })
    };
    text.split(',').map(read).collect::<Option<_>>().ok_or_else(|| {
        let message = format!("malformed constraint: {}", VisibleInMessage(text));
        Error::new(Kind::Syntax, message).in_argument(1)
    })
}

impl Constraint<'_> {
    /// Whether a version meets the constraint.
    fn admits(&self, version: &Version<'_>) -> bool {
        let order = version.compare(&self.version);
        // A prerelease is only compared with prereleases of the same version.
        let is_comparable = !version.is_prerelease()
            || self.version.is_prerelease() && version.numbers == self.version.numbers;
        match self.operator {
            Operator::Equal => order.is_eq(),
            Operator::NotEqual => order.is_ne(),
            Operator::Greater => is_comparable && order.is_gt(),
            Operator::GreaterOrEqual => is_comparable && order.is_ge(),
            Operator::Less => is_comparable && order.is_lt(),
            Operator::LessOrEqual => is_comparable && order.is_le(),
            Operator::Pessimistic => is_comparable && order.is_ge() && self.is_within_last_number(version),
        }
    }

    /// Whether a version that is not less has the written numbers of the constraint but the last.
    fn is_within_last_number(&self, version: &Version<'_>) -> bool {
        let (least, given) = (&self.version.numbers, &version.numbers);
        let fixed = self.version.written.saturating_sub(1);
        let last = |numbers: &[i64]| numbers.get(least.len().saturating_sub(1)).copied().unwrap_or(0);
        (!self.version.is_prerelease() || version.is_prerelease())
            && least.len() <= given.len()
            && least.get(..fixed) == given.get(..fixed)
            && last(least) <= last(given)
    }
}
