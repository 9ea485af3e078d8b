//! Schemas of values of undecided type: they are compiled when the type is known, during a check.

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::path::Path;
use crate::rule::{Custom, Diagnostic, Misuse, Outcome, Request, Rule, Why};
use crate::types::Type;
use crate::value::{Value, View, view_below_marks};

use super::check::object;
use super::compile::{Compiler, says_nothing};
use super::compiled::{Compiled, never};

impl Compiler {
    /// Compiles a schema for values of undecided type, to a custom rule that compiles the schema again for the type
    /// of each value that it checks. Only null is decided at once.
    #[inline(never)]
    pub(super) fn compile_late(&mut self, schema: &Value, path: &Path) -> Result<Compiled> {
        let of_null = self.of_kind(schema, &Type::Bool, path)?;
        let mut all = Compiled { null: of_null.null, rules: Vec::new(), exact: of_null.exact };
        if object(schema).is_none_or(|keywords| keywords.iter().all(|(name, _)| says_nothing(name))) {
            all.rules = of_null.rules;
            return Ok(all);
        }
        all.exact &= self.survey(schema, path)?;
        if self.survey.is_on {
            // A survey only needs to know whether everything is supported.
            return Ok(all);
        }
        let late = LateSchema {
            compiler: self.restarted(),
            schema: schema.clone(),
            path: path.clone(),
            null: all.null,
        };
        let name = format!("JSON schema #{}", super::pointer(path));
        let late = Arc::new(late);
        all.rules.push(Rule::Custom(Custom::new(&name, move |request| late.check(request))));
        Ok(all)
    }
}

/// A schema of values of undecided type, which is compiled during a check when the type of the value is known.
struct LateSchema {
    compiler: Compiler,
    schema: Value,
    path: Path,
    /// Whether null is allowed.
    null: bool,
}

impl LateSchema {
    /// Compiles the schema for the type of the value in the request, and checks the value; undetermined while the
    /// type is undecided.
    fn check(&self, request: &Request<'_>) -> Result<Outcome, Misuse> {
        let value = request.value();
        let ty = value.ty();
        if value.is_null() {
            return Ok(if self.null { Outcome::Pass } else { failure(request) });
        }
        if ty == Type::Dynamic {
            return Ok(Outcome::Undetermined(Why::of_unknown_parts(request)));
        }
        let misuse = |error: Error| Misuse::new(request.path().clone(), error.message());
        let compiled = self.rule(&ty).map_err(misuse)?;
        if compiled.is_listed {
            let outcome = compiled.check(request)?;
            return Ok(if ty.has_dynamic() { of_whole_schema(outcome) } else { outcome });
        }
        // More keywords are supported for the types of JSON than for this type, such as a map, so the value is checked as JSON.
        let json = as_json(value).map_err(misuse)?;
        let ty = json.ty();
        if ty == Type::Dynamic {
            return Ok(Outcome::Undetermined(Why::of_unknown_parts(request)));
        }
        self.rule(&ty).map_err(misuse)?.check(&request.with_value(&json)).map(of_whole_schema)
    }

    /// Compiles the schema for a type.
    fn rule(&self, ty: &Type) -> Result<LateRule> {
        let mut compiler = self.compiler.restarted();
        let rule = compiler.schema(&self.schema, ty, &self.path)?.rule(ty)?;
        let is_listed = self.compiler.surveyed.get().is_none_or(|known| known.lists(&compiler.unsupported));
        Ok(LateRule { rule, is_listed, is_whole: compiler.unsupported.is_empty() })
    }
}

/// A late schema that was compiled for a type.
struct LateRule {
    /// The rule; `None` if it accepts every value.
    rule: Option<Rule>,
    /// Whether all unsupported keywords met were listed at import.
    is_listed: bool,
    /// Whether no keyword was left out.
    is_whole: bool,
}

impl LateRule {
    /// Checks the value of the request. What is left out for a value of undecided type may be supported for the type that it turns out to
    /// be, so that it does not pass yet.
    fn check(&self, request: &Request<'_>) -> Result<Outcome, Misuse> {
        let outcome = self.rule.as_ref().map_or(Ok(Outcome::Pass), |rule| rule.check(request))?;
        let value = request.value();
        let may_be_supported = !self.is_whole && !value.is_wholly_known() && value.ty().has_dynamic();
        Ok(match outcome.is_pass() && may_be_supported {
            true => Outcome::Undetermined(Why::of_unknown_parts(request)),
            false => outcome,
        })
    }
}

/// The outcome with the whole late schema as its obligation. What the rules for a type leave open is about that type: of another one,
/// such as what a partly decided type becomes, the schema has to be compiled again.
fn of_whole_schema(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Undetermined(mut why) => {
            why.take_obligation(&never());
            Outcome::Undetermined(why)
        }
        outcome => outcome,
    }
}

/// Converts the value to the types that JSON implies: tuples and objects in place of lists, sets and maps. Unknown
/// collections get the type dynamic, so that nothing is decided about them.
fn as_json(value: &Value) -> Result<Value> {
    let all = |parts: &mut dyn Iterator<Item = &Value>| {
        Value::tuple(parts.map(as_json).collect::<Result<Vec<Value>>>()?)
    };
    let named = |parts: &mut dyn Iterator<Item = (&str, &Value)>| {
        let parts = parts.map(|(name, part)| Ok((name.to_owned(), as_json(part)?)));
        Value::object(parts.collect::<Result<Vec<(String, Value)>>>()?)
    };
    let json = match view_below_marks(value) {
        View::List(list) => all(&mut list.iter())?,
        View::Tuple(tuple) => all(&mut tuple.iter())?,
        View::Set(set) if value.is_wholly_known() => all(&mut set.iter())?,
        View::Map(map) => named(&mut map.iter())?,
        View::Object(object) => named(&mut object.iter())?,
        View::Null(_) => Value::null(Type::Dynamic),
        View::Unknown(range) if range.ty().is_primitive() => return Ok(value.clone()),
        View::Unknown(_) | View::Set(_) | View::Dynamic => Value::dynamic(),
        _ => return Ok(value.clone()),
    };
    Ok(json.with_marks(value.marks()))
}

/// The failed outcome for a null that the schema does not allow.
fn failure(request: &Request<'_>) -> Outcome {
    let path = request.path().clone();
    let detail = crate::rule::answer::diagnostic::detail(&path, &["value must not be null"]);
    Outcome::fail(Diagnostic::error("Missing Attribute Value", detail, path, "it is null".to_owned()))
}
