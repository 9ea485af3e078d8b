//! Networks in CIDR notation.
//!
//! A network that is known and none is an error at once.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::ops::RangeInclusive;

use ipnet::{IpNet, Ipv4Net};

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter};
use crate::number::Number;
use crate::refinement::Refinement;
use crate::text::QuotedInMessage;
use crate::types::Type;
use crate::value::{Value, canonical};

use super::Standard;

/// What is kept of arguments that are not known.
pub(super) const KEEPS: super::Keeps = &[
    (&["cidrhost", "cidrsubnet"], "the parts of the address that a known network fixes: `10.0.`"),
    (&["cidrsubnets"], "as many subnets as there are arguments, and of each the same"),
    (&["cidrnetmask"], "that the result is not null"),
    (&["cidrcontains"], "that the result is not null; an error where a known network or address is none"),
];

pub(super) fn add_to(all: &mut Vec<Standard>) {
    let host = of_network("cidrhost", "The address of the host of this number in a network.")
        .parameter(Parameter::new("hostnum", Type::Number))
        .returns(Type::String)
        .transformer(|arguments| {
            check_whole(arguments, 1, i128::MIN..=i128::MAX)?;
            unknown(arguments)
        })
        .body(|arguments| host(arguments).map(|host| Value::from(address_text(host))));
    let mask = of_network("cidrnetmask", "The mask of an IPv4 network as an address.")
        .returns(Type::String)
        .body(|arguments| match network(arguments)? {
            IpNet::V4(network) => Ok(Value::from(network.netmask().to_string())),
            IpNet::V6(_) => {
                let message = "IPv6 addresses cannot have a netmask";
                Err(Error::new(Kind::Argument, message).in_argument(0))
            }
        });
    let subnet =
        of_network("cidrsubnet", "The network of this number among those that are so many bits longer.")
            .parameter(Parameter::new("newbits", Type::Number))
            .parameter(Parameter::new("netnum", Type::Number))
            .returns(Type::String)
            .transformer(|arguments| {
                check_whole(arguments, 1, 0..=128)?;
                check_whole(arguments, 2, 0..=i128::MAX)?;
                unknown(arguments)
            })
            .body(|arguments| subnet(arguments).map(|subnet| Value::from(network_text(&subnet))));
    let contains = Function::new("cidrcontains")
        .description("Whether an address, or every address of a network, is in a network.")
        .parameter(Parameter::new("containing_prefix", Type::String))
        .parameter(Parameter::new("contained_ip_or_prefix", Type::String))
        .returns(Type::Bool)
        .not_null()
        .transformer(|arguments| {
            if arguments.at(0).is_known() {
                network(arguments)?;
            }
            if arguments.at(1).is_known() {
                address_or_network(arguments)?;
            }
            Ok(canonical(Type::Bool, Refinement::not_null()))
        })
        .body(|arguments| contains(arguments).map(Value::from));
    let mut all_of = vec![host, mask, subnet, contains];
    if let Ok(list) = Type::list(Type::String) {
        let subnets =
            of_network("cidrsubnets", "Networks one after the other in a network, each so many bits longer.")
                .variadic(Parameter::new("newbits", Type::Number))
                .returns(list)
                .transformer(|arguments| {
                    for index in 1..arguments.all().len() {
                        check_whole(arguments, index, 1..=128)?;
                    }
                    let one = unknown(arguments)?;
                    Value::list_of(Type::String, arguments.from(1).iter().map(|_| one.clone()))
                })
                .body(|arguments| {
                    let subnets = subnets(arguments)?;
                    Value::list_of(Type::String, subnets.iter().map(network_text).map(Value::from))
                });
        all_of.push(subnets);
    }
    all.extend(all_of.into_iter().map(Standard::language));
}

fn of_network(name: &str, description: &str) -> crate::function::FunctionBuilder {
    Function::new(name).description(description).parameter(Parameter::new("prefix", Type::String)).not_null()
}

/// The network of the first argument.
fn network(arguments: &Arguments<'_>) -> Result<IpNet> {
    let text = arguments.text(0)?;
    let network = text.parse::<IpNet>().map(|network| network.trunc());
    network.map_err(|_| {
        Error::new(Kind::Syntax, format!("invalid CIDR expression: {}", QuotedInMessage(text))).in_argument(0)
    })
}

/// An address in a known network, or one of which nothing is known.
fn unknown(arguments: &Arguments<'_>) -> Result<Value> {
    let fixed = if arguments.at(0).is_known() { fixed(&network(arguments)?) } else { String::new() };
    Ok(canonical(Type::String, Refinement::prefix(&fixed).and_not_null()))
}

