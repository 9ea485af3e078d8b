//! `basename` and `dirname`, for paths with slashes, as Terraform has them on every system but Windows.

use crate::function::Function;
use crate::function::standard::StandardFunction;
use crate::types::Type;
use crate::value::Value;

use super::{KnownText, string_parameter, string_with_prefix};

/// Registers the functions on file paths as strings, such as `basename` and `dirname`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let path_function = |name, description, note, part: fn(KnownText<'_>) -> Value| {
        let function = Function::new(name).description(description).parameter(string_parameter("path"));
        let function = function.returns(Type::String).not_null();
        let function = function.body_for_all(move |arguments| Ok(part(KnownText::of(arguments.at(0)))));
        StandardFunction::language_only(function, note)
    };
    let note = "that the result is not null";
    functions.push(path_function("basename", "The last part of a path.", note, |path| match path {
        KnownText::Whole(path) => Value::from(basename(path)),
        // Another part may follow the known prefix.
        KnownText::Prefix(_) => string_with_prefix(""),
    }));
    let description = "The path without its last part, in its shortest form.";
    let note = "the root of an absolute path, and the leading `..` of a relative one";
    functions.push(path_function("dirname", description, note, |path| match path {
        KnownText::Whole(path) => Value::from(dirname(path)),
        KnownText::Prefix(prefix) => string_with_prefix(&stable_root(prefix)),
    }));
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
