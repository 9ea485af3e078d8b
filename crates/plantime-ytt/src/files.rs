//! The files of a package as templates and as libraries that they load.

use std::rc::Rc;

use crate::library::Scoped;
use crate::node::{Node, Position, Source};
use crate::starlark::error::{Failure, SyntaxError, shown};
use crate::starlark::interpreter::{Interpreter, Library, LibraryRequest, LibraryResult};
use crate::starlark::parser::check_expression;
use crate::starlark::unit::Unit;
use crate::template::{parse_code_file, parse_template_file};
use crate::yaml::{Comments, File, ReadError, read};

/// Evaluates a template, and returns its documents; the error is ytt's.
pub(crate) fn evaluated(this: &mut Interpreter<'_>, file: &File) -> Result<Vec<Node>, String> {
    let name = &file.source.name;
    let unit = parse_template_file(file)
        .map_err(|error| format!("Templating file '{name}': {}", syntax_error(&file.source, &error)))?;
    this.evaluate_file(&Rc::new(unit)).map_err(|failure| match failure {
        Failure::Error(_) => format!("Templating file '{name}': {}", failure.shown()),
        other => other.message(),
    })
}

/// Evaluates a template of output, and returns its documents; the error is ytt's.
pub(crate) fn template_documents(this: &mut Interpreter<'_>, file: &File) -> Result<Vec<Node>, String> {
    let unit = parse_template_file(file).map_err(|error| syntax_error(&file.source, &error))?;
    this.evaluate_file(&Rc::new(unit)).map_err(|failure| match failure {
        Failure::Error(_) => failure.shown(),
        other => other.message(),
    })
}

/// Returns the error of a text template: ytt's for an expression that is none, or else that such templates are not supported.
pub(crate) fn text_template_error(name: &str, text: &str) -> String {
    let mut line = 1_usize;
    let mut parts = text.split("(@");
    let count = |part: &str| part.bytes().filter(|byte| *byte == b'\n').count();
    line = line.saturating_add(parts.next().map_or(0, count));
    for part in parts {
        let code = part.split("@)").next().unwrap_or("");
        let code = code.strip_prefix('-').unwrap_or(code);
        let code = code.strip_suffix('-').unwrap_or(code);
        if let Some(expression) = code.strip_prefix('=')
            && !code.contains('\n')
            && let Err(error) = check_expression(expression, line)
        {
            let positions = format!("\n    {name}:{line} | {code}");
            return format!("Evaluating text template: {}", shown(&error.message, &positions));
        }
        line = line.saturating_add(count(part));
    }
    format!("the text template '{name}' is not supported")
}

/// Returns a syntax error with its line, as ytt shows it.
fn syntax_error(source: &Rc<Source>, error: &SyntaxError) -> String {
    let at = Position { source: Rc::clone(source), line: error.line };
    shown(&error.message, &format!("\n    {at} | {}", at.text()))
}

/// Whether a file is a template of YAML.
pub(crate) fn is_yaml(name: &str) -> bool {
    (name.ends_with(".yml") || name.ends_with(".yaml")) && !is_library(name)
}

/// Whether a file is only evaluated where another one loads it.
fn is_library(name: &str) -> bool {
    [".star", ".lib.yml", ".lib.yaml"].iter().any(|ending| name.ends_with(ending))
}

impl Scoped<'_> {
    /// The name of a file of the package, as another file names it: from its own folder, or with a slash from that of the
    /// package or library.
    fn path_of(&self, name: &str, from: &str) -> String {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        match name.strip_prefix('/') {
            Some(path) => format!("{}{path}", self.folder),
            None if folder.is_empty() => name.to_owned(),
            None if name.is_empty() => folder.to_owned(),
            None => format!("{folder}/{name}"),
        }
    }
}

impl Library for Scoped<'_> {
    fn has_library(&self, path: &str) -> bool {
        Scoped::has_library(self, path)
    }

    fn evaluate_library(&self, request: &LibraryRequest) -> Result<LibraryResult, String> {
        self.evaluate(request)
    }

    fn unit(&self, name: &str, from: &str) -> Result<Rc<Unit>, Failure> {
        let path = self.path_of(name, from);
        let Some((_, text)) = self.package.templates().iter().find(|(known, _)| *known == path) else {
            return Err(format!(
                "cannot load {name}: Expected to find file '{name}' (hint: only files included via -f flag are available)"
            )
            .into());
        };
        if !is_library(&path) {
            return Err(format!("cannot load {name}: Expected file '{path}' to be a library file, but was not (hint: library filename must end with '.lib.yml' or '.star')").into());
        }
        let unit = if path.ends_with(".star") {
            parse_code_file(&path, text).map_err(|error| {
                // ytt does not name the file here.
                let lines = text.split('\n').map(str::to_owned).collect();
                let source = Rc::new(Source { name: String::new(), lines });
                format!("cannot load {name}: Evaluating starlark template: {}", syntax_error(&source, &error))
            })
        } else {
            match read(&path, text, Comments::Template, false) {
                Ok(file) => parse_template_file(&file)
                    .map_err(|error| format!("cannot load {name}: {}", syntax_error(&file.source, &error))),
                Err(ReadError::Syntax(error) | ReadError::Comment(error)) => {
                    Err(format!("cannot load {name}: {error}"))
                }
            }
        };
        Ok(Rc::new(unit?))
    }

    fn size(&self) -> usize {
        self.package.size()
    }

    fn overrides_keys(&self) -> bool {
        self.package.overrides_keys()
    }

    fn has_proposal(&self) -> bool {
        self.package.has_proposal()
    }

    fn list_files(&self, folder: &str, from: &str) -> Result<Vec<String>, String> {
        let mut start = self.path_of(folder.trim_end_matches('/'), from);
        if folder.starts_with('/') && folder.trim_end_matches('/').is_empty() {
            start.clone_from(&self.folder);
        }
        if !start.is_empty() && !start.ends_with('/') {
            start.push('/');
        }
        let below = |name: &'_ String| Some(name.strip_prefix(start.as_str())?.to_owned());
        let names = self.package.templates().iter().map(|(name, _)| name).filter(|name| self.has(name));
        let mut names: Vec<String> = names.filter_map(below).collect();
        if names.is_empty() && !folder.is_empty() {
            return Err(format!("Expected to find folder '{folder}', but did not"));
        }
        // The files of a folder come before those of the folders in it.
        names.sort_by_key(|name| name.contains('/'));
        if folder.starts_with('/') {
            names.iter_mut().for_each(|name| name.insert(0, '/'));
        }
        Ok(names)
    }

    fn read_file(&self, path: &str, from: &str) -> Result<&str, String> {
        let whole = self.path_of(path, from);
        let mut files = self.package.templates().iter().filter(|(name, _)| self.has(name));
        match files.find(|(name, _)| *name == whole) {
            Some((_, text)) => Ok(text),
            None => Err(format!(
                "Expected to find file '{path}' (hint: only files included via -f flag are available)"
            )),
        }
    }
}
