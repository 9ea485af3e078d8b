//! Takes the address of a resource instance apart.

use crate::configuration::without_doubled_templates;
use crate::plan::Mode;
use plantime::unstable::error::Kind;
use plantime::unstable::text::read_quoted;
use plantime::{Error, Result, Value};

/// The parts of the address of a resource instance.
#[derive(Debug, PartialEq)]
pub(in crate::plan) struct InstanceAddress {
    /// The address of the module; `None` for the root module.
    pub(in crate::plan) module: Option<String>,
    pub(in crate::plan) mode: Mode,
    pub(in crate::plan) type_name: String,
    pub(in crate::plan) name: String,
    /// The instance key.
    pub(in crate::plan) index: Option<Value>,
    /// Whether there is a key that is not known.
    pub(in crate::plan) has_unknown_index: bool,
}

impl InstanceAddress {
    /// Parses an address such as `module.net[0].data.aws_ami.base["a"]`.
    pub(in crate::plan) fn parse(address: &str) -> Result<InstanceAddress> {
        InstanceAddress::read(address, "").ok_or_else(|| {
            Error::new(
                Kind::Syntax,
                format!("the plan has a resource with the address {address:?}, which is none"),
            )
        })
    }

    /// Parses the address of an action, such as `module.net.action.aws_lambda_invoke.notify`.
    pub(super) fn parse_action(address: &str) -> Result<InstanceAddress> {
        let read = InstanceAddress::read(address, "action.");
        read.map(|parts| InstanceAddress { mode: Mode::Other, ..parts }).ok_or_else(|| {
            let message = format!("the plan has an action with the address {address:?}, which is none");
            Error::new(Kind::Syntax, message)
        })
    }

    /// Reads an address with this prefix behind its modules; `None` if it is wrong.
    fn read(address: &str, prefix: &str) -> Option<InstanceAddress> {
        let (module, rest) = split_modules(address)?;
        let rest = rest.strip_prefix(prefix)?;
        let (mode, rest) = match (rest.strip_prefix("data."), rest.strip_prefix("ephemeral.")) {
            (Some(rest), _) => (Mode::Data, rest),
            (_, Some(rest)) => (Mode::Ephemeral, rest),
            _ => (Mode::Managed, rest),
        };
        let (type_name, rest) = read_name(rest)?;
        let (name, rest) = read_name(rest.strip_prefix('.')?)?;
        let (index, has_unknown_index, rest) = read_key(rest)?;
        let (type_name, name) = (type_name.to_owned(), name.to_owned());
        let parts = InstanceAddress { module, mode, type_name, name, index, has_unknown_index };
        rest.is_empty().then_some(parts)
    }
}

/// Splits off the address of the module; `None` if it is wrong.
pub(in crate::plan) fn split_modules(address: &str) -> Option<(Option<String>, &str)> {
    let (mut rest, mut module) = (address, None);
    while let Some(call) = rest.strip_prefix("module.") {
        let (_, after) = read_name(call)?;
        let (_, _, after) = read_key(after)?;
        module = Some(address.get(..address.len().checked_sub(after.len())?)?.to_owned());
        rest = after.strip_prefix('.')?;
    }
    Some((module, rest))
}

/// Splits off a name.
fn read_name(text: &str) -> Option<(&str, &str)> {
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end)?;
    (!name.is_empty()).then_some((name, rest))
}

/// Splits off an instance key in brackets, if there is one; says whether there is one that is not known, for which `*` stands in
/// a deferred change.
fn read_key(text: &str) -> Option<(Option<Value>, bool, &str)> {
    let Some(key) = text.strip_prefix('[') else { return Some((None, false, text)) };
    if let Some(quoted) = key.strip_prefix('"') {
        let (key, rest) = read_quoted(quoted)?;
        return Some((Some(Value::from(without_doubled_templates(key))), false, rest.strip_prefix(']')?));
    }
    let (number, rest) = key.split_once(']')?;
    if number == "*" {
        return Some((None, true, rest));
    }
    Some((Some(Value::from(number.parse::<u64>().ok()?)), false, rest))
}

/// The address of a provider: what is quoted in `module.a.provider["registry.terraform.io/hashicorp/aws"].west`.
pub(super) fn provider_name(config: &str) -> &str {
    config.split('"').nth(1).unwrap_or(config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::address::Key;

    #[test]
    fn addresses_are_taken_apart() {
        let read =
            InstanceAddress::parse(r#"module.a["x.y]"].module.b[0].data.aws_ami.base["a\"b"]"#).unwrap();
        assert_eq!(read.module.as_deref(), Some(r#"module.a["x.y]"].module.b[0]"#));
        assert_eq!((read.mode, &*read.type_name, &*read.name), (Mode::Data, "aws_ami", "base"));
        assert_eq!(read.index, Some(Value::from("a\"b")));
        let read = InstanceAddress::parse("aws_vpc.main[12]").unwrap();
        assert_eq!((read.module, read.mode, read.index), (None, Mode::Managed, Some(Value::from(12))));
        for wrong in
            ["", "aws_vpc", "aws_vpc.main[", "aws_vpc.main[a]", "module.a", "aws_vpc.main.x", "data.aws_ami"]
        {
            assert!(InstanceAddress::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn keys_are_read_as_addresses_write_them() {
        for key in ["${x}", "%{x}", "$${x}", "$$${", "${", "%%{ if }", "$", "%", "a\"${b}\\", "${${", "*", ""]
        {
            let written = Key::Text(key.to_owned()).to_string();
            for address in
                [format!("aws_vpc.main{written}"), format!("module.a{written}.aws_vpc.main{written}")]
            {
                let read = InstanceAddress::parse(&address).unwrap();
                assert_eq!(read.index, Some(Value::from(key)), "{address}");
            }
        }
    }

    #[test]
    fn addresses_of_actions_have_a_prefix() {
        let read = InstanceAddress::parse_action("module.a[*].action.aws_x.b[0]").unwrap();
        assert_eq!((read.mode, &*read.type_name, &*read.name), (Mode::Other, "aws_x", "b"));
        assert_eq!((read.module.as_deref(), read.index), (Some("module.a[*]"), Some(Value::from(0))));
        for wrong in ["", "aws_x.b", "action.b", "action.module.a.aws_x.b"] {
            assert!(InstanceAddress::parse_action(wrong).is_err(), "{wrong}");
        }
        // A resource may be of a type `action`.
        assert_eq!(InstanceAddress::parse("action.b").unwrap().type_name, "action");
    }

    #[test]
    fn a_provider_is_named_by_its_source() {
        let source = "registry.terraform.io/hashicorp/aws";
        assert_eq!(provider_name(&format!("provider[\"{source}\"]")), source);
        assert_eq!(provider_name(&format!("module.a.provider[\"{source}\"].west")), source);
    }
}
