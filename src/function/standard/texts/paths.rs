//! Paths of files, with slashes: what Terraform has on every system but Windows.

use crate::function::Function;
use crate::function::standard::Standard;
use crate::types::Type;
use crate::value::Value;

use super::{Known, starting, text};

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let of_path = |name, description, part: fn(Known<'_>) -> Value| {
        let function = Function::new(name).description(description).parameter(text("path"));
        let function = function.returns(Type::String).not_null();
        Standard::language(function.body_for_all(move |arguments| Ok(part(Known::of(arguments.at(0))))))
    };
    all.push(of_path("basename", "The last part of a path.", |path| match path {
        Known::Whole(path) => Value::from(basename(path)),
        // Another part can follow.
        Known::Start(_) => starting(""),
    }));
    all.push(of_path(
        "dirname",
        "The path without its last part, in its shortest form.",
        |path| match path {
            Known::Whole(path) => Value::from(dirname(path)),
            Known::Start(start) => starting(&lasting_root(start)),
        },
    ));
}

/// The last part; a dot for the empty path, a slash for one of nothing but slashes.
fn basename(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rsplit('/').next().unwrap_or_default() {
        "" if path.is_empty() => ".",
        "" => "/",
        last => last,
    }
}

/// What stands before the last slash, without empty parts, dots, and parts that two dots take back.
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
            // Above the root there is nothing.
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

/// What the directory of every path that starts so starts with. Parts that follow can take back every part but the root
/// and two dots at the start.
fn lasting_root(start: &str) -> String {
    if start.starts_with('/') {
        return "/".to_owned();
    }
    // What stands after the last slash can be the start of a name, or the last part.
    let whole = start.rsplit_once('/').map_or("", |(whole, _)| whole);
    let parts = whole.split('/').filter(|part| !matches!(*part, "" | "."));
    parts.take_while(|part| *part == "..").collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::{basename, dirname, lasting_root};

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
            assert_eq!(lasting_root(start), root, "{start}");
        }
    }
}
