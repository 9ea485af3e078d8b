//! Functions that read files or depend on the run: the clock, the working directory, chance.

mod fileset;

use std::sync::{Arc, OnceLock};

use crate::configuration::Inputs;
use crate::configuration::files::{Files, joined, parent};
use plantime::function::{Function, FunctionBuilder, Functions, MarkHandling, Parameter};
use plantime::source::Source;
use plantime::unstable::error::Kind;
use plantime::unstable::function::DIGESTS;
use plantime::{Error, Mark, Marks, Refinement, Result, Type, Value, View};
use plantime_hcl::{Diagnostics, Expression, Scope};

use fileset::Found;

/// The functions of the language for a configuration with these files.
pub(in crate::configuration) fn functions(files: Arc<dyn Files>, inputs: &Inputs<'_>) -> Functions {
    let mut functions = Functions::standard().clone();
    for function in inputs.functions.into_iter().flat_map(Functions::iter) {
        functions.insert(function.clone());
    }
    let directory = inputs.directory.clone();
    functions.insert(path_function("abspath", move |path| match (&directory, path.starts_with('/')) {
        (_, true) => Ok(Value::from(joined("/", path))),
        (Some(directory), false) => Ok(Value::from(joined(directory, path))),
        (None, false) => unknown_text("/"),
    }));
    functions.insert(path_function("pathexpand", |path| match path.starts_with('~') {
        true => unknown_text(""),
        false => Ok(Value::from(path)),
    }));
    add_readers(&mut functions, &files);
    add_digests(&mut functions, &files);
    add_sets_of_files(&mut functions, &files);
    let planned = inputs.known.and_then(|known| known.timestamp()).map(Value::from);
    functions.insert(
        Function::new("plantimestamp")
            .returns(Type::String)
            .not_null()
            .body_for_all(move |_| planned.clone().map_or_else(|| unknown_of(Shape::Timestamp), Ok)),
    );
    for (name, shape) in [("timestamp", Shape::Timestamp), ("uuid", Shape::Uuid)] {
        functions.insert(
            Function::new(name)
                .returns(Type::String)
                .not_null()
                .unpredictable_within(move || shape.refinement())
                .body(move |_| unknown_of(shape)),
        );
    }
    // The bytes depend on the program that compresses, and on chance.
    let parameters = |names: &[&'static str]| {
        names.iter().map(|name| Parameter::new(name, Type::String)).collect::<Vec<_>>()
    };
    for (name, shape, parameters, variadic) in [
        ("base64gzip", Shape::Gzip, parameters(&["str"]), None),
        ("bcrypt", Shape::Bcrypt, parameters(&["str"]), Some(Parameter::new("cost", Type::Number))),
        ("rsadecrypt", Shape::Any, parameters(&["ciphertext", "privatekey"]), None),
    ] {
        let function = parameters.into_iter().fold(Function::new(name), FunctionBuilder::parameter);
        let function = match variadic {
            Some(variadic) => function.variadic(variadic),
            None => function,
        };
        functions.insert(
            function
                .returns(Type::String)
                .not_null()
                .unpredictable_within(move || shape.refinement())
                .body(move |_| unknown_of(shape)),
        );
    }
    add_encodings(&mut functions);
    add_removed(&mut functions);
    add_builtin(&mut functions, inputs);
    functions.insert(
        Function::new("ephemeralasnull")
            .parameter(
                Parameter::new("value", Type::Dynamic)
                    .allow_null()
                    .allow_unknown()
                    .allow_dynamic()
                    .marks(MarkHandling::Own),
            )
            .returns_by(|arguments| Ok(arguments.at(0).ty()))
            .body_for_all(|arguments| arguments.at(0).transform(|_, part| Ok(without_ephemeral(part)))),
    );
    let without_files = functions.clone();
    functions.insert(
        Function::new("templatefile")
            .parameter(Parameter::new("path", Type::String))
            .parameter(Parameter::new("vars", Type::Dynamic).allow_unknown().allow_dynamic())
            .body_for_all(move |arguments| {
                template_file(&*files, &without_files, arguments.at(0), arguments.at(1))
            }),
    );
    functions
}

/// An unknown string that is not null, with this beginning.
fn unknown_text(prefix: &str) -> Result<Value> {
    Value::refined(Type::String, Refinement::prefix(prefix).and_not_null())
}

