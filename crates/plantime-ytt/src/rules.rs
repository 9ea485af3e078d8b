//! The rules of `@schema/validation`: arguments, meaning and messages.

use std::rc::Rc;

use plantime::rule::Rule;

use crate::library_rule::{self, words_of};
use crate::node::{Annotation, Content, Position};
use crate::proposal::{MessageTemplate, ProposedRule, described_argument};
use crate::schema::Schema;
use crate::spelling::nearest;
use crate::starlark::error::Failure;
use crate::starlark::heap::Heap;
use crate::starlark::interpreter::Interpreter;
use crate::starlark::modules::assert::{Assertion, found, is_sequence, length_bound};
use crate::starlark::value::{Arguments, Fragment, Struct, StructKind, Value, text_of};

/// What decides whether a value is valid.
#[derive(Clone, Debug)]
enum Check {
    Function(Value),
    Assertion(Assertion),
    Proposed(ProposedRule),
}

/// A rule: what a valid value is, what decides it, and the message of its own.
#[derive(Clone, Debug)]
struct DescribedRule {
    description: String,
    /// Whether the description is the author's.
    has_own_words: bool,
    check: Check,
    message: Option<MessageTemplate>,
}

impl DescribedRule {
    /// The rule of plantime; `None` if it has none, as for a function.
    fn library_rule(&self, heap: &Heap, at: &Position) -> Option<Rule> {
        match &self.check {
            Check::Assertion(assertion) => library_rule::rule_of(assertion, heap, at),
            Check::Proposed(proposed) => proposed.library_rule(heap, at),
            Check::Function(_) => None,
        }
    }

    /// What a valid value is, in the author's words or in those of plantime.
    fn words(&self, heap: &Heap, at: &Position) -> String {
        match self.library_rule(heap, at) {
            Some(rule) if !self.has_own_words => words_of(&rule),
            _ => self.description.clone(),
        }
    }
}

/// What a schema that is exported says of rules.
#[derive(Debug, Default)]
pub(crate) struct Exported {
    pub(crate) keywords: Vec<(String, Content)>,
    /// What no keyword says.
    pub(crate) words: Vec<String>,
    /// Whether null is no valid value.
    pub(crate) refuses_null: bool,
}

/// The rules of a node, in the order in which they are evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// Whether the value must not be null, and how that is described.
    not_null: Option<String>,
    /// The function that says whether the rules are evaluated.
    when: Option<Value>,
    rules: Vec<DescribedRule>,
    /// Whether the rules are read and evaluated as the proposal has it.
    is_proposal: bool,
    at: Position,
}

/// A rule that a value violates.
#[derive(Debug)]
pub(crate) struct Violation {
    pub(crate) description: String,
    /// What was found; empty if the rule does not say.
    pub(crate) found: String,
    /// The message of the rule's own.
    pub(crate) message: Option<MessageTemplate>,
    /// What the proposal says, where the rule has no message of its own: all but the name of the place.
    pub(crate) sentence: Option<String>,
}

/// A rule whose answer depends on a value that is not known.
#[derive(Debug)]
pub(crate) struct OpenRule {
    pub(crate) description: String,
    /// The path of the value.
    pub(crate) reads: Rc<str>,
}

/// The rules of a node that did not pass.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    pub(crate) violations: Vec<Violation>,
    pub(crate) undetermined: Vec<OpenRule>,
}

/// Why the rules of a node have no answer.
#[derive(Debug)]
pub(crate) enum Unanswered {
    /// The error of `when=`, which ends the validation.
    When(String),
    /// A failure that is no error of the rule.
    Failure(Failure),
}

impl Rules {
    /// Reads an annotation; the error is ytt's.
    pub(crate) fn of(annotation: &Annotation, this: &mut Interpreter<'_>) -> Result<Rules, String> {
        rules(&annotation.arguments, &annotation.at, this)
            .map_err(|text| format!("Invalid @{} annotation - {text}", annotation.name))
    }

    /// The position of the annotation.
    pub(crate) fn at(&self) -> &Position {
        &self.at
    }

