//! Functions by name.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use crate::error::{Error, Kind, Result};
use crate::text::nearest;
use crate::value::Value;

use super::{Function, standard};

/// Functions, looked up by name.
///
/// ```
/// use plantime::Value;
/// use plantime::function::{Function, Functions, Parameter};
///
/// let mut functions = Functions::standard().clone();
/// functions.insert(
///     Function::new("twice")
///         .parameter(Parameter::new("number", plantime::Type::Number))
///         .returns(plantime::Type::Number)
///         .body_for_all(|arguments| arguments.at(0).add(arguments.at(0))),
/// );
/// assert_eq!(functions.call("twice", &[Value::from(2)])?, Value::from(4));
/// assert_eq!(functions.call("max", &[Value::from(2), Value::from(3)])?, Value::from(3));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Functions(BTreeMap<Box<str>, Function>);

impl Functions {
    /// A table without functions.
    pub fn new() -> Functions {
        Functions::default()
    }

    /// The functions of the planning languages, under the names they have in Terraform and OpenTofu. None reads files, the
    /// clock or anything else of the outside.
    pub fn standard() -> &'static Functions {
        static STANDARD: OnceLock<Functions> = OnceLock::new();
        STANDARD.get_or_init(|| standard::language().collect())
    }

    /// The functions of cty's standard library, under their names there (`UpperFunc` is `upper`).
    pub fn cty() -> &'static Functions {
        static CTY: OnceLock<Functions> = OnceLock::new();
        CTY.get_or_init(|| standard::cty().collect())
    }

    /// Adds a function under its name, and gives back the one that had it.
    pub fn insert(&mut self, function: Function) -> Option<Function> {
        self.0.insert(function.name().into(), function)
    }

    /// Takes a function out.
    pub fn remove(&mut self, name: &str) -> Option<Function> {
        self.0.remove(name)
    }

    /// The function of this name.
    pub fn get(&self, name: &str) -> Option<&Function> {
        self.0.get(name)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the table has no functions.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The functions, in the order of their names.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Function> {
        self.0.values()
    }

    /// Calls the function of this name, [converting](Function::call_converting) the arguments.
    ///
    /// # Errors
    ///
    /// [`is_not_found`](Error::is_not_found) when there is no such function, with the nearest name if one is near; else
    /// as [`Function::call_converting`].
    ///
    /// ```
    /// use plantime::function::Functions;
    ///
    /// let error = Functions::standard().call("uper", &["a".into()]).unwrap_err();
    /// assert_eq!(error.to_string(), r#"there is no function named "uper"; did you mean "upper"?"#);
    /// ```
    pub fn call(&self, name: &str, arguments: &[Value]) -> Result<Value> {
        match self.get(name) {
            Some(function) => function.call_converting(arguments),
            None => Err(self.not_there(name)),
        }
    }

    #[cold]
    fn not_there(&self, name: &str) -> Error {
        let hint = nearest(name, self.0.keys().map(|own| &**own));
        let hint = hint.map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
        Error::new(Kind::NotFound, format!("there is no function named {name:?}{hint}"))
    }
}

impl FromIterator<Function> for Functions {
    fn from_iter<I: IntoIterator<Item = Function>>(functions: I) -> Functions {
        let mut table = Functions::new();
        table.extend(functions);
        table
    }
}

impl Extend<Function> for Functions {
    fn extend<I: IntoIterator<Item = Function>>(&mut self, functions: I) {
        for function in functions {
            self.insert(function);
        }
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
