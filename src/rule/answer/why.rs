//! The reason for an undetermined outcome, and the obligation that remains.

use std::fmt;

use smallvec::{SmallVec, smallvec};

use crate::path::Path;
use crate::refinement::Range;
use crate::value::{Value, View};

use crate::rule::{Request, Rule};

/// The maximum number of unknown values inside one value that are named as inputs.
const MAX_PARTS: usize = 32;

/// The maximum number of inputs of one reason, and of its notes; further ones are dropped.
const MAX_NAMED: usize = 64;

/// Why an outcome is undetermined.
///
/// The **obligation** is the part of the rule that is not decided yet: on every value that the checked one may become it
/// has the same outcome as the rule. Store it, and check it again when more is known.
///
/// ```
/// use plantime::rule::Rule;
/// use plantime::{Refinement, Type, Value};
///
/// let id = Value::refined(Type::String, Refinement::prefix("vpc-"))?;
/// let rule = Rule::all([Rule::starts_with("vpc-"), Rule::NotNull])?;
/// let outcome = rule.check_value(&id)?;
/// let why = outcome.why().unwrap();
/// assert_eq!(why.obligation(), Some(&Rule::NotNull));
/// assert_eq!(why.passes_if(), "it turns out not null");
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Why(Box<Inner>);

/// The content of a reason, in one allocation so that an outcome stays small.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Inner {
    /// The unknown values that the outcome depends on.
    inputs: SmallVec<[Path; 1]>,
    /// The rule that remains to be checked; `None` until one is set.
    obligation: Option<Rule>,
    /// Known facts worth reporting.
    notes: Vec<Note>,
    /// Whether a value has an undecided type that may turn out to be one that the rule cannot read.
    may_be_misuse: bool,
}

/// A known fact that the reason reports. A range is formatted on demand, because most outcomes are only counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Note {
    Text(String),
    /// The range of possible values, described as if the value is not null.
    Range(Range),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Text(text) => f.write_str(text),
            Note::Range(range) => write!(f, "{}", range.describe()),
        }
    }
}

