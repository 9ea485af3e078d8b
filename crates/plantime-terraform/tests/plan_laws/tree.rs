//! Planned values, and how a plan writes them.

use std::fmt;

use serde_json::{Map, Value as Json, json};

/// A value of a plan. The members of a set stand in an array, as in JSON.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tree {
    Null,
    Unknown,
    Bool(bool),
    Number(i64),
    Text(&'static str),
    Array(Vec<Tree>),
    Entries(Vec<(&'static str, Tree)>),
}

impl Tree {
    pub(crate) fn entry(&self, name: &str) -> Option<&Tree> {
        match self {
            Tree::Entries(entries) => entries.iter().find(|(key, _)| *key == name).map(|(_, tree)| tree),
            _ => None,
        }
    }

    /// What stands in `after`: unknown attributes and entries are absent, unknown elements are null.
    pub(crate) fn known(&self) -> Json {
        match self {
            Tree::Null | Tree::Unknown => Json::Null,
            Tree::Bool(value) => json!(value),
            Tree::Number(number) => json!(number),
            Tree::Text(text) => json!(text),
            Tree::Array(items) => Json::Array(items.iter().map(Tree::known).collect()),
            Tree::Entries(entries) => {
                let known = entries.iter().filter(|(_, tree)| *tree != Tree::Unknown);
                Json::Object(known.map(|(key, tree)| ((*key).to_owned(), tree.known())).collect())
            }
        }
    }

    /// What stands in `after_unknown`: `true` for each unknown place; entries that are known are absent.
    pub(crate) fn unknown(&self) -> Json {
        match self {
            Tree::Unknown => json!(true),
            Tree::Array(items) => Json::Array(items.iter().map(Tree::unknown).collect()),
            Tree::Entries(entries) => {
                let mut object = Map::new();
                for (key, tree) in entries {
                    match tree.unknown() {
                        Json::Bool(false) => {}
                        unknown => drop(object.insert((*key).to_owned(), unknown)),
                    }
                }
                Json::Object(object)
            }
            _ => json!(false),
        }
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Tree::Unknown => f.write_str("?"),
            Tree::Array(items) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Tree::Entries(entries) => {
                let entries: Vec<String> =
                    entries.iter().map(|(key, tree)| format!("{key}: {tree}")).collect();
                write!(f, "{{{}}}", entries.join(", "))
            }
            tree => write!(f, "{}", tree.known()),
        }
    }
}
