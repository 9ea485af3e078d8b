//! Public items say what they are in their first line, and functions of some modules show it.

use std::collections::BTreeSet;

use super::{crates, sources};

/// The libraries of which each function has an example or a link to one.
const LIBRARIES: [&str; 4] =
    ["src", "crates/plantime-hcl/src", "crates/plantime-schema/src", "crates/plantime-terraform/src"];

/// An item that other modules can name, and the lines of its documentation.
struct Item {
    place: String,
    /// The name of a function that is no method, else empty.
    name: String,
    is_function: bool,
    docs: Vec<String>,
}

/// The documented `pub` items of a file. Items are told by their lines alone: the compiler requires the documentation.
fn items(file: &str) -> Vec<Item> {
    let text = sources::text(file);
    let (mut items, mut docs, mut is_hidden) = (Vec::new(), Vec::new(), false);
    for (at, line) in text.lines().enumerate() {
        let is_inside = line.starts_with(' ');
        let line = line.trim_start();
        if let Some(doc) = line.strip_prefix("///") {
            docs.push(doc.trim().to_owned());
            continue;
        }
        // Attributes stand between the documentation and its item.
        is_hidden = is_hidden || line == "#[doc(hidden)]";
        if line.starts_with("#[") {
            continue;
        }
        if let Some(item) = line.strip_prefix("pub ") {
            let words: Vec<&str> = item.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
            let is_function = words.iter().take(3).any(|word| *word == "fn");
            if !docs.is_empty() && !item.starts_with("use ") && !is_hidden {
                let name = words.iter().skip_while(|word| **word != "fn").nth(1).map_or("", |name| *name);
                let name = if is_inside { "" } else { name };
                let place = format!("{file}:{}", at + 1);
                items.push(Item { place, name: name.to_owned(), is_function, docs: docs.clone() });
            }
        }
        docs.clear();
        is_hidden = false;
    }
    items
}

/// The public items, but for what the hidden modules export: functions by their name, types where
/// a file has no others.
fn public_items() -> Vec<Item> {
    let mut all = Vec::new();
    for folder in LIBRARIES {
        let hidden: BTreeSet<String> = crates::hidden_names(folder).into_iter().collect();
        for file in sources::rust_files(folder) {
            let text = sources::text(&file);
            let kinds = ["\npub struct ", "\npub enum ", "\npub trait "];
            let types = kinds.into_iter().flat_map(|kind| text.split(kind).skip(1));
            let types: Vec<&str> =
                types.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next()).collect();
            if types.is_empty() || !types.iter().all(|name| hidden.contains(*name)) {
                all.extend(items(&file).into_iter().filter(|item| !hidden.contains(&item.name)));
            }
        }
    }
    all
}

/// In an overview of a module the first line stands alone.
#[test]
fn the_first_line_of_every_item_says_what_it_is() {
    let items = public_items();
    assert!(items.len() > 1_000, "only {} items were found", items.len());
    let is_short =
        |item: &&Item| item.docs[0].starts_with('#') || item.docs[0].split_whitespace().count() < 4;
    let short: Vec<String> =
        items.iter().filter(is_short).map(|item| format!("{}: {}", item.place, item.docs[0])).collect();
    assert!(short.is_empty(), "say in a sentence what these return, do or hold:\n{}", short.join("\n"));
}

/// The functions of a module, and how many of them have an example.
fn examples(module: &str) -> (usize, usize) {
    let is_of_module =
        |item: &&Item| LIBRARIES.iter().any(|folder| item.place.starts_with(&format!("{folder}/{module}")));
    let items = public_items();
    let functions = items.iter().filter(|item| item.is_function).filter(is_of_module);
    let has_example = |item: &&Item| item.docs.iter().any(|line| line.starts_with("```"));
    (functions.clone().filter(has_example).count(), functions.count())
}

/// At least so many functions of a module have an example: the numbers only grow.
#[test]
fn functions_show_what_they_give() {
    let modules = [
        ("assume", 8),
        ("bridge", 9),
        ("expression", 14),
        ("function", 18),
        ("json", 13),
        ("language", 16),
        ("ops", 29),
        ("path", 10),
        ("plan", 50),
        ("refinement", 24),
        ("rule", 85),
        ("schema", 20),
        ("source", 4),
        ("types", 14),
        ("value", 38),
    ];
    for (module, least) in modules {
        let (with, all) = examples(module);
        println!("{with} of {all} functions of {module} have an example");
        assert!(
            with >= least,
            "{with} of {all} functions of {module} have an example, and there were {least}"
        );
    }
}

/// A function that users call has an example, or a link to the example of the type or function beside it that shows it. What
/// proves operations and makes random values is explained as a whole, in its module.
#[test]
fn functions_have_an_example_or_a_link_to_one() {
    let rooms = ["src/arbitrary", "src/sample", "src/strategy", "src/testing"];
    let is_for_users = |item: &&Item| !rooms.iter().any(|room| item.place.starts_with(room));
    let has_none =
        |item: &&Item| !item.docs.iter().any(|line| line.starts_with("```") || line.contains("xample"));
    let items = public_items();
    let functions = items.iter().filter(|item| item.is_function).filter(is_for_users);
    let without: Vec<&str> = functions.filter(has_none).map(|item| item.place.as_str()).collect();
    println!("{} functions have neither:\n{}", without.len(), without.join("\n"));
    assert!(without.len() <= 20, "{} functions have neither:\n{}", without.len(), without.join("\n"));
}

/// All examples are compiled as one program, which takes seconds. If that does not compile, each is compiled alone, in silence
/// and in minutes. The path of a file is relative to that program, so an example that includes one does not compile there.
#[test]
fn examples_compile_together() {
    let includes = |item: &&Item| {
        item.docs.iter().any(|line| line.contains("include_str!(\"") || line.contains("include_bytes!(\""))
    };
    let items = public_items();
    let places: Vec<&str> = items.iter().filter(includes).map(|item| item.place.as_str()).collect();
    assert!(
        places.is_empty(),
        "use `plantime_terraform::plan::example`, or an absolute path: {}",
        places.join(", ")
    );
}