    /// What OpenAPI 3.0 says of the rules of a node: keywords of named rules, and words for all else, that is for functions,
    /// for the author's own words, and for rules that a guard may switch off. ytt says nothing of rules.
    ///
    /// `minLength` and `maxLength` count code points, ytt's lengths bytes: they agree for ASCII.
    pub(crate) fn exported(&self, heap: &Heap, schema: &Schema) -> Exported {
        if !self.is_proposal {
            return Exported::default();
        }
        let (mut rules, mut words) = (Vec::new(), Vec::new());
        for rule in &self.rules {
            match rule.library_rule(heap, &self.at) {
                Some(_) if self.when.is_some() => words.push(rule.words(heap, &self.at)),
                Some(found) => {
                    words.extend(rule.has_own_words.then(|| rule.description.clone()));
                    rules.push(found);
                }
                None => words.push(rule.description.clone()),
            }
        }
        let (keywords, others) = library_rule::keywords_of(rules, schema, &self.at);
        words.extend(others.iter().map(words_of));
        if self.when.is_some() {
            words.iter_mut().for_each(|words| *words = format!("where a condition holds: {words}"));
        }
        let refuses_null = self.not_null.is_some() && self.when.is_none();
        Exported { keywords, words, refuses_null }
    }

    /// Returns all rules as undetermined, because a value is not known.
    pub(crate) fn undetermined(&self, reads: &Rc<str>) -> Answers {
        let descriptions =
            self.not_null.iter().chain(self.rules.iter().map(|rule| &rule.description)).cloned();
        let open = descriptions.map(|description| OpenRule { description, reads: Rc::clone(reads) });
        Answers { violations: Vec::new(), undetermined: open.collect() }
    }

    /// Returns the rules that a value violates, and those whose answers depend on unknown values, in the order of
    /// evaluation.
    ///
    /// An unknown value may be null, for which no rule but `not_null` is evaluated: a rule that it violates whatever it
    /// is has no answer either. Where the guard has no answer, the rules pass if all of them pass.
    pub(crate) fn answers(
        &self,
        this: &mut Interpreter<'_>,
        value: &Value,
        parent: Option<Fragment>,
        root: &Value,
    ) -> Result<Answers, Unanswered> {
        let unknown = match value {
            Value::Unknown(path) => Some(path),
            _ => None,
        };
        let mut guard = None;
        if matches!(value, Value::None) && self.not_null.is_none() {
            return Ok(Answers::default());
        }
        if let Some(when) = &self.when {
            match applies(this, when, value, parent, root, self.is_proposal) {
                Ok(true) => {}
                Ok(false) => return Ok(Answers::default()),
                Err(Unanswered::Failure(Failure::Undetermined(path))) => guard = Some(path),
                Err(Unanswered::When(text)) => match unknown {
                    Some(path) if self.not_null.is_none() => return Ok(self.undetermined(path)),
                    _ => return Err(Unanswered::When(text)),
                },
                Err(failure) => return Err(failure),
            }
        }
        let mut answers = self.unguarded(this, value)?;
        if let Some(reads) = guard.as_ref().or(unknown) {
            let violated = std::mem::take(&mut answers.violations).into_iter();
            let open = |violation: Violation| OpenRule {
                description: violation.description,
                reads: Rc::clone(reads),
            };
            answers.undetermined.extend(violated.map(open));
        }
        Ok(answers)
    }