/// The form that all results of a function have whose result is known only at the apply.
#[derive(Clone, Copy)]
enum Shape {
    Any,
    Bcrypt,
    Gzip,
    Timestamp,
    Uuid,
}

impl Shape {
    /// The refinement of the results: not null, and of a shape.
    fn refinement(self) -> Refinement {
        static COMPILED: [OnceLock<Refinement>; 5] = [const { OnceLock::new() }; 5];
        let pattern = match self {
            Shape::Any => "",
            Shape::Bcrypt => r"^\$2a\$[0-9]{2}\$[./A-Za-z0-9]{53}$",
            // The beginning of a file of gzip, in base64.
            Shape::Gzip => "^H4sI[+/0-9A-Za-z]*={0,2}$",
            Shape::Timestamp => "^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9](?::[0-5][0-9]){2}Z$",
            // All bits are random, those of the version too.
            Shape::Uuid => "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
        };
        let compiled = || Refinement::pattern(pattern).unwrap_or(Refinement::any()).and_not_null();
        COMPILED.get(self as usize).map_or_else(compiled, |slot| slot.get_or_init(compiled).clone())
    }
}

/// An unknown string of a shape.
fn unknown_of(shape: Shape) -> Result<Value> {
    Value::refined(Type::String, shape.refinement())
}

/// Null in place of an ephemeral value.
fn without_ephemeral(value: Value) -> Value {
    if !value.marks().contains(&Mark::EPHEMERAL) {
        return value;
    }
    let mut marks = Marks::new();
    value.marks().iter().filter(|mark| **mark != Mark::EPHEMERAL).for_each(|mark| marks.insert(mark.clone()));
    Value::null(value.ty()).with_marks(&marks)
}

/// The functions `list` and `map` of old versions, of which Terraform says what to write instead.
fn add_removed(functions: &mut Functions) {
    for (name, instead) in [("list", "tolist([ ... ])"), ("map", "tomap({ ... })")] {
        let any = Parameter::new("vals", Type::Dynamic).allow_null().allow_unknown().allow_dynamic();
        functions.insert(Function::new(name).variadic(any).body_for_all(move |_| {
            let message = format!(
                "the {name:?} function was deprecated in Terraform v0.12 and is no longer available; use {instead} syntax to \
                 write a literal {name}"
            );
            Err(Error::new(Kind::Argument, message))
        }));
    }
}

/// The functions of the provider that is part of Terraform, where the caller has none of these names: their results are not known.
fn add_builtin(functions: &mut Functions, inputs: &Inputs<'_>) {
    let any = || Parameter::new("value", Type::Dynamic);
    for (name, parameter, ty) in [
        ("decode_tfvars", Parameter::new("src", Type::String), Type::Dynamic),
        ("encode_expr", any(), Type::String),
        ("encode_tfvars", any(), Type::String),
    ] {
        let needs_object = name == "encode_tfvars";
        let name = format!("provider::terraform::{name}");
        if inputs.functions.is_some_and(|given| given.get(&name).is_some()) {
            continue;
        }
        let unknown = Value::unknown_not_null(ty.clone());
        let function = Function::new(&name).parameter(parameter).returns(ty).not_null();
        functions.insert(function.body(move |arguments| {
            if needs_object && !matches!(arguments.at(0).ty(), Type::Object(_) | Type::Map(_)) {
                let message = "invalid value to encode: must be an object whose attribute names will become the encoded variable \
                               names";
                return Err(Error::new(Kind::Argument, message));
            }
            Ok(unknown.clone())
        }));
    }
}

