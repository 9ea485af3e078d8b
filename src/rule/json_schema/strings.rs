//! Compiles the keywords for strings: `minLength`, `maxLength`, `pattern`, `format`.

use regex_syntax::hir::{Hir, HirKind, Look};

use crate::error::Result;
use crate::rule::{Format, Pattern, Rule};

use super::compile::{Compiler, Here};
use super::compiled::Compiled;
use super::{Dialect, ecma, numbers};

/// Compiles all keywords for strings, and adds the rules to `all`.
pub(super) fn read(compiler: &mut Compiler, here: &Here<'_>, all: &mut Compiled) -> Result<()> {
    numbers::lengths(here, "minLength", "maxLength", all);
    if let Some(text) = here.get("pattern").and_then(|text| text.as_str().ok()) {
        match pattern(text) {
            Some(rule) => all.rules.push(rule),
            None => compiler.add_unsupported(here, "pattern", NO_PATTERN, all),
        }
    }
    if let Some(name) = here.get("format").and_then(|name| name.as_str().ok())
        && compiler.reading.formats
    {
        match format(name) {
            Some(Some(format)) => {
                all.rules.push(Rule::format(format));
                if format == Format::Hostname {
                    compiler.add_unsupported(here, "format", "what xn-- stands for is not looked at", all);
                }
            }
            Some(None) => {}
            None => compiler.add_unsupported(here, "format", "the format is not known", all),
        }
    }
    Ok(())
}

/// Why a `pattern` is listed as unsupported.
pub(super) const NO_PATTERN: &str = "the expression looks around or back, or is no expression";

/// Compiles the keyword `pattern` to `starts_with`, `ends_with` or `contains` for a literal string, otherwise to
/// `matches`. `None` if the expression cannot be translated.
fn pattern(text: &str) -> Option<Rule> {
    let pattern = compiled(text)?;
    let hir = pattern.translated();
    let parts: &[Hir] = match hir.kind() {
        HirKind::Concat(parts) => parts,
        _ => std::slice::from_ref(&hir),
    };
    let kinds: Vec<&HirKind> = parts.iter().map(Hir::kind).collect();
    let literal = |bytes: &[u8]| {
        let text = std::str::from_utf8(bytes).ok()?.to_owned();
        (crate::text::nfc(&text) == text).then_some(text)
    };
    let literal = match kinds.as_slice() {
        [HirKind::Look(Look::Start), HirKind::Literal(text)] => literal(&text.0).map(Rule::starts_with),
        [HirKind::Literal(text), HirKind::Look(Look::End)] => literal(&text.0).map(Rule::ends_with),
        [HirKind::Literal(text)] => literal(&text.0).map(Rule::contains),
        _ => None,
    };
    Some(literal.unwrap_or(Rule::matches(pattern)))
}

/// Translates an ECMAScript expression to a pattern of this crate; `None` if it cannot be translated.
pub(super) fn compiled(text: &str) -> Option<Pattern> {
    Pattern::new(&ecma::from_ecma(text)?).ok()
}

/// The format of this crate for a format name of JSON Schema or OpenAPI. `Some(None)`: a known format that requires
/// nothing of the string; `None`: an unsupported format.
fn format(name: &str) -> Option<Option<Format>> {
    match name {
        "byte" => Some(Some(Format::Base64)),
        "password" | "binary" | "int32" | "int64" | "float" | "double" => Some(None),
        // `regex` means ECMAScript expressions, which differ from those of this crate.
        "regex" => None,
        name => name.parse().ok().map(Some),
    }
}

/// The name of a format in a schema.
pub(super) fn format_name(format: Format, dialect: Dialect) -> &'static str {
    match format {
        Format::DateTime => "date-time",
        Format::UriReference => "uri-reference",
        Format::Base64 if dialect != Dialect::JsonSchema => "byte",
        format => format.name(),
    }
}