    /// Returns the answers of the rules without the guard.
    fn unguarded(&self, this: &mut Interpreter<'_>, value: &Value) -> Result<Answers, Unanswered> {
        let mut answers = Answers::default();
        if let Some(description) = self.not_null.clone() {
            match value {
                Value::None => {
                    let found = "value is null".to_owned();
                    let words =
                        if description == NOT_NULL { words_of(&Rule::NotNull) } else { description.clone() };
                    let sentence = self.is_proposal.then(|| named_sentence(&words, "it is null"));
                    answers.violations.push(Violation { description, found, message: None, sentence });
                    return Ok(answers);
                }
                Value::Unknown(path) => {
                    answers.undetermined.push(OpenRule { description, reads: Rc::clone(path) });
                }
                _ => {}
            }
        }
        for rule in &self.rules {
            let result = match &rule.check {
                Check::Assertion(assertion) => assertion.check(this, value).map(|()| true),
                Check::Proposed(proposed) => proposed.check(this, value).map(|()| true),
                Check::Function(function) => {
                    let arguments = Arguments { positional: vec![value.clone()], keywords: Vec::new() };
                    let result = this.call(function, arguments);
                    let is_proposal = self.is_proposal;
                    result.and_then(|result| {
                        match result.known()? {
                            Value::Bool(true) => Ok(true),
                            Value::None => Ok(is_proposal),
                            // In the proposal a function may say why, and is named where it does not.
                            Value::Tuple(items) if is_proposal => match &**items {
                                [Value::Bool(passes), ..] if *passes => Ok(true),
                                [Value::Bool(_), Value::Text(why)] => {
                                    Err(format!("fail: {}", text_of(why)).into())
                                }
                                _ => Ok(false),
                            },
                            Value::Bool(false) if is_proposal => Err(returned_false(function)),
                            _ => Ok(false),
                        }
                    })
                }
            };
            let description = rule.description.clone();
            let found = match result {
                Ok(true) => continue,
                Ok(false) => String::new(),
                Err(Failure::Error(error)) => found(&error).to_owned(),
                Err(Failure::Undetermined(reads)) => {
                    answers.undetermined.push(OpenRule { description, reads });
                    continue;
                }
                Err(other) => return Err(Unanswered::Failure(other)),
            };
            let found = if self.is_proposal {
                found.strip_prefix(ASSERTED).unwrap_or(&found).to_owned()
            } else {
                found
            };
            let sentence = match rule.message {
                None if self.is_proposal => Some(self.sentence(this, rule, value, &found)),
                _ => None,
            };
            answers.violations.push(Violation {
                description,
                found,
                message: rule.message.clone(),
                sentence,
            });
        }
        Ok(answers)
    }
}

/// The description of `not_null`, where the author has none.
const NOT_NULL: &str = "not null";

/// How a message of `assert.fail` starts.
const ASSERTED: &str = "assert.fail: fail: ";

/// The sentence about a named rule, without the name of the place.
fn named_sentence(words: &str, failure: &str) -> String {
    format!("requires a valid value ({words}){}", ending(failure))
}

/// The end of a sentence: what was found, if the rule says so.
fn ending(failure: &str) -> String {
    match failure {
        "" => ".".to_owned(),
        _ => format!("; {failure}{}", if failure.ends_with('.') { "" } else { "." }),
    }
}

impl Rules {
    /// The sentence of the proposal about a violation, as sets of rules have it, without the name of the place.
    fn sentence(&self, this: &Interpreter<'_>, rule: &DescribedRule, value: &Value, found: &str) -> String {
        if let Check::Function(_) = rule.check {
            return format!("requires a valid value: {}{}", rule.description, ending(found));
        }
        let heap = &this.heap;
        let failure = rule.library_rule(heap, &self.at).and_then(|rule| {
            let value = library_rule::value_of_given(heap, value, &self.at)?;
            library_rule::failure_of(&rule, &value)
        });
        named_sentence(&rule.words(heap, &self.at), failure.as_deref().unwrap_or(found))
    }
}

/// The failure of a function that returned `False`.
fn returned_false(function: &Value) -> Failure {
    match function {
        Value::Function(function) if &*function.definition.name != "lambda" => {
            format!("fail: \"{}()\" returned False", function.definition.name).into()
        }
        _ => "fail: the function returned False".into(),
    }
}

