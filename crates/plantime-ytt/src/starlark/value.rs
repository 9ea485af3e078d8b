//! The values of Starlark.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use num_bigint::BigInt;

use super::dict::Entries;
use super::error::Failure;
use super::heap::{Heap, Scope};
use super::interpreter::Interpreter;
use super::syntax::Definition;
use super::unit::Unit;
use crate::node::{Content, Node};

/// A value. Strings are bytes, as in Go.
#[derive(Clone)]
pub(crate) enum Value {
    None,
    Bool(bool),
    Int(BigInt),
    Float(f64),
    Text(Rc<[u8]>),
    List(Rc<List>),
    Tuple(Rc<[Value]>),
    Dict(Rc<Dict>),
    Set(Rc<Dict>),
    Range {
        start: i64,
        stop: i64,
        step: i64,
    },
    /// The elements of a string, as a sequence that is not a list.
    Elements(ElementKind, Rc<[u8]>),
    Function(Rc<Function>),
    Builtin(Rc<Builtin>),
    Struct(Rc<Struct>),
    Fragment(Fragment),
    /// A value that is not known yet, with its path. Operations that read it have no value either.
    Unknown(Rc<str>),
}

/// What a sequence over a string has as elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ElementKind {
    Bytes,
    ByteNumbers,
    Characters,
    CharacterNumbers,
}

impl ElementKind {
    /// The name of the method that returns the sequence.
    pub(crate) fn method(self) -> &'static str {
        match self {
            ElementKind::Bytes => "elems",
            ElementKind::ByteNumbers => "elem_ords",
            ElementKind::Characters => "codepoints",
            ElementKind::CharacterNumbers => "codepoint_ords",
        }
    }
}

/// A list, and the number of loops over it, during which it cannot change.
#[derive(Default)]
pub(crate) struct List {
    pub(crate) items: RefCell<Vec<Value>>,
    pub(crate) loops: Cell<usize>,
}

/// A dict or a set, and the number of loops over it, during which it cannot change.
#[derive(Default)]
pub(crate) struct Dict {
    pub(crate) entries: RefCell<Entries>,
    pub(crate) loops: Cell<usize>,
}

/// A function with its defaults and the scope that it was defined in.
pub(crate) struct Function {
    pub(crate) definition: Rc<Definition>,
    pub(crate) defaults: Vec<Value>,
    pub(crate) scope: Option<Rc<Scope>>,
    pub(crate) unit: Rc<Unit>,
}

/// The arguments of a call: positional, and by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) positional: Vec<Value>,
    pub(crate) keywords: Vec<(Rc<str>, Value)>,
}

