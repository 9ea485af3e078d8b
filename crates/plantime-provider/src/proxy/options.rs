//! The arguments of the proxy.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::diagnostic::Severity;

/// How the proxy is called.
const USAGE: &str = "usage: plantime-proxy [--assume FILE]... [--check class-b] [--send class-b] [--no-catalogue] [--record FILE] \
                     [--on-broken error|warning] [--provider SOURCE] -- PROVIDER [ARGUMENTS]";

/// The host of providers whose address names none.
const REGISTRY: &str = "registry.terraform.io";

/// The arguments of the proxy.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Options {
    /// Files of facts.
    pub(super) assume: Vec<PathBuf>,
    /// Whether the catalogue's facts of class B are checked.
    pub(super) check_class_b: bool,
    /// Whether facts of class B are added to plans too.
    pub(super) send_class_b: bool,
    /// Whether the built-in catalogue counts.
    pub(super) catalogue: bool,
    /// The file that calls are recorded in.
    pub(super) record: Option<PathBuf>,
    /// What a broken fact is.
    pub(super) on_broken: Severity,
    /// The address of the provider whose facts count.
    pub(super) provider: Option<String>,
    /// The executable of the provider.
    pub(super) program: OsString,
    /// Its arguments.
    pub(super) arguments: Vec<OsString>,
}

impl Options {
    /// Reads the arguments.
    ///
    /// # Errors
    ///
    /// What is wrong with them.
    pub(super) fn read(arguments: Vec<OsString>) -> Result<Options, String> {
        let mut options = Options {
            assume: Vec::new(),
            check_class_b: false,
            send_class_b: false,
            catalogue: true,
            record: None,
            on_broken: Severity::Warning,
            provider: None,
            program: OsString::new(),
            arguments: Vec::new(),
        };
        let mut rest = arguments.into_iter();
        while let Some(option) = rest.next() {
            let name = option.to_string_lossy().into_owned();
            let mut value = || rest.next().ok_or_else(|| format!("{name} needs a value; {USAGE}"));
            match name.as_str() {
                "--" => {
                    options.program = rest.next().ok_or(USAGE)?;
                    options.arguments = rest.collect();
                    return Ok(options);
                }
                "--assume" => options.assume.push(value()?.into()),
                "--check" => {
                    parse_choice(&name, &value()?, &["class-b"])?;
                    options.check_class_b = true;
                }
                "--send" => {
                    parse_choice(&name, &value()?, &["class-b"])?;
                    options.send_class_b = true;
                }
                "--no-catalogue" => options.catalogue = false,
                "--record" => options.record = Some(value()?.into()),
                "--on-broken" => {
                    let severity = parse_choice(&name, &value()?, &["error", "warning"])?;
                    options.on_broken = if severity == "error" { Severity::Error } else { Severity::Warning };
                }
                "--provider" => options.provider = Some(full_address(&value()?.to_string_lossy())?),
                _ => return Err(format!("unknown option {name:?}; {USAGE}")),
            }
        }
        Err(USAGE.to_owned())
    }

    /// The address of the provider: the one named, or the one that the folders of a mirror tell.
    pub(super) fn address(&self) -> Option<String> {
        self.provider.clone().or_else(|| installed(Path::new(&self.program)).map(|(address, _)| address))
    }

    /// The version of the provider, where the folders of a mirror tell it.
    pub(super) fn version(&self) -> Option<String> {
        installed(Path::new(&self.program)).map(|(_, version)| version)
    }
}

/// Reads the value of an option that accepts only these words.
///
/// # Errors
///
/// When it is another word.
fn parse_choice(name: &str, value: &OsString, words: &[&'static str]) -> Result<&'static str, String> {
    let found = words.iter().find(|word| value == **word).copied();
    found.ok_or_else(|| format!("{name} takes {}, not {value:?}", words.join(" or ")))
}

/// The full address for `HOST/NAMESPACE/NAME` or `NAMESPACE/NAME`.
fn full_address(source: &str) -> Result<String, String> {
    let parts: Vec<&str> = source.split('/').collect();
    match parts.as_slice() {
        _ if parts.contains(&"") => Err(format!("--provider takes NAMESPACE/NAME, not {source:?}")),
        [_, _] => Ok(format!("{REGISTRY}/{source}")),
        [_, _, _] => Ok(source.to_owned()),
        _ => Err(format!("--provider takes NAMESPACE/NAME, not {source:?}")),
    }
}

/// Address and version of an executable that is installed as `HOST/NAMESPACE/NAME/VERSION/SYSTEM/FILE`.
fn installed(program: &Path) -> Option<(String, String)> {
    let mut folders = program.parent()?.iter().rev().map(|folder| folder.to_str());
    let mut next = || folders.next().flatten();
    let (system, version, name, namespace, host) = (next()?, next()?, next()?, next()?, next()?);
    let fits = system.contains('_')
        && host.contains('.')
        && version.starts_with(|first: char| first.is_ascii_digit());
    fits.then(|| (format!("{host}/{namespace}/{name}"), version.to_owned()))
}

#[cfg(test)]
mod tests;