/// Evaluates `when=`.
fn applies(
    this: &mut Interpreter<'_>,
    when: &Value,
    value: &Value,
    parent: Option<Fragment>,
    root: &Value,
    is_proposal: bool,
) -> Result<bool, Unanswered> {
    let Value::Function(function) = when else {
        return Err(Unanswered::When("when= with a built-in function is not supported".to_owned()));
    };
    let count = function.definition.parameters.len();
    let mut positional = vec![value.clone()];
    match count {
        1 => {}
        2 => {
            let parent = parent.map_or(Value::None, Value::Fragment);
            let fields = vec![(Rc::from("parent"), parent), (Rc::from("root"), root.clone())];
            let context =
                Struct::value(&this.heap, StructKind::Struct, fields).map_err(Unanswered::Failure)?;
            positional.push(context);
        }
        _ => {
            let text =
                format!("Failed to evaluate when=: function must accept 1 or 2 arguments ({count} given)");
            return Err(Unanswered::When(text));
        }
    }
    match this.call(when, Arguments { positional, keywords: Vec::new() }) {
        Ok(Value::Bool(applies)) => Ok(applies),
        Ok(Value::Unknown(path)) => Err(Unanswered::Failure(Failure::Undetermined(path))),
        Ok(other) => Err(Unanswered::When(format!("want when= to be bool, got {}", other.type_name()))),
        // In the proposal a guard may say so by a failure: a deliberate one, and no other error.
        Err(Failure::Error(error)) if is_proposal && error.message.starts_with(ASSERTED) => Ok(false),
        Err(Failure::Error(error)) => {
            Err(Unanswered::When(format!("Failure evaluating when=: {}", error.message)))
        }
        Err(other) => Err(Unanswered::Failure(other)),
    }
}

/// The keywords that rules of the proposal have.
const KEYWORDS: [&str; 17] = [
    "min_len",
    "max_len",
    "len",
    "min",
    "max",
    "one_of",
    "not_null",
    "one_not_null",
    "starts_with",
    "ends_with",
    "contains",
    "matches",
    "format",
    "even",
    "odd",
    "multiple_of",
    "when",
];

/// Reads the arguments of an annotation; the error is ytt's.
fn rules(given: &Arguments, at: &Position, this: &mut Interpreter<'_>) -> Result<Rules, String> {
    let text = |failure: Failure| failure.message();
    if given.positional.is_empty() && given.keywords.is_empty() {
        return Err(format!(
            "expected annotation to have 2-tuple as argument(s), but found no arguments (by {at})"
        ));
    }
    let is_proposal = this.library.has_proposal();
    let mut rules = Rules { not_null: None, when: None, rules: Vec::new(), is_proposal, at: at.clone() };
    for item in &given.positional {
        rules.rules.push(described(item, at, this)?);
    }
    let mut named: Vec<(Option<String>, NamedRule)> = Vec::new();
    for (name, argument) in &given.keywords {
        let described = is_proposal.then(|| described_argument(name, argument)).flatten();
        let (words, argument) = match described {
            Some((words, argument)) => (Some(words), argument),
            None => (None, argument),
        };
        let mut add = |rule: Assertion| named.push((words.clone(), NamedRule::Assertion(rule)));
        let found = argument.type_name();
        let expected = |wanted: &str| {
            format!("expected keyword argument \"{name}\" to be {wanted}, but was {found} (at {at})")
        };
        match (&**name, argument) {
            ("min_len" | "max_len", _) => {
                let bound = length_bound(argument).ok_or_else(|| expected("a number"))?;
                add(if &**name == "min_len" { Assertion::MinLen(bound) } else { Assertion::MaxLen(bound) });
            }
            ("min", _) => add(Assertion::Min(argument.clone())),
            ("max", _) => add(Assertion::Max(argument.clone())),
            ("not_null", Value::Bool(wanted)) => {
                rules.not_null = wanted.then(|| words.unwrap_or_else(|| NOT_NULL.to_owned()));
            }
            ("not_null", _) => return Err(expected("a boolean")),
            ("one_of", _) if is_sequence(argument) => add(Assertion::OneOf(argument.clone())),
            ("one_of", _) => {
                return Err(format!("expected keyword argument one_of to be a sequence, but was {found}"));
            }
            ("one_not_null", Value::Bool(true)) => add(Assertion::OneNotNull(None)),
            ("one_not_null", Value::Bool(false)) => return Err("one_not_null= cannot be False".to_owned()),
            ("one_not_null", _) if is_sequence(argument) => {
                add(Assertion::OneNotNull(Some(argument.clone())));
            }
            ("one_not_null", _) => {
                return Err(format!("expected True or a sequence of keys, but was a '{found}'"));
            }
            ("when", _) if argument.is_callable() => rules.when = Some(argument.clone()),
            ("when", _) => return Err(expected("a function")),
            _ => match is_proposal.then(|| ProposedRule::of(name, argument)).flatten() {
                Some(rule) => {
                    let rule = rule.map_err(|error| format!("{error} (at {at})"))?;
                    named.push((words, NamedRule::Proposed(rule)));
                }
                None => {
                    let near = nearest(name, &KEYWORDS).filter(|_| is_proposal);
                    let hint = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
                    return Err(format!("unknown keyword argument \"{name}\" (at {at}){hint}"));
                }
            },
        }
    }
    // The proposal evaluates rules as they are written.
    if !is_proposal {
        named.sort_by_key(|(_, rule)| order(rule));
    }
    for (words, rule) in named {
        let described = match &rule {
            NamedRule::Assertion(assertion) => assertion.describe(this),
            NamedRule::Proposed(proposed) => proposed.describe(this),
        };
        let has_own_words = words.is_some();
        let description = match words {
            Some(words) => words,
            None => described.map_err(text)?,
        };
        let check = match rule {
            NamedRule::Assertion(assertion) => Check::Assertion(assertion),
            NamedRule::Proposed(proposed) => Check::Proposed(proposed),
        };
        rules.rules.push(DescribedRule { description, has_own_words, check, message: None });
    }
    Ok(rules)
}

