//! `plantime rules`.

use std::process::ExitCode;

use plantime::rule::{Format, Manual, System, keyword, keywords};
use plantime_terraform::plan::{InputError, nearest_name};
use serde_json::{Value as Json, json};

use crate::args::Rules;
use crate::output;
use crate::packs;
use crate::words::{WORDS, Word};

/// Runs `plantime rules`: writes the explanation of one name or of all rules, and returns the exit status.
pub(crate) fn rules(arguments: &Rules) -> ExitCode {
    if !arguments.pack.is_empty() {
        let (text, mut errors) =
            match packs::listed(&arguments.pack, &arguments.format, arguments.max_input_size) {
                Ok(text) => (text, Vec::new()),
                Err(errors) => (String::new(), errors),
            };
        errors.extend(output::write(text.as_bytes()).err());
        output::errors(&errors);
        return ExitCode::from(if errors.is_empty() { 0 } else { 2 });
    }
    let (text, mut errors) = match find(arguments.name.as_deref()) {
        Ok(found) => (written(&found, &arguments.format), Vec::new()),
        Err(error) => (String::new(), vec![InputError::new(error.to_string())]),
    };
    errors.extend(output::write(text.as_bytes()).err());
    output::errors(&errors);
    ExitCode::from(if errors.is_empty() { 0 } else { 2 })
}

/// What a name stands for: one or several rules with their manuals, or a word of the rules language.
enum Found {
    Rules(Vec<Manual>),
    Word(&'static Word),
}

/// What the name stands for: a rule by its name or alias, a word of the language, or the rules that another system
/// calls so. All rules without a name; an error for an unknown name.
fn find(name: Option<&str>) -> plantime::Result<Found> {
    let Some(name) = name else {
        let all: plantime::Result<Vec<Manual>> = keywords().iter().map(|keyword| keyword.manual()).collect();
        return all.map(Found::Rules);
    };
    let unknown = match keyword(name) {
        Ok(keyword) => return Ok(Found::Rules(vec![keyword.manual()?])),
        Err(unknown) => unknown,
    };
    if let Some(word) = WORDS.iter().find(|word| word.name == name) {
        return Ok(Found::Word(word));
    }
    let of_systems = keywords().iter().filter(|keyword| {
        let names = System::ALL.iter().flat_map(|system| keyword.names_in(*system));
        names.into_iter().any(|known| known.eq_ignore_ascii_case(name))
    });
    let found: Vec<Manual> = of_systems.map(|keyword| keyword.manual()).collect::<plantime::Result<_>>()?;
    if !found.is_empty() {
        return Ok(Found::Rules(found));
    }
    // The words of the language and the names of other systems are names too.
    let words = WORDS.iter().map(|word| word.name);
    let names = keywords().iter().flat_map(|keyword| {
        let of_systems = System::ALL.iter().flat_map(|system| keyword.names_in(*system)).copied();
        std::iter::once(keyword.name).chain(keyword.aliases.iter().copied()).chain(of_systems)
    });
    match nearest_name(name, words.chain(names)) {
        Some(near) if !unknown.message().contains("did you mean") => Err(plantime::Error::custom(format!(
            "there is no rule or word \"{name}\"; did you mean \"{near}\"?"
        ))),
        _ => Err(unknown),
    }
}

/// The explanation in the format `json`, `markdown` or text.
fn written(found: &Found, format: &str) -> String {
    match (found, format) {
        (Found::Rules(manuals), "json") => {
            let rules: Vec<Json> = manuals.iter().map(to_json).collect();
            format!("{:#}\n", json!({ "format_version": "1.0", "rules": rules }))
        }
        (Found::Rules(manuals), "markdown") => each(manuals, |manual| match formats(manual) {
            Some(names) => format!("{}\nFormats: {names}\n", manual.section()),
            None => manual.section(),
        }),
        (Found::Rules(manuals), _) => each(manuals, |manual| match formats(manual) {
            Some(names) => format!("{}  {:<15} {names}\n", manual.text(), "formats"),
            None => manual.text(),
        }),
        (Found::Word(word), "json") => {
            let Word { name, stands, description, example } = word;
            let word =
                json!({ "name": name, "stands": stands, "description": description, "example": example });
            format!("{:#}\n", json!({ "format_version": "1.0", "words": [word] }))
        }
        (Found::Word(word), "markdown") => word.section(),
        (Found::Word(word), _) => word.text(),
    }
}

/// The names that the argument of `format` may have; `None` for other rules.
fn formats(manual: &Manual) -> Option<String> {
    let names = || Format::all().map(Format::name).collect::<Vec<_>>().join(", ");
    (manual.keyword.name == "format").then(names)
}

/// The texts that `write` returns for each manual, with an empty line between them.
fn each(manuals: &[Manual], write: impl Fn(&Manual) -> String) -> String {
    manuals.iter().map(write).collect::<Vec<_>>().join("\n")
}

/// The manual of one rule as JSON.
fn to_json(manual: &Manual) -> Json {
    let systems = manual.in_systems().map(|(system, names)| (system.name().to_owned(), json!(names)));
    let systems: serde_json::Map<String, Json> = systems.collect();
    json!({
        "name": manual.keyword.name,
        "aliases": manual.keyword.aliases,
        "systems": systems,
        "takes": manual.keyword.argument.describe(),
        "short_for": manual.keyword.composed.then_some(&manual.rule),
        "description": manual.keyword.description,
        "example": manual.example,
        "says": manual.says,
        "markdown": manual.markdown,
        "on_null": manual.null,
        "on_unknown": manual.unknown,
        "message": manual.message,
    })
}
