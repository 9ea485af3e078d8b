//! Writes binary plans, by the definition of the messages.

use std::collections::BTreeMap;
use std::io::{Cursor, Write as _};

use plantime::{Mark, Path, Step, Type, Value, View, msgpack};
use serde_json::{Value as Json, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// An object of a plan: a change of it, or a data source that was read while planning.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) address: String,
    pub(crate) provider: String,
    /// `create`, `update`, `delete`, `delete create`, `create delete`, `forget`, `read`, `no-op`.
    pub(crate) actions: String,
    pub(crate) before: Option<Value>,
    pub(crate) after: Option<Value>,
    pub(crate) deposed: Option<String>,
}

/// What a binary plan is made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    pub(crate) changes: Vec<Object>,
    pub(crate) drift: Vec<Object>,
    /// The data sources that were read while planning.
    pub(crate) read: Vec<Object>,
    pub(crate) variables: BTreeMap<String, Value>,
    pub(crate) outputs: BTreeMap<String, Value>,
    /// The files of the configuration, by folder and name: `main.tf`, `net/main.tf`.
    pub(crate) files: BTreeMap<String, String>,
    /// The module calls: their keys, such as `net.dns`, their sources, and the folders of the called modules.
    pub(crate) modules: Vec<(String, String, String)>,
    pub(crate) is_incomplete: bool,
    pub(crate) is_errored: bool,
    pub(crate) terraform_version: Option<String>,
    pub(crate) timestamp: Option<String>,
    pub(crate) workspace: Option<String>,
}

/// A number in the form of protobuf.
fn varint(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 127 {
        bytes.push(u8::try_from(number & 127).unwrap() | 128);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).unwrap());
    bytes
}

/// A field with a number.
fn number(field: usize, value: usize) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

/// A field with a length.
fn field(number: usize, content: &[u8]) -> Vec<u8> {
    [varint(number << 3 | 2), varint(content.len()), content.to_vec()].concat()
}

fn text(number: usize, text: &str) -> Vec<u8> {
    field(number, text.as_bytes())
}

/// A field with a value of this type.
fn value(number: usize, value: &Value, ty: &Type) -> Vec<u8> {
    let bytes = msgpack::to_vec(&value.unmark_deep().0, ty).unwrap();
    field(number, &field(1, &bytes))
}

/// The paths of the sensitive parts of a value.
fn sensitive_paths(value: &Value) -> Vec<Path> {
    let mut found = Vec::new();
    value.walk(|path, part| {
        let is_sensitive = part.marks().contains(&Mark::SENSITIVE);
        if is_sensitive {
            found.push(path.clone());
        }
        !is_sensitive
    });
    found
}

fn path(number: usize, path: &Path) -> Vec<u8> {
    let step = |step: &Step| match step {
        Step::Attr(name) => field(1, &text(1, name.as_str())),
        Step::Index(key) => field(1, &value(2, key, &key.ty())),
    };
    field(number, &path.steps().iter().flat_map(step).collect::<Vec<_>>())
}

/// The message of a change. `ty` is the type of the values.
fn change(actions: &str, before: Option<&Value>, after: Option<&Value>) -> Vec<u8> {
    let known =
        ["no-op", "create", "read", "update", "", "delete", "delete create", "create delete", "forget"];
    let action = known.iter().position(|known| *known == actions).unwrap();
    let null = Value::null(Type::Dynamic);
    let side = |side: Option<&Value>| {
        let side = side.unwrap_or(&null);
        let bare = side.unmark_deep().0;
        value(2, &bare, &bare.ty())
    };
    let sides = match actions {
        "no-op" | "create" => side(after),
        "delete" | "forget" => side(before),
        _ => [side(before), side(after)].concat(),
    };
    let marked = |number: usize, side: Option<&Value>| {
        side.into_iter().flat_map(sensitive_paths).flat_map(|found| path(number, &found)).collect::<Vec<u8>>()
    };
    [number(1, action), sides, marked(3, before), marked(4, after)].concat()
}

fn object(number: usize, object: &Object) -> Vec<u8> {
    let Object { address, provider, actions, before, after, deposed } = object;
    let mut parts = vec![text(13, address), text(8, &format!("provider[\"{provider}\"]"))];
    parts.extend(deposed.iter().map(|key| text(7, key)));
    parts.push(field(9, &change(actions, before.as_ref(), after.as_ref())));
    field(number, &parts.concat())
}

