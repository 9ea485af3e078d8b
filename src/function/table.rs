//! Tables of functions: [`Functions`], in which a function is found by its name.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use crate::error::{Error, Kind, Result};
use crate::text::nearest;
use crate::value::Value;

use super::{Function, standard};

/// A table of functions, each under its name.
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
    /// Creates a table without functions.
    ///
    /// [Example](Functions)
    pub fn new() -> Functions {
        Functions::default()
    }

    /// The functions of the planning languages, under the names they have in Terraform and OpenTofu. None of them reads
    /// files, the clock, the environment or the network.
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::function::Functions;
    ///
    /// let standard = Functions::standard();
    /// assert_eq!(standard.call("cidrhost", &["10.0.0.0/16".into(), 5.into()])?, Value::from("10.0.0.5"));
    /// assert!(standard.get("file").is_none());
    /// assert!(standard.iter().any(|function| function.name() == "jsonencode"));
    /// assert_eq!(standard.iter().count(), standard.len());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn standard() -> &'static Functions {
        static STANDARD: OnceLock<Functions> = OnceLock::new();
        STANDARD.get_or_init(|| standard::language_functions().collect())
    }

    /// The functions of cty's standard library, under their names there (`UpperFunc` is `upper`).
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::function::Functions;
    ///
    /// assert_eq!(Functions::cty().call("upper", &[Value::from("web")])?, Value::from("WEB"));
    /// assert!(Functions::cty().get("cidrhost").is_none());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn cty() -> &'static Functions {
        static CTY: OnceLock<Functions> = OnceLock::new();
        CTY.get_or_init(|| standard::cty_functions().collect())
    }

    /// The functions of rules: the [standard](Functions::standard) ones, and those that Terraform's language lacks.
    ///
    /// | function | signature | result |
    /// |---|---|---|
    /// | `versioncmp` | `(a string, b string) number` | -1, 0 or 1, in the order of HashiCorp's go-version |
    /// | `versionmatches` | `(version string, constraint string) bool` | whether the version meets `>= 1.2, < 2.0` |
    /// | `cidroverlaps` | `(networks list(string)) list(list(string))` | the pairs of networks with common addresses |
    ///
    /// ```
    /// use plantime::Value;
    /// use plantime::function::Functions;
    ///
    /// let rules = Functions::rules();
    /// assert_eq!(rules.call("versioncmp", &["1.10.0".into(), "1.9".into()])?, Value::from(1));
    /// assert_eq!(rules.call("versionmatches", &["5.31.0".into(), "~> 5.0".into()])?, Value::from(true));
    /// let networks = Value::list(["10.0.0.0/16", "10.1.0.0/16", "10.0.4.0/24"])?;
    /// let pair = Value::list(["10.0.0.0/16", "10.0.4.0/24"])?;
    /// assert_eq!(rules.call("cidroverlaps", &[networks])?, Value::list([pair])?);
    /// assert!(Functions::standard().get("versioncmp").is_none());
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn rules() -> &'static Functions {
        static RULES: OnceLock<Functions> = OnceLock::new();
        RULES.get_or_init(|| standard::language_functions().chain(standard::rule_functions()).collect())
    }

    /// Adds a function under its name, and returns the function that it replaces, if there was one of this name.
    ///
    /// [Example](Functions)
    pub fn insert(&mut self, function: Function) -> Option<Function> {
        self.0.insert(function.name().into(), function)
    }

    /// Removes the function of this name, and returns it; `None` if the table has none.
    ///
    /// [Example](Functions)
    pub fn remove(&mut self, name: &str) -> Option<Function> {
        self.0.remove(name)
    }

    /// The function of this name; `None` if the table has none.
    ///
    /// [Example](Functions)
    pub fn get(&self, name: &str) -> Option<&Function> {
        self.0.get(name)
    }

    /// The number of functions.
    ///
    /// [Example](Functions)
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the table has no functions.
    ///
    /// [Example](Functions)
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The functions, sorted by name.
    ///
    /// [Example](Functions)
    pub fn iter(&self) -> FunctionsIter<'_> {
        FunctionsIter(self.0.values())
    }

    /// Calls the function of this name, [converting](Function::call_converting) the arguments.
    ///
    /// # Errors
    ///
    /// [`is_not_found`](Error::is_not_found) when the table has no function of this name; the message suggests a
    /// similar name if there is one. Else as [`Function::call_converting`].
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
            None => Err(self.unknown_name_error(name)),
        }
    }

    /// The error for a name that is not in the table, with a similar name if there is one.
    #[cold]
    fn unknown_name_error(&self, name: &str) -> Error {
        let hint = nearest(name, self.0.keys().map(|key| &**key));
        let hint = hint.map_or_else(String::new, |similar| format!("; did you mean {similar:?}?"));
        Error::new(Kind::NotFound, format!("there is no function named {name:?}{hint}"))
    }
}

impl<'a> IntoIterator for &'a Functions {
    type Item = &'a Function;
    type IntoIter = FunctionsIter<'a>;

    fn into_iter(self) -> FunctionsIter<'a> {
        self.iter()
    }
}

/// An iterator over the functions of a table, sorted by name: the return value of [`Functions::iter`].
#[derive(Clone, Debug)]
pub struct FunctionsIter<'a>(std::collections::btree_map::Values<'a, Box<str>, Function>);

impl<'a> Iterator for FunctionsIter<'a> {
    type Item = &'a Function;

    fn next(&mut self) -> Option<&'a Function> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl ExactSizeIterator for FunctionsIter<'_> {}

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