impl Why {
    /// The reason that these inputs are unknown, for a [`Custom`](crate::rule::Custom) rule. Without
    /// [`with_obligation`](Why::with_obligation) the custom rule itself is the obligation.
    ///
    /// ```
    /// use plantime::rule::{Custom, Outcome, Rule, Why};
    /// use plantime::{Type, Value};
    ///
    /// let later = Custom::new("later", |request| {
    ///     Ok(Outcome::Undetermined(Why::new([request.path().clone()]).with_note("the server decides")))
    /// });
    /// let outcome = Rule::Custom(later.clone()).check_value(&Value::unknown(Type::String))?;
    /// let why = outcome.why().unwrap();
    /// assert_eq!((why.inputs().len(), why.notes()), (1, vec!["the server decides".to_owned()]));
    /// assert_eq!(why.obligation(), Some(&Rule::Custom(later)));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn new(inputs: impl IntoIterator<Item = Path>) -> Why {
        let mut why = Why(Box::default());
        why.add_inputs(inputs);
        why
    }

    /// The reason for a rule that depends on one unknown value only: its path, the range known of it as a note, and
    /// the rule itself as the obligation.
    pub(in crate::rule) fn of_unknown(path: &Path, known: &Range, rule: &Rule) -> Why {
        let path = if path.is_empty() { Path::new() } else { path.clone() };
        let notes = match known {
            Range::Any => Vec::new(),
            known => vec![Note::Range(known.clone())],
        };
        Why(Box::new(Inner {
            inputs: smallvec![path],
            obligation: Some(rule.clone()),
            notes,
            may_be_misuse: false,
        }))
    }

    /// The reason that names all unknown values inside the value of a request as inputs; without an obligation.
    pub(in crate::rule) fn of_unknown_parts(request: &Request<'_>) -> Why {
        let mut inputs = Vec::new();
        unknown_parts(request.value, &request.path, &mut inputs);
        if inputs.is_empty() {
            inputs.push(request.path.clone());
        }
        Why::new(inputs)
    }

    /// Sets the obligation: the rule that is left to check.
    ///
    /// [Example](Why)
    #[must_use]
    pub fn with_obligation(mut self, rule: Rule) -> Why {
        self.0.obligation = Some(rule);
        self
    }

    /// Adds a note of a fact known so far, such as `starts with "orders-"`.
    ///
    /// [Example](Why::new)
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Why {
        self.add_notes([Note::Text(note.into())]);
        self
    }

    /// Removes a note that [`with_note`](Why::with_note) added.
    #[doc(hidden)]
    pub fn without_note(mut self, note: &str) -> Why {
        self.0.notes.retain(|own| !matches!(own, Note::Text(text) if text == note));
        self
    }

    /// Adds the range known of the value, if it is not null, as a note; nothing for a range that allows every value.
    pub(in crate::rule) fn with_range(mut self, range: &Range) -> Why {
        if *range != Range::Any {
            self.add_notes([Note::Range(range.clone())]);
        }
        self
    }

    /// The paths of the unknown values that the outcome depends on.
    ///
    /// [Example](Why::new)
    pub fn inputs(&self) -> &[Path] {
        &self.0.inputs
    }

    /// The rule that remains to be checked. Outcomes of [`Rule::check`] always have one.
    ///
    /// [Example](Why)
    pub fn obligation(&self) -> Option<&Rule> {
        self.0.obligation.as_ref()
    }

    /// The facts known so far: `starts with "orders-"`, `it may still be "a", "b"`.
    ///
    /// [Example](Why::new)
    pub fn notes(&self) -> Vec<String> {
        self.0.notes.iter().map(Note::to_string).collect()
    }

    /// What must turn out for the rule to pass, in words: `cidr_block turns out null`.
    ///
    /// [Example](Why)
    pub fn passes_if(&self) -> String {
        self.obligation().map(Rule::turns_out).unwrap_or_default()
    }

    /// Sets the obligation if there is none yet.
    pub(in crate::rule) fn set_default_obligation(&mut self, rule: impl FnOnce() -> Rule) {
        self.0.obligation.get_or_insert_with(rule);
    }

    /// Removes and returns the obligation; a clone of `or` if there is none.
    pub(crate) fn take_obligation(&mut self, or: &Rule) -> Rule {
        self.0.obligation.take().unwrap_or_else(|| or.clone())
    }

    /// Joins two reasons: the inputs and notes of both, without an obligation.
    #[doc(hidden)]
    pub fn and(mut self, other: Why) -> Why {
        let Inner { inputs, notes, may_be_misuse, .. } = *other.0;
        self.0.may_be_misuse |= may_be_misuse;
        self.add_inputs(inputs);
        self.add_notes(notes);
        self.0.obligation = None;
        self
    }

    /// Marks the reason as one of a rule that may turn out to be misuse. No rule beside it in a combinator decides
    /// the outcome then: misuse is an error whatever the others say.
    pub(in crate::rule) fn with_possible_misuse(mut self) -> Why {
        self.0.may_be_misuse = true;
        self
    }

    /// Whether the rule may turn out to be misuse: unable to read its value.
    pub(in crate::rule) fn may_be_misuse(&self) -> bool {
        self.0.may_be_misuse
    }

    /// Replaces the paths of the unknown values that the outcome depends on.
    pub(in crate::rule) fn set_inputs(&mut self, inputs: Vec<Path>) {
        self.0.inputs = inputs.into();
    }

    /// Adds inputs without duplicates, up to `MAX_NAMED`; further ones are dropped.
    fn add_inputs(&mut self, inputs: impl IntoIterator<Item = Path>) {
        for input in inputs {
            if self.0.inputs.len() < MAX_NAMED && !self.0.inputs.contains(&input) {
                self.0.inputs.push(input);
            }
        }
    }

    /// Adds notes without duplicates, up to `MAX_NAMED`; further ones are dropped.
    fn add_notes(&mut self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            if self.0.notes.len() < MAX_NAMED && !self.0.notes.contains(&note) {
                self.0.notes.push(note);
            }
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("depends on ")?;
        for (i, input) in self.inputs().iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            if input.is_empty() { f.write_str("the value")? } else { write!(f, "{input}")? }
        }
        for (i, note) in self.notes().into_iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "; known so far: " })?;
            f.write_str(&note)?;
        }
        if self.obligation().is_some() {
            write!(f, "; passes if {}", self.passes_if())?;
        }
        Ok(())
    }
}

/// Adds to `out` the paths of the unknown values inside a value at `path`. Nothing inside a marked container or a set
/// is named, because keys and members are content; the container is.
fn unknown_parts(value: &Value, path: &Path, out: &mut Vec<Path>) {
    if value.is_wholly_known() || out.len() >= MAX_PARTS {
        return;
    }
    let mut below = |step: crate::path::Step, part: &Value| {
        let mut path = path.clone();
        path.push(step);
        unknown_parts(part, &path, out);
    };
    match value.view() {
        View::List(list) => {
            list.iter().enumerate().for_each(|(i, part)| below(crate::path::Step::index(i), part))
        }
        View::Tuple(tuple) => {
            tuple.iter().enumerate().for_each(|(i, part)| below(crate::path::Step::index(i), part));
        }
        View::Map(map) => map.iter().for_each(|(key, part)| below(crate::path::Step::index(key), part)),
        View::Object(object) => {
            object.iter().for_each(|(name, part)| below(crate::path::Step::attr(name), part))
        }
        _ => out.push(path.clone()),
    }
}
