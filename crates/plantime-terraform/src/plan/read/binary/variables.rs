//! Tells which root variables are not sensitive. The plan does not say; the configuration inside it does.

use std::collections::{BTreeMap, BTreeSet};

use plantime::Value;
use plantime::source::Source;
use plantime_hcl::Body;

/// The most bytes of the root module that are read for its declarations: a parsed file takes many times its bytes.
const ROOT_MODULE_BYTES: usize = 1 << 19;

/// The root variables whose declaration in the embedded configuration certainly says that they are not sensitive; `None`
/// if the declarations cannot be read, or are too long.
pub(super) fn public_variables(files: &BTreeMap<String, String>) -> Option<BTreeSet<String>> {
    let (mut declared, mut secret) = (BTreeSet::new(), BTreeSet::new());
    let mut left = ROOT_MODULE_BYTES;
    for (name, text) in files {
        let Some(file) = name.strip_prefix("tfconfig/m-/") else { continue };
        // The JSON form of the language has declarations too, and they are not read here.
        if file.ends_with(".json") {
            return None;
        }
        if !file.ends_with(".tf") && !file.ends_with(".tofu") {
            continue;
        }
        left = left.checked_sub(text.len())?;
        let body = Body::parse(&Source::new(file, text.as_str())).ok()?;
        for block in body.blocks.iter().filter(|block| &*block.kind == "variable") {
            let [label] = block.labels.as_slice() else { return None };
            declared.insert(label.to_string());
            let secrecy = |name: &str| block.body.argument(name);
            let is_public = |flag: Option<Value>| flag.is_some_and(|flag| flag.as_bool() == Ok(false));
            let is_secret = ["sensitive", "ephemeral"]
                .into_iter()
                .filter_map(secrecy)
                .any(|argument| !is_public(argument.expression.as_literal()));
            if is_secret {
                secret.insert(label.to_string());
            }
        }
    }
    // An override file may make a variable sensitive that another file declares as not.
    Some(declared.difference(&secret).cloned().collect())
}