/// A named rule: of ytt, or of the proposal alone.
enum NamedRule {
    Assertion(Assertion),
    Proposed(ProposedRule),
}

/// The place of a named rule among the others.
fn order(rule: &NamedRule) -> u8 {
    let NamedRule::Assertion(assertion) = rule else { return u8::MAX };
    match assertion {
        Assertion::NotNull => 0,
        Assertion::MinLen(_) => 1,
        Assertion::MaxLen(_) => 2,
        Assertion::Min(_) => 3,
        Assertion::Max(_) => 4,
        Assertion::OneNotNull(_) => 5,
        Assertion::OneOf(_) => 6,
    }
}

/// Reads a description and a function.
fn described(item: &Value, at: &Position, this: &mut Interpreter<'_>) -> Result<DescribedRule, String> {
    let Value::Tuple(items) = item else {
        let shown = this.repr(item).map_err(|failure| failure.message())?;
        return Err(format!(
            "expected annotation to have 2-tuple as argument(s), but found: {shown} (by {at})"
        ));
    };
    let (text, function, message) = match &**items {
        [text, function] => (text, function, None),
        [text, function, Value::Text(message)] if this.library.has_proposal() => {
            let message = MessageTemplate::parse(&text_of(message));
            (text, function, Some(message.map_err(|error| format!("{error} (at {at})"))?))
        }
        _ => return Err(format!("expected 2-tuple, but found tuple with length {} (by {at})", items.len())),
    };
    let Value::Text(text) = text else {
        let found = text.type_name();
        return Err(format!(
            "expected first item in the 2-tuple to be a string describing a valid value, but was {found} (at {at})"
        ));
    };
    let function = match function {
        function if function.is_callable() => function.clone(),
        Value::Struct(_)
        | Value::Dict(_)
        | Value::Fragment(_)
        | Value::Text(_)
        | Value::List(_)
        | Value::Set(_) => match function.field("check") {
            Some(check) if check.is_callable() => check.clone(),
            Some(check) => {
                let found = check.type_name();
                return Err(format!("expected struct with attribute check(), but was {found} (at {at})"));
            }
            None => {
                let found = function.type_name();
                return Err(format!(
                    "expected second item in tuple to be an assertion function or assertion object, but was a {found} (at {at})"
                ));
            }
        },
        other => {
            let found = other.type_name();
            return Err(format!(
                "expected second item in the 2-tuple to be an assertion function, but was {found} (at {at})"
            ));
        }
    };
    let description = text_of(text).into_owned();
    Ok(DescribedRule { description, has_own_words: true, check: Check::Function(function), message })
}
