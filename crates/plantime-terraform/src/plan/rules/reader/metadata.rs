//! Reads what a rule says about itself, and the lists that rules and skips name things with.

use super::{Literal as _, Reader, unknown_name};
use crate::plan::address::AddressPattern;
use crate::plan::rules::metadata::RuleMetadata;
use crate::plan::rules::severity_level::SeverityLevel;
use crate::plan::rules::subject::NamePattern;
use plantime::source::{Position, Source};
use plantime_hcl::{Argument, Block, Body};

impl Reader {
    /// Reads the metadata of a rule; a problem leaves the default.
    pub(super) fn read_metadata(&mut self, body: &Body) -> RuleMetadata {
        let mut metadata = RuleMetadata::default();
        for argument in &body.arguments {
            match &*argument.name {
                "id" => metadata.id = self.read_name(argument),
                "owner" => metadata.owner = self.read_name(argument),
                "link" => metadata.link = self.read_link(argument),
                "tags" => metadata.tags = self.read_names(argument),
                "severity" => metadata.level = self.read_severity(argument).unwrap_or_default(),
                _ => {}
            }
        }
        metadata
    }

    /// Reports an id that another rule has.
    pub(super) fn check_id(&mut self, block: &Block, id: &str, position: Position, all: &Source) {
        match self.ids.get(id).copied() {
            None => {
                self.ids.insert(id.to_owned(), position);
            }
            Some(first) => {
                let first = self.place_in_words(first, all);
                self.add_problem(block, format!("a second rule with the id `{id}`; the first is {first}"));
            }
        }
    }

    /// Reads the name of a level.
    fn read_severity(&mut self, argument: &Argument) -> Option<SeverityLevel> {
        let text = self.read_text(argument)?;
        let level = SeverityLevel::named(&text);
        if level.is_none() {
            let names: Vec<&str> = SeverityLevel::NAMES.iter().map(|(name, _)| *name).collect();
            let message =
                format!("{}; there are {}", unknown_name("severity", &text, &names), names.join(", "));
            self.add_problem(&argument.expression, message);
        }
        level
    }

    /// Reads a string that is not blank.
    pub(super) fn read_name(&mut self, argument: &Argument) -> Option<String> {
        let text = self.read_text(argument)?;
        if text.trim().is_empty() {
            self.add_problem(&argument.expression, format!("`{}` is empty", argument.name));
            return None;
        }
        Some(text)
    }

    /// Reads the address of a page. Reports make a link of it, so it is not of another scheme.
    fn read_link(&mut self, argument: &Argument) -> Option<String> {
        let text = self.read_name(argument)?;
        let is_page = text.starts_with("https://") || text.starts_with("http://");
        if !is_page || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
            let message = format!("`link` takes the address of a page, such as \"https://…\", not {text:?}");
            self.add_problem(&argument.expression, message);
            return None;
        }
        Some(text)
    }

    /// Reads a list of strings that are not blank. What is none is reported and left out.
    pub(super) fn read_names(&mut self, argument: &Argument) -> Vec<String> {
        let name = &argument.name;
        let Some(items) = argument.expression.items() else {
            let message =
                format!("`{name}` takes a list of texts, not {}", argument.expression.description());
            self.add_problem(&argument.expression, message);
            return Vec::new();
        };
        if items.is_empty() {
            self.add_problem(&argument.expression, format!("`{name}` is empty; leave it out"));
        }
        let mut names = Vec::new();
        for item in &items {
            match item.as_text().filter(|text| !text.trim().is_empty()) {
                Some(text) => names.push(text),
                None => self.add_problem(item, format!("`{name}` takes a list of texts")),
            }
        }
        names
    }

    /// Reads a string or a list of strings.
    fn read_one_or_more(&mut self, argument: &Argument) -> Vec<String> {
        match argument.expression.items() {
            Some(_) => self.read_names(argument),
            None => self.read_text(argument).into_iter().collect(),
        }
    }

    /// Reads an address pattern, or a list of them; `None` after a problem.
    pub(super) fn read_addresses(&mut self, argument: &Argument) -> Option<Vec<AddressPattern>> {
        let texts = self.read_one_or_more(argument);
        let read: Vec<AddressPattern> =
            texts.iter().filter_map(|text| self.parse_address(text, &argument.expression)).collect();
        (!read.is_empty() && read.len() == texts.len()).then_some(read)
    }

    /// Reads the pattern of an output's name, or a list of them; `None` after a problem.
    pub(super) fn read_outputs(&mut self, argument: &Argument) -> Option<Vec<NamePattern>> {
        let texts = self.read_one_or_more(argument);
        let read: Vec<NamePattern> = texts.into_iter().map(NamePattern::new).collect();
        (!read.is_empty()).then_some(read)
    }
}
