//! The modules `ip` and `url`.

use std::net::IpAddr;
use std::rc::Rc;

use super::super::arguments::module_text;
use super::super::error::Failure;
use super::super::interpreter::Interpreter;
use super::super::value::{Arguments, Builtin, Native, Struct, StructKind, Value, text_of};
use super::text::positional;
use crate::quoted::quoted;

pub(super) const IP: [(&str, Native); 2] = [("parse_addr", parse_addr), ("parse_cidr", parse_cidr)];
pub(super) const URL: [(&str, Native); 7] = [
    ("parse", parse),
    ("path_segment_decode", unescape),
    ("path_segment_encode", escape),
    ("query_param_value_decode", unescape),
    ("query_param_value_encode", escape),
    ("query_params_decode", query_decode),
    ("query_params_encode", query_encode),
];

/// Returns methods that have no arguments and return fixed values.
fn methods_of(methods: &[(&str, Value)]) -> Vec<(Rc<str>, Value)> {
    methods
        .iter()
        .map(|(name, value)| (Rc::from(*name), Builtin::method(name, fixed, value.clone())))
        .collect()
}

/// A method without arguments that returns the value it was made with.
fn fixed(_: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    f.none(&arguments)?;
    Ok(f.receiver().clone())
}

/// Returns an address, where an IPv4 address written as IPv6 is one of IPv4.
fn address(text: &str) -> Option<IpAddr> {
    text.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

/// Returns an address as an object with the methods `is_ipv4`, `is_ipv6` and `string`.
fn address_value(this: &mut Interpreter<'_>, address: IpAddr) -> Result<Value, Failure> {
    let text = this.heap.text(address.to_string())?;
    let methods = [
        ("is_ipv4", Value::Bool(address.is_ipv4())),
        ("is_ipv6", Value::Bool(address.is_ipv6())),
        ("string", text),
    ];
    let fields = methods_of(&methods);
    Struct::value(&this.heap, StructKind::Object("@ytt:ip.addr"), fields)
}

/// `ip.parse_addr(text)`: an IP address.
fn parse_addr(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [text] = positional(&arguments)?;
    let text = module_text(&text)?;
    let address = address(&text).ok_or_else(|| format!("invalid IP address: {text}"))?;
    address_value(this, address)
}

/// `ip.parse_cidr(text)`: an IP address and the network that it is in.
fn parse_cidr(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [text] = positional(&arguments)?;
    let text = module_text(&text)?;
    let invalid = || Failure::from(format!("invalid CIDR address: {text}"));
    let (start, length) = text.split_once('/').ok_or_else(invalid)?;
    let parsed: IpAddr = start.parse().map_err(|_| invalid())?;
    let digits = length.bytes().all(|byte| byte.is_ascii_digit()) && length.len() <= 3;
    let bits: u32 = length.parse().ok().filter(|_| digits).ok_or_else(invalid)?;
    let network = match parsed {
        IpAddr::V4(address) if bits <= 32 => {
            let mask = u32::MAX.checked_shl(32_u32.saturating_sub(bits)).unwrap_or(0);
            IpAddr::from(std::net::Ipv4Addr::from(address.to_bits() & mask))
        }
        IpAddr::V6(address) if bits <= 128 => {
            let mask = u128::MAX.checked_shl(128_u32.saturating_sub(bits)).unwrap_or(0);
            IpAddr::from(std::net::Ipv6Addr::from(address.to_bits() & mask))
        }
        _ => return Err(invalid()),
    };
    let first = address_value(this, parsed.to_canonical())?;
    let text = this.heap.text(format!("{network}/{bits}"))?;
    let addr = address_value(this, network)?;
    let fields = methods_of(&[("addr", addr), ("string", text)]);
    let net = Struct::value(&this.heap, StructKind::Object("@ytt:ip.net"), fields)?;
    this.heap.tuple(vec![first, net])
}

/// Whether a byte stands for itself in a path segment, or else in the value of a query.
fn is_plain(byte: u8, in_path: bool) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) || (in_path && b"$&+=:@".contains(&byte))
}

/// Returns text with percent escapes, for a path segment or for a query.
fn escaped(text: &str, in_path: bool) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b' ' if !in_path => out.push('+'),
            byte if is_plain(byte, in_path) => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Returns the bytes that percent escapes mean, of a path segment or of a query.
fn unescaped(text: &str, in_path: bool) -> Result<Vec<u8>, Failure> {
    let (mut out, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'+' if !in_path => out.push(b' '),
            b'%' => {
                let digits = rest.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
                let Some(value) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) else {
                    let shown = text_of(rest.get(..2.min(rest.len())).unwrap_or_default()).into_owned();
                    return Err(format!("invalid URL escape {}", quoted(&format!("%{shown}"))).into());
                };
                out.push(value);
                rest = rest.get(2..).unwrap_or_default();
            }
            byte => out.push(*byte),
        }
    }
    Ok(out)
}

/// `url.path_segment_encode(text)` and `url.query_param_value_encode(text)`.
fn escape(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [text] = positional(&arguments)?;
    let text = escaped(&module_text(&text)?, f.name.contains("path"));
    this.heap.text(text)
}