/// An output that is created.
fn output(name: &str, output: &Value) -> Vec<u8> {
    let (bare, marks) = output.unmark_deep();
    let after = value(2, &bare, &Type::Dynamic);
    let sensitive = usize::from(marks.contains(&Mark::SENSITIVE));
    field(4, &[text(1, name), field(2, &[number(1, 1), after].concat()), number(3, sensitive)].concat())
}

/// The state with the data sources that were read.
fn state(read: &[Object]) -> String {
    let resources = read.iter().map(|object| {
        let (module, rest) = object.address.rsplit_once("data.").unwrap();
        let (ty, name) = rest.split_once('.').unwrap();
        let (name, key) =
            name.split_once('[').map_or((name, ""), |(name, key)| (name, key.trim_end_matches(']')));
        let value = object.after.as_ref().unwrap().unmark_deep().0;
        let attributes: Json = serde_json::from_str(&plantime::json::to_string(&value).unwrap()).unwrap();
        let mut instance = json!({"schema_version": 0, "attributes": attributes});
        if !key.is_empty() {
            instance["index_key"] = serde_json::from_str(key).unwrap();
        }
        let mut resource = json!({"mode": "data", "type": ty, "name": name,
            "provider": format!("provider[\"{}\"]", object.provider), "instances": [instance]});
        if !module.is_empty() {
            resource["module"] = json!(module.trim_end_matches('.'));
        }
        // The instances are last.
        let mut text: Vec<(String, Json)> = Vec::new();
        for name in ["module", "mode", "type", "name", "provider", "instances"] {
            text.extend(resource.get(name).map(|value| (name.to_owned(), value.clone())));
        }
        let parts: Vec<String> =
            text.iter().map(|(name, value)| format!("{}: {value}", json!(name))).collect();
        format!("{{{}}}", parts.join(", "))
    });
    let resources: Vec<String> = resources.collect();
    format!("{{\"version\": 4, \"resources\": [{}]}}", resources.join(", "))
}

/// A list of a plan, as the text of its files.
pub(crate) fn write(contents: &Contents) -> Vec<u8> {
    let mut plan = number(1, 3);
    for (name, variable) in &contents.variables {
        let bare = variable.unmark_deep().0;
        plan.extend(field(2, &[text(1, name), value(2, &bare, &Type::Dynamic)].concat()));
    }
    plan.extend(contents.changes.iter().flat_map(|one| object(3, one)));
    plan.extend(contents.drift.iter().flat_map(|one| object(18, one)));
    plan.extend(contents.outputs.iter().flat_map(|(name, one)| output(name, one)));
    plan.extend(contents.terraform_version.iter().flat_map(|version| text(14, version)));
    plan.extend(contents.timestamp.iter().flat_map(|time| text(21, time)));
    plan.extend(number(20, usize::from(contents.is_errored)));
    plan.extend([number(25, 1), number(26, usize::from(!contents.is_incomplete))].concat());
    if let Some(workspace) = &contents.workspace {
        let config = field(2, &field(1, b"\x80"));
        plan.extend(field(13, &[text(1, "local"), config, text(3, workspace)].concat()));
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, content: &[u8]| {
        writer.start_file(name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    };
    add("tfplan", &plan);
    add("tfstate", state(&contents.read).as_bytes());
    let mut manifest = vec![json!({"Key": "", "Dir": "m-"})];
    for (key, source, folder) in &contents.modules {
        manifest.push(json!({"Key": key, "Source": source, "Dir": folder}));
    }
    add("tfconfig/modules.json", Json::from(manifest).to_string().as_bytes());
    for (path, content) in &contents.files {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if folder.is_empty() {
            add(&format!("tfconfig/m-/{name}"), content.as_bytes());
        }
        for (key, ..) in contents.modules.iter().filter(|(.., called)| called == folder) {
            add(&format!("tfconfig/m-{key}/{name}"), content.as_bytes());
        }
    }
    writer.finish().unwrap().into_inner()
}

/// Whether a value has an unknown part.
pub(crate) fn has_unknown(value: &Value) -> bool {
    !value.unmark_deep().0.is_wholly_known() || matches!(value.view(), View::Unknown(_))
}
