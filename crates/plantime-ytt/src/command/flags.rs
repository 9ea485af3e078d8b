//! The flags of the command, as the library of ytt's own command reads them.

/// What the flags say.
#[derive(Debug, Default)]
pub(super) struct Flags {
    pub(super) files: Vec<String>,
    pub(super) values_files: Vec<String>,
    /// The prefixes of variables of the environment, and whether they are YAML.
    pub(super) prefixes: Vec<(String, bool)>,
    /// Keys with values, and whether they are YAML.
    pub(super) values: Vec<(String, bool)>,
    pub(super) file_values: Vec<String>,
    pub(super) inspect_values: bool,
    pub(super) inspect_schema: bool,
    pub(super) unvalidated: bool,
    pub(super) unvalidated_values: bool,
    pub(super) unvalidated_output: bool,
    pub(super) overrides: bool,
    pub(super) proposal: bool,
    pub(super) strict: bool,
    pub(super) openapi: bool,
    pub(super) json: bool,
}

/// The flags that only the proposal has.
const PROPOSED: [&str; 2] = ["data-value-schema-disable-validation", "output-disable-validation"];

/// The flags that need no value.
const SWITCHES: [&str; 8] = [
    "data-value-schema-disable-validation",
    "output-disable-validation",
    "data-values-inspect",
    "data-values-schema-inspect",
    "dangerous-data-values-disable-validation",
    "implicit-map-key-overrides",
    "proposal",
    "strict",
];

/// The flags that have a value.
const OPTIONS: [&str; 8] = [
    "file",
    "data-value",
    "data-value-yaml",
    "data-value-file",
    "data-values-file",
    "data-values-env",
    "data-values-env-yaml",
    "output",
];

/// The flags of one letter.
const SHORT: [(char, &str); 4] = [('f', "file"), ('v', "data-value"), ('o', "output"), ('s', "strict")];

/// The flags of ytt that are not supported: without a message of their own they would count as unknown.
const UNSUPPORTED: [&str; 17] = [
    "allow-symlink-destination",
    "bulk-in",
    "bulk-out",
    "dangerous-allow-all-symlink-destinations",
    "dangerous-emptied-output-directory",
    "debug",
    "file-mark",
    "files-inspect",
    "filter-template-files",
    "ignore-unknown-comments",
    "output-directory",
    "output-files",
    "output-positions",
    "tty",
    "data-value-schema-inspect",
    "data-values-schema",
    "help",
];

/// Reads arguments; the error is that of ytt's command.
pub(super) fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Flags, String> {
    let mut flags = Flags::default();
    let mut proposed = None;
    while let Some(argument) = arguments.next() {
        if let Some(long) = argument.strip_prefix("--") {
            let name = long.split('=').next().unwrap_or("");
            proposed = proposed.or(PROPOSED.into_iter().find(|known| *known == name));
            flags.long(long, &mut arguments)?;
        } else if let Some(short) = argument.strip_prefix('-').filter(|short| !short.is_empty()) {
            flags.short(short, &argument, &mut arguments)?;
        } else {
            return Err(format!("the argument '{argument}' is no flag, which is not supported"));
        }
    }
    match proposed {
        // ytt has no such flag.
        Some(name) if !flags.proposal => Err(format!("unknown flag: --{name}")),
        _ => Ok(flags),
    }
}

impl Flags {
    /// Reads a flag with a long name.
    fn long(&mut self, long: &str, arguments: &mut impl Iterator<Item = String>) -> Result<(), String> {
        let (name, attached) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (long, None),
        };
        if SWITCHES.contains(&name) {
            return self.switch(name, attached.as_deref(), &format!("--{name}"));
        }
        if OPTIONS.contains(&name) {
            let value = attached.or_else(|| arguments.next());
            return self.option(name, value.ok_or_else(|| format!("flag needs an argument: --{name}"))?);
        }
        if UNSUPPORTED.contains(&name) {
            return Err(format!("the flag --{name} is not supported"));
        }
        Err(format!("unknown flag: --{name}"))
    }

    /// Reads flags of one letter: switches, and at the end one with a value.
    fn short(
        &mut self,
        short: &str,
        argument: &str,
        arguments: &mut impl Iterator<Item = String>,
    ) -> Result<(), String> {
        for (at, letter) in short.char_indices() {
            let Some((_, name)) = SHORT.iter().find(|(known, _)| *known == letter) else {
                return Err(format!("unknown shorthand flag: '{letter}' in {argument}"));
            };
            let rest = short.get(at.saturating_add(letter.len_utf8())..).unwrap_or("");
            if SWITCHES.contains(name) {
                match rest.strip_prefix('=') {
                    Some(value) => {
                        return self.switch(name, Some(value), &format!("-{letter}, --{name}"));
                    }
                    None => self.switch(name, None, "")?,
                }
                continue;
            }
            let value = match rest.strip_prefix('=').unwrap_or(rest) {
                "" if rest.is_empty() => arguments
                    .next()
                    .ok_or_else(|| format!("flag needs an argument: '{letter}' in {argument}"))?,
                attached => attached.to_owned(),
            };
            return self.option(name, value);
        }
        Ok(())
    }

    /// Sets a flag that is on or off.
    fn switch(&mut self, name: &str, value: Option<&str>, shown: &str) -> Result<(), String> {
        let on = match value {
            None | Some("1" | "t" | "T" | "true" | "TRUE" | "True") => true,
            Some("0" | "f" | "F" | "false" | "FALSE" | "False") => false,
            Some(other) => {
                return Err(format!(
                    "invalid argument {other:?} for {shown:?} flag: strconv.ParseBool: parsing {other:?}: invalid syntax"
                ));
            }
        };
        let slot = match name {
            "data-values-inspect" => &mut self.inspect_values,
            "data-values-schema-inspect" => &mut self.inspect_schema,
            // Given at all, whatever its value: this is what ytt does.
            "dangerous-data-values-disable-validation" => {
                self.unvalidated = true;
                return Ok(());
            }
            "data-value-schema-disable-validation" => &mut self.unvalidated_values,
            "output-disable-validation" => &mut self.unvalidated_output,
            "implicit-map-key-overrides" => &mut self.overrides,
            "proposal" => &mut self.proposal,
            _ => &mut self.strict,
        };
        *slot = on;
        Ok(())
    }

    /// Takes the value of a flag.
    fn option(&mut self, name: &str, value: String) -> Result<(), String> {
        match name {
            "file" => self.files.push(value),
            "data-values-file" => self.values_files.push(value),
            "data-values-env" => self.prefixes.push((value, false)),
            "data-values-env-yaml" => self.prefixes.push((value, true)),
            "data-value" => self.values.push((value, false)),
            "data-value-yaml" => self.values.push((value, true)),
            "data-value-file" => self.file_values.push(value),
            _ => match value.as_str() {
                "yaml" => {}
                "json" => self.json = true,
                "openapi-v3" => self.openapi = true,
                "pos" => return Err("the output type pos is not supported".to_owned()),
                _ => return Err(format!("Unknown output type '{value}'")),
            },
        }
        Ok(())
    }
}
