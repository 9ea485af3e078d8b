//! Patterns of the names of variables, outputs, module calls and providers.

use std::fmt;
use std::str::FromStr;

use crate::plan::address::glob;
use plantime::unstable::error::Kind;
use plantime::{Error, Result};

/// A pattern of the name of a variable, output, module call or provider, in a module.
///
/// | pattern | matches |
/// |---|---|
/// | `env` | that name in the root module |
/// | `*password*` | each such name in the root module: `*` stands for any text inside a name |
/// | `module.net.env` | the name in a module, whatever the keys of its instances |
/// | `module.**.env` | the name in every module that is called, at any depth |
/// | `**` | every name in every module |
///
/// Module calls and providers are named so too: `module.net.module.dns` is the call `dns` in the module `net`.
///
/// ```
/// use plantime_terraform::plan::ModuleNamePattern;
///
/// let pattern: ModuleNamePattern = "module.**.instance_*".parse()?;
/// assert!(pattern.matches(&["web"], "instance_type"));
/// assert!(!pattern.matches(&[], "instance_type"));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleNamePattern {
    text: String,
    modules: Modules,
    name: String,
}

/// The modules that a name may be in.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Modules {
    /// Every module.
    All,
    /// The module that these calls lead to; with the bool, the modules that are called below it, but not itself.
    At(Vec<String>, bool),
}

impl ModuleNamePattern {
    /// Whether the pattern matches a name in the module that these calls lead to.
    ///
    /// [Example](ModuleNamePattern)
    pub fn matches(&self, modules: &[&str], name: &str) -> bool {
        let calls_match = |wanted: &[String], found: &[&str]| {
            wanted.len() == found.len() && wanted.iter().zip(found).all(|(wanted, found)| glob(wanted, found))
        };
        glob(&self.name, name)
            && match &self.modules {
                Modules::All => true,
                Modules::At(calls, false) => calls_match(calls, modules),
                Modules::At(calls, true) => {
                    modules.len() > calls.len()
                        && modules.get(..calls.len()).is_some_and(|first| calls_match(calls, first))
                }
            }
    }

    /// The pattern as it was written.
    ///
    /// [Example](ModuleNamePattern)
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for ModuleNamePattern {
    type Err = Error;

    fn from_str(text: &str) -> Result<ModuleNamePattern> {
        let wrong = || {
            let message = format!(
                "\"{text}\" is no name: write a name such as \"env\", \"module.net.env\", \"module.**.env\" or \"**\""
            );
            Error::new(Kind::Argument, message)
        };
        let is_name = |part: &str| {
            !part.is_empty()
                && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '*'))
                && (!part.contains("**"))
        };
        if text == "**" {
            return Ok(ModuleNamePattern {
                text: text.to_owned(),
                modules: Modules::All,
                name: "*".to_owned(),
            });
        }
        let parts: Vec<&str> = text.split('.').collect();
        let (mut calls, mut below, mut rest) = (Vec::new(), false, parts.as_slice());
        while let ["module", call, more @ ..] = rest {
            match (*call, more) {
                ("**", [_]) => below = true,
                // The pattern of a call ends with its name.
                (call, []) if is_name(call) => {
                    let modules = Modules::At(calls, false);
                    return Ok(ModuleNamePattern { text: text.to_owned(), modules, name: call.to_owned() });
                }
                (call, _) if is_name(call) => calls.push(call.to_owned()),
                _ => return Err(wrong()),
            }
            rest = more;
            if below {
                break;
            }
        }
        match rest {
            [name] if is_name(name) => {
                let modules = Modules::At(calls, below);
                Ok(ModuleNamePattern { text: text.to_owned(), modules, name: (*name).to_owned() })
            }
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for ModuleNamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