/// What a built-in function computes.
pub(crate) type Native = fn(&mut Interpreter<'_>, &Builtin, Arguments) -> Result<Value, Failure>;

/// A function that is not written in Starlark.
pub(crate) struct Builtin {
    /// The name that its errors show.
    pub(crate) name: Rc<str>,
    pub(crate) native: Native,
    /// The value whose method it is, or what it was made with.
    pub(crate) receiver: Option<Value>,
    /// Whether it reads no more of its arguments than their own kind, so that unknown values inside do not matter.
    pub(crate) shallow: bool,
}

/// Named values: a struct, a module, or an object of a module.
pub(crate) struct Struct {
    pub(crate) kind: StructKind,
    /// Sorted by name.
    pub(crate) fields: Vec<(Rc<str>, Value)>,
}

/// What a struct is to its users.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum StructKind {
    Struct,
    /// Data values, with the indices of the fields in their order.
    Values(Rc<[usize]>),
    Module(&'static str),
    /// An object whose type has this name.
    Object(&'static str),
}

/// A map or an array of YAML, within a tree that is shared.
#[derive(Clone)]
pub(crate) struct Fragment {
    root: Rc<Node>,
    /// The indices that lead from the root to the node.
    path: Rc<[usize]>,
    /// The path of the root in messages about unknown values.
    pub(crate) name: Rc<str>,
}

impl Fragment {
    /// The fragment of a whole document.
    pub(crate) fn new(root: Rc<Node>, name: &str) -> Fragment {
        Fragment { root, path: Rc::new([]), name: name.into() }
    }

    /// The node.
    pub(crate) fn node(&self) -> &Node {
        let mut node = &*self.root;
        for index in self.path.iter() {
            match node.content.children().get(*index) {
                Some(child) => node = child,
                None => break,
            }
        }
        node
    }

    /// The content of the node.
    pub(crate) fn content(&self) -> &Content {
        &self.node().content
    }

    /// The fragment of a child.
    pub(crate) fn child(&self, index: usize) -> Fragment {
        let path = self.path.iter().copied().chain([index]).collect();
        let name = self
            .content()
            .children()
            .get(index)
            .map(|child| crate::node::child_path(&self.name, child, index));
        Fragment { root: Rc::clone(&self.root), path, name: name.unwrap_or_default().into() }
    }

    /// The fragment that contains this one; `None` at the root.
    pub(crate) fn parent(&self) -> Option<Fragment> {
        let (_, path) = self.path.split_last()?;
        Some(Fragment { root: Rc::clone(&self.root), path: path.into(), name: Rc::clone(&self.name) })
    }

    /// The fragment of the root.
    pub(crate) fn root(&self) -> Fragment {
        Fragment::new(Rc::clone(&self.root), "")
    }
}

impl Value {
    /// A string. Short ones are not registered with a heap.
    pub(crate) fn text(text: &str) -> Value {
        Value::Text(text.as_bytes().into())
    }

    /// An int.
    pub(crate) fn int(int: impl Into<BigInt>) -> Value {
        Value::Int(int.into())
    }

    /// The name of the type in messages.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Value::None => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Text(_) => "string",
            Value::List(_) => "list",
            Value::Tuple(_) => "tuple",
            Value::Dict(_) => "dict",
            Value::Set(_) => "set",
            Value::Range { .. } => "range",
            Value::Elements(ElementKind::Bytes | ElementKind::ByteNumbers, _) => "string.elems",
            Value::Elements(..) => "string.codepoints",
            Value::Function(_) => "function",
            Value::Builtin(_) => "builtin_function_or_method",
            Value::Struct(fields) => match fields.kind {
                StructKind::Struct | StructKind::Values(_) => "struct",
                StructKind::Module(_) => "module",
                StructKind::Object(name) => name,
            },
            Value::Fragment(_) => "yamlfragment",
            Value::Unknown(_) => "unknown",
        }
    }

    /// The name of the type that implements it in Go, which some messages of ytt show.
    pub(crate) fn go_type(&self) -> &'static str {
        match self {
            Value::None => "starlark.NoneType",
            Value::Bool(_) => "starlark.Bool",
            Value::Int(_) => "starlark.Int",
            Value::Float(_) => "starlark.Float",
            Value::Text(_) => "starlark.String",
            Value::List(_) => "*starlark.List",
            Value::Tuple(_) => "starlark.Tuple",
            Value::Dict(_) => "*starlark.Dict",
            Value::Set(_) => "*starlark.Set",
            Value::Function(_) => "*starlark.Function",
            Value::Builtin(_) => "*starlark.Builtin",
            Value::Range { .. } => "starlark.rangeValue",
            Value::Fragment(_) => "*yamlfragment.YAMLFragment",
            _ => "starlark.Value",
        }
    }

    /// Whether the value is a function.
    pub(crate) fn is_callable(&self) -> bool {
        matches!(self, Value::Function(_) | Value::Builtin(_))
    }

    /// The value, or a failure if it is not known.
    pub(crate) fn known(&self) -> Result<&Value, Failure> {
        match self {
            Value::Unknown(path) => Err(Failure::Undetermined(Rc::clone(path))),
            other => Ok(other),
        }
    }

    /// Whether a condition holds for the value.
    pub(crate) fn truth(&self) -> Result<bool, Failure> {
        Ok(match self.known()? {
            Value::None => false,
            Value::Bool(bool) => *bool,
            Value::Int(int) => *int != BigInt::ZERO,
            Value::Float(float) => *float != 0.0,
            Value::Text(text) => !text.is_empty(),
            Value::List(list) => !list.items.borrow().is_empty(),
            Value::Tuple(items) => !items.is_empty(),
            Value::Dict(dict) | Value::Set(dict) => dict.entries.borrow().len() > 0,
            Value::Range { .. } => self.range_length() > 0,
            Value::Fragment(fragment) => !fragment.content().children().is_empty(),
            _ => true,
        })
    }

    /// The number of elements of a `range(...)`; zero for a value of another type.
    pub(crate) fn range_length(&self) -> i64 {
        let Value::Range { start, stop, step } = self else { return 0 };
        let (low, high, step) =
            if *step > 0 { (start, stop, *step) } else { (stop, start, step.saturating_neg()) };
        let span = high.saturating_sub(*low);
        if span <= 0 { 0 } else { span.saturating_sub(1).checked_div(step).unwrap_or(0).saturating_add(1) }
    }

    /// The fields of a struct, a module or an object.
    pub(crate) fn field(&self, name: &str) -> Option<&Value> {
        let Value::Struct(fields) = self else { return None };
        let at = fields.fields.binary_search_by(|(field, _)| (**field).cmp(name)).ok()?;
        fields.fields.get(at).map(|(_, value)| value)
    }
}

/// Returns a string as text, with a replacement for bytes that are no UTF-8.
pub(crate) fn text_of(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

impl Builtin {
    /// A function of a module.
    pub(crate) fn function(name: &str, native: Native) -> Value {
        Value::Builtin(Rc::new(Builtin { name: name.into(), native, receiver: None, shallow: false }))
    }

    /// A function that may be called with collections that have unknown values, since it does not read their elements.
    pub(crate) fn shallow(name: &str, native: Native) -> Value {
        Value::Builtin(Rc::new(Builtin { name: name.into(), native, receiver: None, shallow: true }))
    }

    /// A method of a value.
    pub(crate) fn method(name: &str, native: Native, receiver: Value) -> Value {
        let shallow = !matches!(receiver, Value::Text(_));
        Value::Builtin(Rc::new(Builtin { name: name.into(), native, receiver: Some(receiver), shallow }))
    }

    /// The value whose method it is.
    pub(crate) fn receiver(&self) -> &Value {
        self.receiver.as_ref().unwrap_or(&Value::None)
    }
}

impl Struct {
    /// Returns a struct with its fields in order of their names.
    pub(crate) fn value(
        heap: &Heap,
        kind: StructKind,
        mut fields: Vec<(Rc<str>, Value)>,
    ) -> Result<Value, Failure> {
        fields.sort_by(|(left, _), (right, _)| left.cmp(right));
        heap.structure(Struct { kind, fields })
    }
}

/// Writes the kind alone: a value may contain itself.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.type_name())
    }
}