/// How many bits of an address say that it maps an IPv4 address, which are the rest: `::ffff:10.0.0.0`.
const MAPPING: u8 = 96;

/// The text of an address. One that maps an IPv4 address is written as that, as Go writes it, and so Terraform.
fn address_text(address: IpAddr) -> String {
    match address {
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => mapped.to_string(),
            None => address.to_string(),
        },
        IpAddr::V4(address) => address.to_string(),
    }
}

/// The text of a network, where its addresses map IPv4 addresses that of these: `10.0.0.0/8` of `::ffff:10.0.0.0/104`.
fn network_text(network: &IpNet) -> String {
    match mapped(network) {
        Some((address, length)) => format!("{address}/{length}"),
        None => network.to_string(),
    }
}

/// The network of the IPv4 addresses that the addresses of a network map.
fn mapped(network: &IpNet) -> Option<(Ipv4Addr, u8)> {
    match network {
        IpNet::V6(network) => {
            Some((network.network().to_ipv4_mapped()?, network.prefix_len().checked_sub(MAPPING)?))
        }
        IpNet::V4(_) => None,
    }
}

/// What the text of every address of a network starts with. The longest run of zeros of an IPv6 address is left out of
/// its text, so that only what stands before the first zero is certain. Where only some of the addresses map IPv4
/// addresses, the first group is zero.
fn fixed(network: &IpNet) -> String {
    let whole = |length: u8, size: u8| usize::from(length.checked_div(size).unwrap_or(0));
    let of_octets = |address: Ipv4Addr, length: u8| -> String {
        address.octets().iter().take(whole(length, 8).min(3)).map(|octet| format!("{octet}.")).collect()
    };
    if let Some((address, length)) = mapped(network) {
        return of_octets(address, length);
    }
    match network.network() {
        IpAddr::V4(address) => of_octets(address, network.prefix_len()),
        IpAddr::V6(address) => {
            let groups = address.segments();
            let groups =
                groups.iter().take(whole(network.prefix_len(), 16).min(7)).take_while(|group| **group != 0);
            groups.map(|group| format!("{group:x}:")).collect()
        }
    }
}

/// The number of an address.
fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    }
}

/// The address of the same kind with this number, if there is one.
fn address(like: &IpNet, bits: u128) -> Option<IpAddr> {
    match like {
        IpNet::V4(_) => u32::try_from(bits).ok().map(|bits| IpAddr::V4(Ipv4Addr::from_bits(bits))),
        IpNet::V6(_) => Some(IpAddr::V6(Ipv6Addr::from_bits(bits))),
    }
}

/// How many addresses, or subnets, so many bits number; none where these are more than 128 bits can say.
fn count(bits: u8) -> Option<u128> {
    1_u128.checked_shl(u32::from(bits))
}

fn whole(arguments: &Arguments<'_>, index: usize) -> Result<i128> {
    let number = arguments.number(index)?;
    number.to_i128().ok_or_else(|| {
        Error::new(Kind::Argument, "value must be a whole number of at most 128 bits").in_argument(index)
    })
}

/// Whether a number, if it is known, can be one of these.
fn check_whole(arguments: &Arguments<'_>, index: usize, fit: RangeInclusive<i128>) -> Result<()> {
    // A host can have a number that is beyond these.
    let Ok(number) = arguments.number(index) else { return Ok(()) };
    let fits = number.is_integer() && number.is_finite();
    if fits && number.to_i128().is_none_or(|number| fit.contains(&number)) {
        return Ok(());
    }
    let message = format!("no network has room for {}", shown(number));
    Err(Error::new(Kind::Argument, message).in_argument(index))
}

fn host(arguments: &Arguments<'_>) -> Result<IpAddr> {
    let network = network(arguments)?;
    let number = arguments.number(1)?;
    let free = network.max_prefix_len().saturating_sub(network.prefix_len());
    // Below 0 it is counted from the end, and all of the 128 bits of an address are too many for a signed number.
    let place = match number.is_negative() {
        false => number.to_u128().filter(|place| count(free).is_none_or(|count| *place < count)),
        true => number.negate().to_u128().filter(|back| *back > 0).and_then(|back| match count(free) {
            Some(count) => count.checked_sub(back),
            None => Some(u128::MAX.wrapping_sub(back).wrapping_add(1)),
        }),
    };
    let host = place.and_then(|place| address(&network, bits(network.network()).checked_add(place)?));
    host.ok_or_else(|| {
        let message = match number.is_integer() && number.is_finite() {
            true => format!(
                "prefix of {} does not accommodate a host numbered {}",
                network.prefix_len(),
                shown(number)
            ),
            false => "value must be a whole number".to_owned(),
        };
        Error::new(Kind::Argument, message).in_argument(1)
    })
}

