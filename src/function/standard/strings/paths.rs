//! `basename` and `dirname`, for paths with slashes, as Terraform has them on every system but Windows.

use crate::function::Function;
use std::sync::OnceLock;

use crate::function::standard::StandardFunction;
use crate::language::{self, Language, hull};
use crate::types::Type;
use crate::value::Value;

use super::{KnownText, in_language, language_of, string_parameter, string_with_prefix};

/// Registers the functions on file paths as strings, such as `basename` and `dirname`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let path_function = |name, description, note, part: fn(&Value) -> Value| {
        let function = Function::new(name).description(description).parameter(string_parameter("path"));
        let function = function.returns(Type::String).not_null();
        let function = function.body_for_all(move |arguments| Ok(part(arguments.at(0))));
        StandardFunction::language_only(function, note)
    };
    let note = "the shape of a name; of paths of a shape, that of their last parts";
    functions.push(path_function("basename", "The last part of a path.", note, |path| {
        match KnownText::of(path) {
            KnownText::Whole(path) => Value::from(basename(path)),
            KnownText::Prefix(_) => in_language(string_with_prefix(""), basenames(&paths_of(path))),
        }
    }));
    let description = "The path without its last part, in its shortest form.";
    let note = "the root of an absolute path, and the leading `..` of a relative one; the shape, if no part is `.` or `..`";
    functions.push(path_function("dirname", description, note, |path| match KnownText::of(path) {
        KnownText::Whole(path) => Value::from(dirname(path)),
        KnownText::Prefix(prefix) => {
            in_language(string_with_prefix(&stable_root(prefix)), dirnames(&paths_of(path)))
        }
    }));
}

/// The language of an unknown string: all strings, if nothing is known of it.
fn paths_of(path: &Value) -> Language {
    match language_of(path) {
        Some(language) => language.clone(),
        None => hull(Language::prefix(KnownText::of(path).known_prefix())),
    }
}

/// The languages that the parts of paths are taken apart with.
struct PathLanguages {
    slashes: Language,
    /// The paths that do not end with a slash.
    trimmed: Language,
    /// The empty string, and all strings that end with a slash.
    before_part: Language,
    /// One part, not empty.
    part: Language,
    /// A slash and a part, which may be empty.
    last: Language,
    /// The paths without empty parts, and without `.` and `..` but those at the start.
    clean: Language,
    /// What a shortest path may be.
    shortest: Language,
    slash: Language,
    dot: Language,
    empty: Language,
}

impl PathLanguages {
    fn get() -> &'static PathLanguages {
        static ALL: OnceLock<PathLanguages> = OnceLock::new();
        ALL.get_or_init(|| {
            let language = |pattern: &str| {
                let read = crate::regexp::language(pattern);
                read.ok().map_or_else(Language::all, hull)
            };
            let name = r"(?:[^/.]|\.[^/.]|\.\.[^/])[^/]*";
            PathLanguages {
                slashes: language("^/*$"),
                trimmed: language("[^/]$|^$"),
                before_part: language("/$|^$"),
                part: language("^[^/]+$"),
                last: language("^/[^/]*$"),
                clean: language(&format!(r"^(?:|/?{name}(?:/{name})*|\.\.(?:/\.\.)*(?:/{name})*)$")),
                shortest: language(r"^(?:/|/?[^/]+(?:/[^/]+)*)$"),
                slash: language("^/$"),
                dot: language(r"^\.$"),
                empty: language("^$"),
            }
        })
    }
}

/// The language of what `basename` returns for the paths of a language.
fn basenames(paths: &Language) -> language::Result {
    let all = PathLanguages::get();
    let trimmed = hull(hull(paths.right_quotient(&all.slashes)).meet(&all.trimmed));
    let mut parts = hull(hull(trimmed.left_quotient(&all.before_part)).meet(&all.part));
    if paths.contains("") {
        parts = hull(parts.join(&all.dot));
    }
    let is_slashes =
        |paths: &Language| paths.meet(&all.slashes).map(|slashes| slashes.difference(&all.empty));
    match is_slashes(paths) {
        Ok(Ok(slashes)) if slashes.is_empty() => Ok(parts),
        _ => parts.join(&all.slash),
    }
}

/// The language of the directories of paths.
fn dirnames(paths: &Language) -> language::Result {
    let all = PathLanguages::get();
    let before = hull(paths.right_quotient(&all.last));
    if !before.is_subset(&all.clean) {
        return Ok(all.shortest.clone());
    }
    // Nothing before the only slash: the root.
    let mut directories = match before.contains("") {
        true => hull(hull(before.meet(&all.empty.complement())).join(&all.slash)),
        false => before,
    };
    if !paths.is_disjoint(&hull(all.part.join(&all.empty))) {
        directories = hull(directories.join(&all.dot));
    }
    Ok(directories)
}

/// The last part of a path: `.` for the empty path, `/` for a path of slashes only.
fn basename(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rsplit('/').next().unwrap_or_default() {
        "" if path.is_empty() => ".",
        "" => "/",
        last => last,
    }
}

/// The path before its last slash, without empty parts, `.`, and parts that a following `..` cancels.
fn dirname(path: &str) -> String {
    let before = path.rsplit_once('/').map_or("", |(before, _)| before);
    let is_rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in before.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            // The root has no parent.
            ".." if is_rooted => {}
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    match is_rooted {
        true => format!("/{path}"),
        false if path.is_empty() => ".".to_owned(),
        false => path,
    }
}

/// The common prefix of `dirname` for all paths with this prefix: a later `..` can cancel every part but the root and
/// leading `..`.
fn stable_root(prefix: &str) -> String {
    if prefix.starts_with('/') {
        return "/".to_owned();
    }
    // The part after the last slash may continue, or turn out to be the base name.
    let complete = prefix.rsplit_once('/').map_or("", |(complete, _)| complete);
    let parts = complete.split('/').filter(|part| !matches!(*part, "" | "."));
    parts.take_while(|part| *part == "..").collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::{basename, dirname, stable_root};

    #[test]
    fn paths_are_taken_apart_as_terraform_does() {
        for (path, base, directory) in [
            ("", ".", "."),
            ("/", "/", "/"),
            ("//", "/", "/"),
            ("a", "a", "."),
            ("a/", "a", "a"),
            ("/a", "a", "/"),
            ("a/b", "b", "a"),
            ("a//b//", "b", "a/b"),
            ("./a/../b/c.tf", "c.tf", "b"),
            ("a/../../b", "b", ".."),
            ("/../a/b", "b", "/a"),
            ("../../a", "a", "../.."),
            ("a/..", "..", "a"),
        ] {
            assert_eq!((basename(path), dirname(path).as_str()), (base, directory), "{path}");
        }
    }

    #[test]
    fn nothing_takes_back_the_root_and_leading_dots() {
        for (start, root) in
            [("/a/", "/"), ("../", ".."), (".././../a/", "../.."), ("..", ""), ("a/../../", "")]
        {
            assert_eq!(stable_root(start), root, "{start}");
        }
    }
}