/// `textencodebase64` and `textdecodebase64` for the encodings of Unicode; for others the result is unknown.
fn add_encodings(functions: &mut Functions) {
    use base64::Engine as _;
    let base64 = &base64::engine::general_purpose::STANDARD;
    let of = |name: &str, text: &str| {
        let function = Function::new(name).parameter(Parameter::new(text, Type::String));
        function.parameter(Parameter::new("encoding", Type::String)).returns(Type::String).not_null()
    };
    functions.insert(of("textencodebase64", "string").body(move |arguments| {
        let text = arguments.text(0)?;
        let bytes = match arguments.text(1)?.to_ascii_uppercase().as_str() {
            "UTF-8" => text.as_bytes().to_vec(),
            "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            _ => return unknown_text(""),
        };
        Ok(Value::from(base64.encode(bytes)))
    }));
    functions.insert(of("textdecodebase64", "source").body(move |arguments| {
        let invalid = || Error::new(Kind::Argument, "the given value is not valid in this encoding");
        let bytes = base64.decode(arguments.text(0)?).map_err(|error| match error {
            // The words are those of Terraform.
            base64::DecodeError::InvalidByte(offset, _) => {
                let message = format!("the given value is has an invalid base64 symbol at offset {offset}");
                Error::new(Kind::Argument, message).in_argument(0)
            }
            _ => invalid(),
        })?;
        let units = |unit: fn([u8; 2]) -> u16| {
            let pairs = bytes.chunks(2).map(|pair| match pair {
                &[first, second] => Ok(unit([first, second])),
                _ => Err(invalid()),
            });
            let units = pairs.collect::<Result<Vec<u16>>>()?;
            String::from_utf16(&units).map_err(|_| invalid())
        };
        let text = match arguments.text(1)?.to_ascii_uppercase().as_str() {
            "UTF-8" => String::from_utf8(bytes.clone()).map_err(|_| invalid())?,
            "UTF-16LE" => units(u16::from_le_bytes)?,
            "UTF-16BE" => units(u16::from_be_bytes)?,
            _ => return unknown_text(""),
        };
        Ok(Value::from(text))
    }));
}

/// A function of a path.
fn path_function(name: &str, body: impl Fn(&str) -> Result<Value> + Send + Sync + 'static) -> Function {
    Function::new(name)
        .parameter(Parameter::new("path", Type::String))
        .returns(Type::String)
        .not_null()
        .body(move |arguments| body(arguments.text(0)?))
}

/// The error for a file that does not exist.
#[cold]
fn no_file(path: &str) -> Error {
    let hint = "this function works only with files that are distributed as part of the configuration source code, so if \
                this file will be created by a resource in this configuration you must instead obtain this result from an \
                attribute of that resource";
    Error::new(Kind::NotFound, format!("no file exists at {path:?}; {hint}")).in_argument(0)
}

/// What the caller has at a path.
enum Content {
    Bytes(Vec<u8>),
    /// The caller does not have the file, but it may exist.
    Unknown,
}

/// The content of a file; an error if it does not exist.
fn content(files: &dyn Files, path: &str) -> Result<Content> {
    match files.content(&joined("", path)) {
        Some(bytes) => Ok(Content::Bytes(bytes)),
        None if !files.is_complete() => Ok(Content::Unknown),
        None => Err(no_file(path)),
    }
}

/// The content of a file as a string, if it is known; an error if it is not UTF-8.
fn text(files: &dyn Files, path: &str) -> Result<Option<String>> {
    let wrong = |_| Error::new(Kind::Argument, format!("contents of {path:?} are not valid UTF-8"));
    match content(files, path)? {
        Content::Bytes(bytes) => String::from_utf8(bytes).map(Some).map_err(wrong),
        Content::Unknown => Ok(None),
    }
}

/// Whether there is a file at a path, as a bool: unknown if the caller may not have all files and lacks this one; an
/// error for a folder.
fn file_exists(files: &dyn Files, path: &str) -> Result<Value> {
    let place = joined("", path);
    if files.content(&place).is_some() {
        return Ok(Value::from(true));
    }
    let (folder, name) = place.rsplit_once('/').unwrap_or(("", &place));
    let is_folder = matches!(name, "" | "..") || {
        let folder = if place.starts_with('/') && folder.is_empty() { "/" } else { folder };
        let name = format!("{name}/");
        files.entries(folder).contains(&name)
    };
    match (is_folder, files.is_complete()) {
        (true, _) => {
            let message = format!("{path:?} is a directory, not a file");
            Err(Error::new(Kind::Argument, message).in_argument(0))
        }
        (false, true) => Ok(Value::from(false)),
        (false, false) => Ok(Value::unknown_not_null(Type::Bool)),
    }
}

/// Adds the functions that read one file: `file`, `fileexists`, `filebase64`.
fn add_readers(functions: &mut Functions, files: &Arc<dyn Files>) {
    let (a, b, c) = (Arc::clone(files), Arc::clone(files), Arc::clone(files));
    functions.insert(path_function("file", move |path| {
        text(&*a, path)?.map_or_else(|| unknown_text(""), |text| Ok(Value::from(text)))
    }));
    functions.insert(
        Function::new("fileexists")
            .parameter(Parameter::new("path", Type::String))
            .returns(Type::Bool)
            .not_null()
            .body(move |arguments| file_exists(&*b, arguments.text(0)?)),
    );
    functions.insert(path_function("filebase64", move |path| {
        use base64::Engine as _;
        match content(&*c, path)? {
            Content::Bytes(bytes) => Ok(Value::from(base64::engine::general_purpose::STANDARD.encode(bytes))),
            Content::Unknown => unknown_text(""),
        }
    }));
}

