//! The modules `regexp`, `md5`, `sha256` and `version`, on the functions of plantime.

use plantime::function::Functions;

use super::super::arguments::module_text;
use super::super::error::Failure;
use super::super::interpreter::Interpreter;
use super::super::value::{Arguments, Builtin, Native, Value};

pub(super) const REGEXP: [(&str, Native); 2] = [("match", matches), ("replace", replace)];
pub(super) const MD5: [(&str, Native); 1] = [("sum", sum)];
pub(super) const SHA256: [(&str, Native); 1] = [("sum", sum)];
pub(super) const VERSION: [(&str, Native); 1] = [("require_at_least", require_at_least)];

/// Returns exactly `N` arguments; the error names their number in words.
pub(super) fn exactly<const N: usize>(arguments: &Arguments) -> Result<[Value; N], Failure> {
    let words = ["no", "one", "two", "three"];
    let plural = if N == 1 { "" } else { "s" };
    let count = words.get(N).unwrap_or(&"more");
    <[Value; N]>::try_from(arguments.positional.clone())
        .map_err(|_| format!("expected exactly {count} argument{plural}").into())
}

/// Calls a function of plantime on strings, and returns its result.
fn call(functions: &Functions, name: &str, texts: &[&str]) -> Result<plantime::Value, Failure> {
    let arguments: Vec<plantime::Value> = texts.iter().map(|text| plantime::Value::from(*text)).collect();
    functions.call(name, &arguments).map_err(|error| {
        let message = error.to_string();
        match message.split_once("error parsing regexp: ") {
            Some((_, reason)) => format!("error parsing regexp: {reason}").into(),
            None => Failure::Limit(message),
        }
    })
}

/// Returns text with every match of a pattern replaced.
fn replaced(pattern: &str, text: &str, replacement: &str) -> Result<String, Failure> {
    let replaced = call(Functions::cty(), "regexreplace", &[text, pattern, replacement])?;
    Ok(replaced.as_str().map_err(|error| Failure::Limit(error.to_string()))?.to_owned())
}

/// `regexp.match(pattern, text)`: whether a pattern matches a part of a text.
fn matches(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [pattern, text] = exactly(&arguments)?;
    let (pattern, text) = (module_text(&pattern)?, module_text(&text)?);
    this.heap.work(pattern.len().saturating_add(text.len()))?;
    // An invalid pattern is reported in Go's words by this function alone.
    replaced(&pattern, "", "")?;
    let found = call(Functions::standard(), "regexall", &[&pattern, &text])?;
    Ok(Value::Bool(found.elements().next().is_some()))
}

/// `regexp.replace(pattern, text, replacement)`: the text with every match replaced.
fn replace(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [pattern, text, replacement] = exactly(&arguments)?;
    let (pattern, text) = (module_text(&pattern)?, module_text(&text)?);
    this.heap.work(pattern.len().saturating_add(text.len()))?;
    if replacement.known()?.is_callable() {
        return Err(Failure::Limit("a replacement by a function is not supported".to_owned()));
    }
    let text = replaced(&pattern, &text, &module_text(&replacement)?)?;
    this.heap.text(text)
}

/// `md5.sum(text)` and `sha256.sum(text)`: the digest of a text.
fn sum(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [text] = exactly(&arguments)?;
    let text = module_text(&text)?;
    this.heap.work(text.len() / 16)?;
    let name = f.name.split('.').next().unwrap_or("md5");
    let sum = call(Functions::standard(), name, &[&text])?;
    let sum = sum.as_str().map_err(|error| Failure::Limit(error.to_string()))?;
    this.heap.text(sum)
}

/// `version.require_at_least(version)`: no version is too high.
fn require_at_least(_: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [version] = exactly(&arguments)?;
    // The recorded program is a development version, which is newer than all.
    module_text(&version)?;
    Ok(Value::None)
}