/// A number in a message, cut where it is very long.
fn shown(number: &Number) -> String {
    let text = number.to_string();
    match text.split_at_checked(40) {
        Some((start, rest)) if !rest.is_empty() => format!("{start}…"),
        _ => text,
    }
}

/// A subnet that is so many bits longer, at an address.
fn longer(network: &IpNet, new: i128, index: usize) -> Result<u8> {
    let longer = u8::try_from(new).ok().and_then(|new| network.prefix_len().checked_add(new));
    longer.filter(|length| *length <= network.max_prefix_len()).ok_or_else(|| {
        let message =
            format!("insufficient address space to extend prefix of {} by {new}", network.prefix_len());
        Error::new(Kind::Argument, message).in_argument(index)
    })
}

fn subnet(arguments: &Arguments<'_>) -> Result<IpNet> {
    let network = network(arguments)?;
    let (new, number) = (whole(arguments, 1)?, arguments.number(2)?);
    let length = longer(&network, new, 1)?;
    let extension = length.saturating_sub(network.prefix_len());
    let place = number.to_u128().filter(|place| count(extension).is_none_or(|count| *place < count));
    let subnet = place.and_then(|place| {
        let size = network.max_prefix_len().saturating_sub(length);
        let offset = if place == 0 { 0 } else { place.checked_shl(u32::from(size))? };
        IpNet::new(address(&network, bits(network.network()).checked_add(offset)?)?, length).ok()
    });
    subnet.ok_or_else(|| {
        let message = format!(
            "prefix extension of {extension} does not accommodate a subnet numbered {}",
            shown(number)
        );
        Error::new(Kind::Argument, message).in_argument(2)
    })
}

/// The second argument; an address is the network of itself alone.
fn address_or_network(arguments: &Arguments<'_>) -> Result<IpNet> {
    let text = arguments.text(1)?;
    // With all bits of an address, so that it is read as leniently as the address of a network.
    let bits = if text.contains(':') { 128 } else { 32 };
    let address = format!("{text}/{bits}").parse::<IpNet>().ok();
    address.or_else(|| text.parse().ok()).ok_or_else(|| {
        let message = format!("invalid IP address or prefix: {}", QuotedInMessage(text));
        Error::new(Kind::Syntax, message).in_argument(1)
    })
}

fn contains(arguments: &Arguments<'_>) -> Result<bool> {
    // Addresses that map IPv4 addresses are compared with those.
    let unmapped = |network: IpNet| match mapped(&network) {
        Some((address, length)) => Ipv4Net::new(address, length).map_or(network, IpNet::V4),
        None => network,
    };
    let (containing, contained) =
        (unmapped(network(arguments)?), unmapped(address_or_network(arguments)?.trunc()));
    match (containing, contained) {
        (IpNet::V4(containing), IpNet::V4(contained)) => Ok(containing.contains(&contained)),
        (IpNet::V6(containing), IpNet::V6(contained)) => Ok(containing.contains(&contained)),
        _ => {
            let message = "an IPv4 and an IPv6 network have no addresses in common";
            Err(Error::new(Kind::Argument, message).in_argument(1))
        }
    }
}

fn subnets(arguments: &Arguments<'_>) -> Result<Vec<IpNet>> {
    let network = network(arguments)?;
    let last = bits(network.broadcast());
    let mut subnets: Vec<IpNet> = Vec::new();
    // The first address that is free, if any is.
    let mut free = Some(bits(network.network()));
    for index in 1..arguments.all().len() {
        let new = whole(arguments, index)?;
        let wrong = |message: String| Error::new(Kind::Argument, message).in_argument(index);
        if new < 1 {
            return Err(wrong("must extend prefix by at least one bit".to_owned()));
        }
        let length = longer(&network, new, index)?;
        // Of at least two, so that there are fewer bits than 128.
        let size = count(network.max_prefix_len().saturating_sub(length)).unwrap_or(u128::MAX);
        let start = free
            .and_then(|free| free.checked_add(size.saturating_sub(1)))
            .map(|end| end.checked_div(size).unwrap_or(0).saturating_mul(size));
        let end =
            start.and_then(|start| start.checked_add(size.saturating_sub(1))).filter(|end| *end <= last);
        let subnet = start.zip(end).and_then(|(start, _)| IpNet::new(address(&network, start)?, length).ok());
        let subnet = subnet.ok_or_else(|| {
            wrong(format!("not enough remaining address space for a subnet with a prefix of {length} bits"))
        })?;
        subnets.push(subnet);
        free = end.and_then(|end| end.checked_add(1));
    }
    Ok(subnets)
}