/// `filesha256` and the like: the digests of the bytes of a file.
fn add_digests(functions: &mut Functions, files: &Arc<dyn Files>) {
    for (name, digest) in DIGESTS {
        let files = Arc::clone(files);
        // The words are those of the system, not those of the functions that return the content.
        let no_file =
            |path: &str| Error::new(Kind::NotFound, format!("open {path}: no such file or directory"));
        let read = move |path: &str| content(&*files, path).map_err(|_| no_file(path));
        functions.insert(path_function(&format!("file{name}"), move |path| match read(path)? {
            Content::Bytes(bytes) => Ok(Value::from(digest(&bytes))),
            Content::Unknown => unknown_text(""),
        }));
    }
}

/// Adds `fileset`, which lists the files that match a pattern.
fn add_sets_of_files(functions: &mut Functions, files: &Arc<dyn Files>) {
    let files = Arc::clone(files);
    let set = Type::set(Type::String).unwrap_or(Type::Dynamic);
    let unknown = Value::unknown_not_null(set.clone());
    functions.insert(
        Function::new("fileset")
            .parameter(Parameter::new("path", Type::String))
            .parameter(Parameter::new("pattern", Type::String))
            .returns(set)
            .not_null()
            .body(move |arguments| {
                if !files.is_complete() {
                    return Ok(unknown.clone());
                }
                match fileset::fileset(&*files, arguments.text(0)?, arguments.text(1)?) {
                    Found::Files(found) => Value::set_of(Type::String, found.iter().map(String::as_str)),
                    Found::Undecided => Ok(unknown.clone()),
                    Found::WrongPattern => {
                        let message = format!(
                            "failed to glob pattern {:?}: syntax error in pattern",
                            arguments.text(1)?
                        );
                        Err(Error::new(Kind::Argument, message).in_argument(1))
                    }
                }
            }),
    );
}

/// Renders the template in a file.
fn template_file(files: &dyn Files, functions: &Functions, path: &Value, variables: &Value) -> Result<Value> {
    let Ok(path) = path.as_str() else { return Ok(Value::dynamic()) };
    let Some(text) = text(files, path)? else { return Ok(Value::dynamic()) };
    let wrong = |message: String| Error::new(Kind::Argument, message);
    let values = match variables.view() {
        View::Object(object) => object.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect(),
        View::Map(map) => map.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect(),
        View::Unknown(_) | View::Dynamic => return Ok(Value::dynamic()),
        _ => return Err(wrong("invalid vars value: must be a map".to_owned()).in_argument(1)),
    };
    let values: std::collections::BTreeMap<String, Value> = values;
    if let Some(name) = values.keys().find(|name| !is_variable_name(name)) {
        let rule = "must start with a letter, followed by zero or more letters, digits, and underscores";
        let message = format!("invalid template variable name {name:?}: {rule}");
        return Err(wrong(message).in_argument(1));
    }
    let source = Source::new(joined(parent(""), path), text);
    let template = Expression::parse_template(source).map_err(|problems| wrong(in_one_line(&problems)))?;
    let missing = template.references().into_iter().find(|reference| !values.contains_key(reference.root()));
    if let Some(reference) = missing {
        let place = template.source().range_text(reference.span_of(0));
        let message = format!("vars map does not contain key {:?}, referenced at {place}", reference.root());
        return Err(wrong(message).in_argument(1));
    }
    let scope = Scope::new(&values).with_functions(functions);
    template.evaluate(&scope).map_err(|problems| {
        let kind = if problems.is_limit() { Kind::Limit } else { Kind::Argument };
        Error::new(kind, in_one_line(&problems))
    })
}

/// The first of the problems of a template with its place, and the number of the others, as Terraform writes them into another message.
fn in_one_line(problems: &Diagnostics) -> String {
    let first = problems.first();
    let place = first.source().range_text(first.span());
    let line = format!("{place}: {}; {}", first.summary(), first.detail());
    match problems.iter().count().saturating_sub(1) {
        0 => line,
        others => format!("{line}, and {others} other diagnostic(s)"),
    }
}

/// Whether a template can refer to a variable of this name.
fn is_variable_name(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && letters.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}
