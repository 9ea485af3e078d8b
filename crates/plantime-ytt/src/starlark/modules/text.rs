//! The modules `regexp`, `md5`, `sha256` and `version`, on the functions of plantime, and the arguments of functions.

use plantime::function::Functions;

use super::super::arguments::module_text;
use super::super::error::Failure;
use super::super::interpreter::Interpreter;
use super::super::value::{Arguments, Builtin, Native, Value};
use crate::spelling::nearest;

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

/// Returns exactly `N` arguments of a function without keywords.
pub(super) fn positional<const N: usize>(arguments: &Arguments) -> Result<[Value; N], Failure> {
    refuse_other_keywords(arguments, &[])?;
    exactly(arguments)
}

/// Refuses a keyword that a function does not have. ytt ignores most of them, so that a misspelt one has no effect.
pub(super) fn refuse_other_keywords(arguments: &Arguments, known: &[&str]) -> Result<(), Failure> {
    let Some((keyword, _)) = arguments.keywords.iter().find(|(keyword, _)| !known.contains(&&**keyword))
    else {
        return Ok(());
    };
    let hint = nearest(keyword, known).map_or(String::new(), |near| format!(" (did you mean \"{near}\"?)"));
    Err(format!("the keyword argument \"{keyword}\" is not supported{hint}").into())
}

/// Returns a keyword that is true or false.
pub(super) fn flag(arguments: &Arguments, name: &str, default: bool) -> Result<bool, Failure> {
    match arguments.keywords.iter().find(|(keyword, _)| &**keyword == name) {
        None => Ok(default),
        Some((_, value)) => match value.known()? {
            Value::Bool(bool) => Ok(*bool),
            other => Err(format!("expected starlark.Bool, but was {}", other.go_type()).into()),
        },
    }
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
    let [pattern, text] = positional(&arguments)?;
    let (pattern, text) = (module_text(&pattern)?, module_text(&text)?);
    this.heap.work(pattern.len().saturating_add(text.len()))?;
    // An invalid pattern is reported in Go's words by this function alone.
    replaced(&pattern, "", "")?;
    let found = call(Functions::standard(), "regexall", &[&pattern, &text])?;
    Ok(Value::Bool(found.elements().next().is_some()))
}

/// `regexp.replace(pattern, text, replacement)`: the text with every match replaced.
fn replace(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [pattern, text, replacement] = positional(&arguments)?;
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
    let [text] = positional(&arguments)?;
    let text = module_text(&text)?;
    this.heap.work(text.len() / 16)?;
    let name = f.name.split('.').next().unwrap_or("md5");
    let sum = call(Functions::standard(), name, &[&text])?;
    let sum = sum.as_str().map_err(|error| Failure::Limit(error.to_string()))?;
    this.heap.text(sum)
}

/// The version of ytt whose functions and messages these are.
const VERSION_OF_YTT: [u64; 3] = [0, 48, 0];

/// `version.require_at_least(version)`: fails if the version of ytt is older.
fn require_at_least(_: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [version] = positional(&arguments)?;
    let version = module_text(&version)?;
    let least =
        semantic(&version).ok_or_else(|| format!("version string '{version}' must be a valid semver"))?;
    // A version before a release counts as older than the release.
    if least > VERSION_OF_YTT {
        let [major, minor, patch] = VERSION_OF_YTT;
        return Err(format!(
            "ytt version '{major}.{minor}.{patch}' does not meet the minimum required version '{version}'"
        )
        .into());
    }
    Ok(Value::None)
}

/// Returns the three numbers of a semantic version; `None` if a text is none. Numbers beyond all are the largest.
fn semantic(text: &str) -> Option<[u64; 3]> {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let is_number = |part: &str| {
        let is_digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        is_digits && (part == "0" || !part.starts_with('0'))
    };
    let (text, build) = text.split_once('+').map_or((text, None), |(text, build)| (text, Some(build)));
    let (numbers, before) = text.split_once('-').map_or((text, None), |(text, before)| (text, Some(before)));
    let is_before =
        |part: &str| is_part(part) && (is_number(part) || !part.bytes().all(|byte| byte.is_ascii_digit()));
    if !build.is_none_or(|build| build.split('.').all(is_part))
        || !before.is_none_or(|before| before.split('.').all(is_before))
    {
        return None;
    }
    let numbers: Vec<&str> = numbers.split('.').collect();
    let numbers: [&str; 3] = numbers.try_into().ok()?;
    numbers.iter().all(|part| is_number(part)).then(|| numbers.map(|part| part.parse().unwrap_or(u64::MAX)))
}
