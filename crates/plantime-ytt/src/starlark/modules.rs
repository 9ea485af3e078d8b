//! The modules that `load("@ytt:NAME", ...)` finds.

pub(crate) mod assert;
pub(crate) mod encodings;
pub(crate) mod library;
mod math;
mod network;
pub(crate) mod overlay;
mod structs;
pub(crate) mod template;
mod text;

use std::rc::Rc;

use super::error::Failure;
use super::interpreter::Interpreter;
use super::value::{Builtin, Native, Struct, StructKind, Value};

/// Returns a module, as an object with its functions under its name, for a file that loads it.
pub(super) fn module(this: &mut Interpreter<'_>, name: &str, from: &str) -> Result<Value, Failure> {
    let functions: &[(&'static str, Native)] = match name {
        "assert" => &assert::FUNCTIONS,
        "base64" => &encodings::BASE64,
        "data" => &[],
        "ip" => &network::IP,
        "json" => &encodings::JSON,
        "library" => &library::FUNCTIONS,
        "math" => &math::FUNCTIONS,
        "overlay" => &overlay::FUNCTIONS,
        "md5" => &text::MD5,
        "regexp" => &text::REGEXP,
        "sha256" => &text::SHA256,
        "struct" => &structs::STRUCT,
        "template" => &template::FUNCTIONS,
        "url" => &network::URL,
        "version" => &text::VERSION,
        "yaml" => &encodings::YAML,
        "toml" => {
            return Err(Failure::Limit(format!("the module '@ytt:{name}' is not supported")));
        }
        _ => {
            return Err(format!(
                "cannot load @ytt:{name}: builtin ytt library does not have module '{name}' (hint: is it available in newer version of ytt?)"
            )
            .into());
        }
    };
    let function = |(function, native): &(&'static str, Native)| {
        (Rc::from(*function), Builtin::function(&format!("{name}.{function}"), *native))
    };
    let mut fields: Vec<(Rc<str>, Value)> = functions.iter().map(function).collect();
    match name {
        "math" => fields.extend([
            (Rc::from("e"), Value::Float(std::f64::consts::E)),
            (Rc::from("pi"), Value::Float(std::f64::consts::PI)),
        ]),
        "data" => {
            let values = match &this.data_values {
                Some(values) => values.clone(),
                None => Struct::value(&this.heap, StructKind::Struct, Vec::new())?,
            };
            fields.extend(structs::data(from));
            fields.push((Rc::from("values"), values));
        }
        _ => {}
    }
    let name = functions_name(name);
    let module = Struct::value(&this.heap, StructKind::Module(name), fields)?;
    this.heap.structure(Struct { kind: StructKind::Struct, fields: vec![(Rc::from(name), module)] })
}

/// Returns the name of a module with the lifetime of the program.
fn functions_name(name: &str) -> &'static str {
    const NAMES: [&str; 16] = [
        "assert", "base64", "data", "ip", "json", "library", "math", "md5", "overlay", "regexp", "sha256",
        "struct", "template", "url", "version", "yaml",
    ];
    NAMES.iter().find(|known| **known == name).copied().unwrap_or("")
}
