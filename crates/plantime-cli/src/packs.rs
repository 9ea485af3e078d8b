//! Packs of rules: folders with `pack.hcl` and rules files.

use std::path::{Path, PathBuf};

use plantime::source::Source;
use plantime_terraform::plan::{InputError, NamedRule, RulePack, RulesFile};
use serde_json::{Value as Json, json};

use crate::input::{self, Input};

/// The version of this command, which a pack may need at least.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A pack, and the rules files in its folder.
pub(crate) struct Pack {
    pub(crate) about: RulePack,
    pub(crate) files: Vec<Input>,
}

/// Reads `pack.hcl` of each folder, and lists the rules files; or everything that is wrong.
pub(crate) fn packs(folders: &[PathBuf], limit: u64) -> Result<Vec<Pack>, Vec<InputError>> {
    let (mut packs, mut errors): (Vec<Pack>, Vec<InputError>) = (Vec::new(), Vec::new());
    for folder in folders {
        match pack(folder, limit) {
            Ok(pack) if packs.iter().any(|other| other.about.name == pack.about.name) => {
                let message = format!("a second pack with the name `{}`", pack.about.name);
                errors.push(InputError::input(folder.display().to_string(), message));
            }
            Ok(pack) => packs.push(pack),
            Err(wrong) => errors.extend(wrong),
        }
    }
    if errors.is_empty() { Ok(packs) } else { Err(errors) }
}

/// Reads one pack.
fn pack(folder: &Path, limit: u64) -> Result<Pack, Vec<InputError>> {
    let name = folder.display().to_string();
    let wrong = |message: String| vec![InputError::input(name.clone(), message)];
    if !folder.is_dir() {
        return Err(wrong("no such folder: a pack is a folder with pack.hcl and rules files".to_owned()));
    }
    let file = folder.join(RulePack::FILE);
    if !file.is_file() {
        return Err(wrong("no pack.hcl: a folder of rules without one goes with --rules".to_owned()));
    }
    let source = input::source(&Input::File(file), limit).map_err(|error| vec![error])?;
    let about = RulePack::read(&source).map_err(input::problem_errors)?;
    if !about.is_for(VERSION) {
        let least = about.least.as_deref().unwrap_or_default();
        return Err(wrong(format!("the pack needs plantime {least} at least; this is {VERSION}")));
    }
    let mut files = input::files_in(folder, &["hcl"]).map_err(|error| vec![error])?;
    files.retain(|file| input::is_rules_file(file));
    if files.is_empty() {
        return Err(wrong("the pack has no rules files".to_owned()));
    }
    Ok(Pack { about, files: files.into_iter().map(Input::File).collect() })
}

/// The rules of packs as `plantime rules --pack` lists them, in a format.
pub(crate) fn listed(folders: &[PathBuf], format: &str, limit: u64) -> Result<String, Vec<InputError>> {
    let mut out = String::new();
    let mut all = Vec::new();
    for pack in packs(folders, limit)? {
        let sources: Vec<Source> = input::sources(&pack.files, limit)?;
        let rules = RulesFile::read_files(sources).map_err(input::problem_errors)?.rules;
        match format {
            "json" => all.push(to_json(&pack.about, &rules)),
            "markdown" => push_markdown(&mut out, &pack.about, &rules),
            _ => push_text(&mut out, &pack.about, &rules),
        }
    }
    if format == "json" {
        out = format!("{:#}\n", json!({"format_version": "1.0", "packs": all}));
    }
    Ok(out)
}

/// The name and version of a pack, and what it is about.
fn head(about: &RulePack) -> String {
    let version = about.version.as_ref().map_or_else(String::new, |version| format!(" {version}"));
    let description = about.description.as_ref().map_or_else(String::new, |text| format!(": {text}"));
    format!("{}{version}{description}", about.name)
}

/// Adds the list of a pack for a terminal.
fn push_text(out: &mut String, about: &RulePack, rules: &[NamedRule]) {
    let line = |text: &str| plantime_terraform::plan::printable_in_line(text);
    out.push_str(&format!("{} ({} rules)\n", line(&head(about)), rules.len()));
    for rule in rules {
        let metadata = &rule.metadata;
        let id = metadata.id.as_deref().unwrap_or("-");
        let tags =
            if metadata.tags.is_empty() { String::new() } else { format!(" [{}]", metadata.tags.join(", ")) };
        let description = rule.description.as_ref().map_or_else(String::new, |text| format!("  {text}"));
        let text = format!("{id:<12} {:<24} {:<9}{tags}{description}", rule.name, metadata.level.name());
        out.push_str(&format!("  {}\n", line(&text)));
    }
}

/// Adds the list of a pack as Markdown.
fn push_markdown(out: &mut String, about: &RulePack, rules: &[NamedRule]) {
    let text = plantime_terraform::plan::markdown_text;
    out.push_str(&format!(
        "## {}\n\n| id | rule | severity | tags | about |\n|---|---|---|---|---|\n",
        text(&head(about))
    ));
    for rule in rules {
        let metadata = &rule.metadata;
        out.push_str(&format!(
            "| {} | {} | {} | {} | {} |\n",
            text(metadata.id.as_deref().unwrap_or_default()),
            text(&rule.name),
            metadata.level.name(),
            text(&metadata.tags.join(", ")),
            text(rule.description.as_deref().unwrap_or_default()),
        ));
    }
}

/// A pack with its rules as JSON.
fn to_json(about: &RulePack, rules: &[NamedRule]) -> Json {
    let rules = rules.iter().map(|rule| {
        let metadata = &rule.metadata;
        json!({
            "rule": rule.name, "id": metadata.id, "severity": metadata.level.name(), "tags": metadata.tags,
            "link": metadata.link, "owner": metadata.owner, "description": rule.description,
        })
    });
    json!({
        "name": about.name, "version": about.version, "description": about.description, "plantime": about.least,
        "rules": rules.collect::<Vec<Json>>(),
    })
}