/// `url.path_segment_decode(text)` and `url.query_param_value_decode(text)`.
fn unescape(this: &mut Interpreter<'_>, f: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [text] = positional(&arguments)?;
    let bytes = unescaped(&module_text(&text)?, f.name.contains("path"))?;
    this.heap.text(bytes)
}

/// `url.query_params_encode(values)`: a dict of lists as a query, sorted by key.
fn query_encode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [value] = positional(&arguments)?;
    let mut entries = Vec::new();
    super::super::builtins::pairs(this, "", &value, &mut entries)?;
    let mut parts = Vec::new();
    for (key, values) in entries {
        let key = module_text(&key)?;
        for value in this.iterate(&values)?.unwrap_or_default() {
            parts.push((key.clone(), module_text(&value)?));
        }
    }
    parts.sort_by(|(left, _), (right, _)| left.cmp(right));
    let parts: Vec<String> = parts
        .iter()
        .map(|(key, value)| format!("{}={}", escaped(key, false), escaped(value, false)))
        .collect();
    this.heap.text(parts.join("&"))
}

/// `url.query_params_decode(text)`: a query as a dict of lists.
fn query_decode(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [text] = positional(&arguments)?;
    let mut values: std::collections::BTreeMap<Vec<u8>, Vec<Value>> = std::collections::BTreeMap::new();
    for part in module_text(&text)?.split('&').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let value = this.heap.text(unescaped(value, false)?)?;
        values.entry(unescaped(key, false)?).or_default().push(value);
    }
    let mut entries = Vec::new();
    for (key, values) in values {
        entries.push((this.heap.text(key)?, this.heap.list(values)?));
    }
    this.heap.dict(entries)
}

/// `url.parse(text)`: a URL as an object.
fn parse(this: &mut Interpreter<'_>, _: &Builtin, arguments: Arguments) -> Result<Value, Failure> {
    let [text] = positional(&arguments)?;
    let text = module_text(&text)?;
    let refuse = |reason: &str| Failure::from(format!("parse {}: {reason}", quoted(&text)));
    if text.chars().any(|char| char < ' ' || char == '\u{7f}') {
        return Err(refuse("net/url: invalid control character in URL"));
    }
    let before_fragment = text.split('#').next().unwrap_or("");
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|char: char| char.is_ascii_alphabetic())
            && scheme.chars().all(|char| char.is_ascii_alphanumeric() || "+-.".contains(char))
    };
    let rest = match before_fragment.split_once(':') {
        Some(("", _)) => return Err(refuse("missing protocol scheme")),
        Some((scheme, rest)) if is_scheme(scheme) => rest,
        Some((first, _))
            if !first.contains('/') && !first.starts_with(|char: char| char.is_ascii_alphabetic()) =>
        {
            return Err(refuse("first path segment in URL cannot contain colon"));
        }
        _ => before_fragment,
    };
    let rest = rest.split('?').next().unwrap_or("");
    let authority = rest.strip_prefix("//").map(|rest| rest.split('/').next().unwrap_or(""));
    let path = match authority {
        Some(_) => rest.get(2..).and_then(|rest| rest.find('/').and_then(|at| rest.get(at..))).unwrap_or(""),
        None => rest,
    };
    let reason = |failure: Failure| refuse(&failure.message());
    unescaped(path, true).map_err(reason)?;
    let (user, host) = match authority.unwrap_or("").rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority.unwrap_or("")),
    };
    let (name, port) = match host.strip_prefix('[') {
        Some(inner) => match inner.split_once(']') {
            Some((name, after)) => (name, after.strip_prefix(':').map_or(after, |port| port)),
            None => return Err(refuse("missing ']' in host")),
        },
        None => host.rsplit_once(':').unwrap_or((host, "")),
    };
    if !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(refuse(&format!("invalid port {} after host", quoted(&format!(":{port}")))));
    }
    if name.contains(' ') {
        return Err(refuse("invalid character \" \" in host name"));
    }
    let user = match user {
        Some(user) => {
            let (name, password) = match user.split_once(':') {
                Some((name, password)) => (name, Some(password)),
                None => (user, None),
            };
            let name = this.heap.text(unescaped(name, true).map_err(reason)?)?;
            let password = match password {
                Some(password) => this.heap.text(unescaped(password, true).map_err(reason)?)?,
                None => Value::None,
            };
            let mut fields = methods_of(&[("string", Value::text(user))]);
            fields.push((Rc::from("name"), name));
            fields.push((Rc::from("password"), password));
            Struct::value(&this.heap, StructKind::Object("@ytt:url.userinfo"), fields)?
        }
        None => Value::None,
    };
    let (name, whole) = (this.heap.text(name)?, this.heap.text(text.as_str())?);
    let mut fields = methods_of(&[("hostname", name), ("string", whole)]);
    fields.push((Rc::from("user"), user));
    Struct::value(&this.heap, StructKind::Object("@ytt:url.value"), fields)
}
