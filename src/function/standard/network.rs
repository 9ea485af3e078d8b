//! Functions of IP networks in CIDR notation. A known argument that is invalid is an error even while other arguments
//! are unknown.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use core::ops::RangeInclusive;

use ipnet::{IpNet, Ipv4Net};

use crate::error::{Error, Kind, Result};
use crate::function::{Arguments, Function, Parameter, work};
use crate::limits;
use crate::number::Number;
use crate::refinement::{LengthRange, Refinement};
use crate::text::{QuotedInMessage, VisibleInMessage};
use crate::types::Type;
use crate::value::{Value, canonical, equality};

use super::collections::{elements_of, length_of};
use super::{ResultPattern, StandardFunction};

/// A pattern that matches the texts of all IP addresses, and some other texts.
static ADDRESS: ResultPattern = ResultPattern::new("^(?:[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|[0-9a-f:]{2,39})$");

/// A pattern that matches the texts of all networks, and some other texts.
static NETWORK: ResultPattern =
    ResultPattern::new("^(?:[0-9]{1,3}(?:\\.[0-9]{1,3}){3}/[0-9]{1,2}|[0-9a-f:]{2,39}/[0-9]{1,3})$");

/// A pattern that matches the texts of all masks of IPv4 networks, and some other texts.
static MASK: ResultPattern = ResultPattern::new("^[0-9]{1,3}(?:\\.[0-9]{1,3}){3}$");

/// Adds the functions of IP networks: `cidrhost`, `cidrnetmask`, `cidrsubnet`, `cidrsubnets` and `cidrcontains`.
pub(super) fn register(functions: &mut Vec<StandardFunction>) {
    let host = network_function("cidrhost", "The address of the host with a number in a network.")
        .parameter(Parameter::new("hostnum", Type::Number))
        .returns(Type::String)
        .transformer(|arguments| {
            check_integer(arguments, 1, i128::MIN..=i128::MAX)?;
            unknown_address(arguments, &ADDRESS)
        })
        .body(|arguments| cidrhost(arguments).map(|host| Value::from(address_text(host))));
    let mask = network_function("cidrnetmask", "The mask of an IPv4 network as an address.")
        .returns(Type::String)
        .transformer(|_| Ok(MASK.value()))
        .body(|arguments| match network(arguments)? {
            IpNet::V4(network) => Ok(Value::from(network.netmask().to_string())),
            IpNet::V6(_) => {
                let shown = VisibleInMessage(arguments.text(0)?);
                let message = format!("IPv6 addresses cannot have a netmask: {shown}");
                Err(Error::new(Kind::Argument, message).in_argument(0))
            }
        });
    let subnet = network_function(
        "cidrsubnet",
        "The subnet with a number, in a network whose prefix grows by some bits.",
    )
    .parameter(Parameter::new("newbits", Type::Number))
    .parameter(Parameter::new("netnum", Type::Number))
    .returns(Type::String)
    .transformer(|arguments| {
        check_integer(arguments, 1, 0..=128)?;
        check_integer(arguments, 2, 0..=i128::MAX)?;
        unknown_address(arguments, &NETWORK)
    })
    .body(|arguments| cidrsubnet(arguments).map(|subnet| Value::from(network_text(&subnet))));
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
        .body(|arguments| cidrcontains(arguments).map(Value::from));
    let prefix = "the form of an address, and the octets or groups that a known network fixes: `10.0.`";
    functions.push(StandardFunction::language_only(host, prefix));
    functions.push(StandardFunction::language_only(mask, "the form of an IPv4 address"));
    functions.push(StandardFunction::language_only(subnet, prefix));
    let note = "that the result is not null; an error if a known network or address is invalid";
    functions.push(StandardFunction::language_only(contains, note));
    if let Ok(list) = Type::list(Type::String) {
        let subnets = network_function(
            "cidrsubnets",
            "Consecutive subnets of a network, each with a prefix longer by some bits.",
        )
        .variadic(Parameter::new("newbits", Type::Number))
        .returns(list)
        .transformer(|arguments| {
            for index in 1..arguments.all().len() {
                check_integer(arguments, index, 1..=128)?;
            }
            let subnet = unknown_address(arguments, &NETWORK)?;
            Value::list_of(Type::String, arguments.from(1).iter().map(|_| subnet.clone()))
        })
        .body(|arguments| {
            let subnets = cidrsubnets(arguments)?;
            Value::list_of(Type::String, subnets.iter().map(network_text).map(Value::from))
        });
        let note = "the number of subnets, and of each the octets or groups that a known network fixes";
        functions.push(StandardFunction::language_only(subnets, note));
    }
    register_overlaps(functions);
}

/// Adds `cidroverlaps` of rules.
fn register_overlaps(functions: &mut Vec<StandardFunction>) {
    let Ok(list) = Type::list(Type::String) else { return };
    let Ok(pairs) = Type::list(list.clone()) else { return };
    let overlaps = Function::new("cidroverlaps")
        .description("The pairs of networks of a list that have addresses in common.")
        .parameter(Parameter::new("networks", list))
        .returns(pairs)
        .not_null()
        .body_for_all(cidroverlaps);
    let note = "bounds of the number of pairs; an error if a known network is invalid";
    functions.push(StandardFunction::rules_only(overlaps, note));
}

/// Computes `cidroverlaps`: the pairs of networks that have addresses in common, each in the order of the list. If networks are unknown, a
/// list with bounds of its length.
fn cidroverlaps(arguments: &Arguments<'_>) -> Result<Value> {
    let list = arguments.at(0);
    let pair_type = Type::list(Type::String)?;
    let with_length = |length: LengthRange| {
        let pair = Refinement::length(LengthRange::exactly(2)).and_not_null();
        let refinement = Refinement::elements(pair).unwrap_or_default().with_length(length).and_not_null();
        Value::refined(Type::list(pair_type.clone())?, refinement)
    };
    let Some(items) = elements_of(list) else {
        let most = length_of(list).upper().map(pairs_among);
        return with_length(LengthRange::new(0, most).unwrap_or_default());
    };
    let mut networks: Vec<(Block, usize)> = Vec::new();
    for (position, item) in items.iter().enumerate() {
        if equality::is_always_null(item) {
            let message = format!("network {position} is null");
            return Err(Error::new(Kind::Null, message).in_argument(0));
        }
        if let Ok(text) = item.as_str() {
            networks.push((Block::read(text)?, position));
        }
    }
    let known = networks.len() as u64;
    let pairs = overlapping(networks)?;
    if known == items.len() as u64 {
        let pair = |(a, b): &(usize, usize)| {
            Value::list_of(Type::String, [*a, *b].iter().filter_map(|at| items.get(*at).cloned()))
        };
        return Value::list_of(pair_type, pairs.iter().map(pair).collect::<Result<Vec<_>>>()?);
    }
    let certain = pairs.len() as u64;
    let others = pairs_among(items.len() as u64).saturating_sub(pairs_among(known));
    with_length(LengthRange::new(certain, Some(certain.saturating_add(others))).unwrap_or_default())
}

/// The number of pairs of this number of elements.
fn pairs_among(count: u64) -> u64 {
    count.saturating_mul(count.saturating_sub(1)).checked_div(2).unwrap_or(0)
}

/// The addresses of a network. No IPv4 address equals an IPv6 address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Block {
    is_v6: bool,
    first: u128,
    /// Descending, so that a network comes before those inside it.
    last: core::cmp::Reverse<u128>,
}

impl Block {
    fn read(text: &str) -> Result<Block> {
        let network = text.parse::<IpNet>().map_err(|_| {
            let message =
                format!("invalid CIDR expression: invalid CIDR address: {}", VisibleInMessage(text));
            Error::new(Kind::Syntax, message).in_argument(0)
        })?;
        let network = match mapped_ipv4_network(&network) {
            Some((address, length)) => Ipv4Net::new(address, length).map_or(network, IpNet::V4),
            None => network,
        };
        let (first, last) = (bits(network.network()), bits(network.broadcast()));
        let is_v6 = matches!(network, IpNet::V6(_));
        Ok(Block { is_v6, first, last: core::cmp::Reverse(last) })
    }
}

/// The pairs of positions of networks with common addresses, sorted. Of two networks that overlap one contains the other, so in the
/// order of the first addresses each network is in all those that are still open.
fn overlapping(mut networks: Vec<(Block, usize)>) -> Result<Vec<(usize, usize)>> {
    networks.sort_unstable();
    let mut open: Vec<(Block, usize)> = Vec::new();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (block, position) in networks {
        while open.last().is_some_and(|(outer, _)| outer.is_v6 != block.is_v6 || outer.last.0 < block.first) {
            open.pop();
        }
        pairs.extend(open.iter().map(|(_, outer)| (position.min(*outer), position.max(*outer))));
        if pairs.len() > limits::ELEMENTS {
            let message = format!("more than {} pairs of networks overlap", limits::ELEMENTS);
            return Err(Error::new(Kind::Limit, message));
        }
        open.push((block, position));
    }
    work::charge(pairs.len());
    pairs.sort_unstable();
    Ok(pairs)
}

/// Begins the definition of a function whose first argument is a network and whose result is not null.
fn network_function(name: &str, description: &str) -> crate::function::FunctionBuilder {
    Function::new(name).description(description).parameter(Parameter::new("prefix", Type::String)).not_null()
}

/// The network in the first argument, which is known, such as `10.0.0.0/8`; an error if it is invalid. Host bits are
/// set to 0.
fn network(arguments: &Arguments<'_>) -> Result<IpNet> {
    let text = arguments.text(0)?;
    let network = text.parse::<IpNet>().map(|network| network.trunc());
    network.map_err(|_| {
        // In Go's words, which Terraform's functions add to theirs.
        let message = format!("invalid CIDR expression: invalid CIDR address: {}", VisibleInMessage(text));
        Error::new(Kind::Syntax, message).in_argument(0)
    })
}

/// An unknown address or subnet of the network in the first argument, as a string. If the network is known, it has the
/// prefix that all addresses of the network share.
fn unknown_address(arguments: &Arguments<'_>, result_pattern: &ResultPattern) -> Result<Value> {
    let fixed = if arguments.at(0).is_known() { fixed_prefix(&network(arguments)?) } else { String::new() };
    Ok(result_pattern.with_prefix(&fixed))
}

/// The number of bits of the prefix `::ffff:` of an IPv6 address that maps an IPv4 address, such as `::ffff:10.0.0.0`.
const MAPPED_PREFIX_BITS: u8 = 96;

/// The text of an address. An address that maps an IPv4 address is written as the IPv4 address, as in Go and Terraform.
fn address_text(address: IpAddr) -> String {
    match address {
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(mapped) => mapped.to_string(),
            None => address.to_string(),
        },
        IpAddr::V4(address) => address.to_string(),
    }
}

/// The text of a network. A network of mapped IPv4 addresses is written as the IPv4 network: `::ffff:10.0.0.0/104` as
/// `10.0.0.0/8`.
fn network_text(network: &IpNet) -> String {
    match mapped_ipv4_network(network) {
        Some((address, length)) => format!("{address}/{length}"),
        None => network.to_string(),
    }
}

/// The IPv4 network, as address and prefix length in bits, that an IPv6 network of mapped addresses stands for. `None`
/// for other networks.
fn mapped_ipv4_network(network: &IpNet) -> Option<(Ipv4Addr, u8)> {
    match network {
        IpNet::V6(network) => {
            Some((network.network().to_ipv4_mapped()?, network.prefix_len().checked_sub(MAPPED_PREFIX_BITS)?))
        }
        IpNet::V4(_) => None,
    }
}

/// The longest prefix, up to a `.` or `:`, that the texts of all addresses of a network share, such as `10.0.`. The
/// text of an IPv6 address omits its longest run of zero groups, so only the groups before the first zero are certain.
/// (A network with both mapped and other addresses starts with a zero group.)
fn fixed_prefix(network: &IpNet) -> String {
    let complete = |length: u8, size: u8| usize::from(length.checked_div(size).unwrap_or(0));
    let octets = |address: Ipv4Addr, length: u8| -> String {
        address.octets().iter().take(complete(length, 8).min(3)).map(|octet| format!("{octet}.")).collect()
    };
    if let Some((address, length)) = mapped_ipv4_network(network) {
        return octets(address, length);
    }
    match network.network() {
        IpAddr::V4(address) => octets(address, network.prefix_len()),
        IpAddr::V6(address) => {
            let groups = address.segments();
            let groups = groups
                .iter()
                .take(complete(network.prefix_len(), 16).min(7))
                .take_while(|group| **group != 0);
            groups.map(|group| format!("{group:x}:")).collect()
        }
    }
}

/// The bits of an IPv4 or IPv6 address as a number.
fn bits(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u128::from(address.to_bits()),
        IpAddr::V6(address) => address.to_bits(),
    }
}

/// The address with these bits, IPv4 or IPv6 as the network `like` is. `None` if they do not fit IPv4.
fn address(like: &IpNet, bits: u128) -> Option<IpAddr> {
    match like {
        IpNet::V4(_) => u32::try_from(bits).ok().map(|bits| IpAddr::V4(Ipv4Addr::from_bits(bits))),
        IpNet::V6(_) => Some(IpAddr::V6(Ipv6Addr::from_bits(bits))),
    }
}

/// 2 to the power of `bits`: the number of addresses or subnets that this many bits can number. `None` for 128 bits,
/// since the result does not fit.
fn count(bits: u8) -> Option<u128> {
    1_u128.checked_shl(u32::from(bits))
}

/// The error of cty for a number that is no integer of 64 bits.
const WHOLE_NUMBER_OF_64_BITS: &str =
    "value must be a whole number, between -9223372036854775808 and 9223372036854775807";

/// The known argument at this index as an integer of 128 bits; an error if it is not one.
fn integer(arguments: &Arguments<'_>, index: usize) -> Result<i128> {
    let number = arguments.number(index)?;
    number.to_i128().ok_or_else(|| Error::new(Kind::Argument, WHOLE_NUMBER_OF_64_BITS).in_argument(index))
}

/// An error if the argument at this index is known and is not an integer, or is out of the range. Integers that do not
/// fit `i128` are accepted.
fn check_integer(arguments: &Arguments<'_>, index: usize, range: RangeInclusive<i128>) -> Result<()> {
    let Ok(number) = arguments.number(index) else { return Ok(()) };
    let is_integer = number.is_integer() && number.is_finite();
    // The number of an IPv6 host may exceed an `i128`: the body checks such numbers.
    if is_integer && number.to_i128().is_none_or(|number| range.contains(&number)) {
        return Ok(());
    }
    let message = match is_integer {
        true => format!("no network has room for {}", abbreviated(number)),
        false if range.contains(&i128::MAX) => "value must be a whole number".to_owned(),
        false => WHOLE_NUMBER_OF_64_BITS.to_owned(),
    };
    Err(Error::new(Kind::Argument, message).in_argument(index))
}

/// Computes `cidrhost`: the address with a number in a network. A negative number counts from the end of the network.
fn cidrhost(arguments: &Arguments<'_>) -> Result<IpAddr> {
    let network = network(arguments)?;
    let number = arguments.number(1)?;
    let free = network.max_prefix_len().saturating_sub(network.prefix_len());
    // A negative number counts from the end of the network. With 128 free bits, the count of hosts itself does not fit.
    let offset = match number.is_negative() {
        false => number.to_u128().filter(|offset| count(free).is_none_or(|count| *offset < count)),
        true => number.negate().to_u128().filter(|from_end| *from_end > 0).and_then(|from_end| {
            match count(free) {
                Some(count) => count.checked_sub(from_end),
                None => Some(u128::MAX.wrapping_sub(from_end).wrapping_add(1)),
            }
        }),
    };
    let host = offset.and_then(|offset| address(&network, bits(network.network()).checked_add(offset)?));
    host.ok_or_else(|| {
        let message = match number.is_integer() && number.is_finite() {
            true => {
                // Terraform names a host below the network by its distance from the start.
                let from_start = match count(free).filter(|_| number.is_negative()) {
                    Some(count) => number.add(&Number::from(count)).unwrap_or_else(|_| number.clone()),
                    None => number.clone(),
                };
                let (length, host) = (network.prefix_len(), abbreviated(&from_start));
                format!("prefix of {length} does not accommodate a host numbered {host}")
            }
            false => "value must be a whole number".to_owned(),
        };
        Error::new(Kind::Argument, message).in_argument(1)
    })
}

/// A number as text for a message, cut after 40 characters.
fn abbreviated(number: &Number) -> String {
    let text = number.to_string();
    match text.split_at_checked(40) {
        Some((start, rest)) if !rest.is_empty() => format!("{start}…"),
        _ => text,
    }
}

/// The prefix length, in bits, of a network extended by `new_bits`. If that exceeds the address length, an error about
/// the argument at `index`.
fn extended_prefix_length(network: &IpNet, new_bits: i128, index: usize) -> Result<u8> {
    let length = u8::try_from(new_bits).ok().and_then(|bits| network.prefix_len().checked_add(bits));
    length.filter(|length| *length <= network.max_prefix_len()).ok_or_else(|| {
        let message =
            format!("insufficient address space to extend prefix of {} by {new_bits}", network.prefix_len());
        Error::new(Kind::Argument, message).in_argument(index)
    })
}

/// Computes `cidrsubnet`: the subnet with a number, where the prefix of the network is extended by some bits.
fn cidrsubnet(arguments: &Arguments<'_>) -> Result<IpNet> {
    let network = network(arguments)?;
    let (new_bits, number) = (integer(arguments, 1)?, arguments.number(2)?);
    let length = extended_prefix_length(&network, new_bits, 1)?;
    let extension = length.saturating_sub(network.prefix_len());
    let position = number.to_u128().filter(|position| count(extension).is_none_or(|count| *position < count));
    let subnet = position.and_then(|position| {
        let size = network.max_prefix_len().saturating_sub(length);
        let offset = if position == 0 { 0 } else { position.checked_shl(u32::from(size))? };
        IpNet::new(address(&network, bits(network.network()).checked_add(offset)?)?, length).ok()
    });
    subnet.ok_or_else(|| {
        let message = format!(
            "prefix extension of {extension} does not accommodate a subnet numbered {}",
            abbreviated(number)
        );
        Error::new(Kind::Argument, message).in_argument(2)
    })
}

/// The second argument, which is known, as a network; an address becomes the network of only this address. An error if
/// it is neither.
fn address_or_network(arguments: &Arguments<'_>) -> Result<IpNet> {
    let text = arguments.text(1)?;
    // An address is parsed as a network too: the parser of networks is the more lenient one.
    let bits = if text.contains(':') { 128 } else { 32 };
    let address = format!("{text}/{bits}").parse::<IpNet>().ok();
    address.or_else(|| text.parse().ok()).ok_or_else(|| {
        let message = format!("invalid IP address or prefix: {}", QuotedInMessage(text));
        Error::new(Kind::Syntax, message).in_argument(1)
    })
}

/// Computes `cidrcontains`: whether a network contains every address of another network, or one address. An error for
/// an IPv4 and an IPv6 network.
fn cidrcontains(arguments: &Arguments<'_>) -> Result<bool> {
    // Mapped IPv4 addresses are compared as IPv4 addresses.
    let unmapped = |network: IpNet| match mapped_ipv4_network(&network) {
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

/// Computes `cidrsubnets`: consecutive subnets, each with a prefix extended by some bits. Each takes the first free
/// addresses that are aligned to its size; an error if none are left.
fn cidrsubnets(arguments: &Arguments<'_>) -> Result<Vec<IpNet>> {
    let network = network(arguments)?;
    let last = bits(network.broadcast());
    let mut subnets: Vec<IpNet> = Vec::new();
    // The first free address; None if all are taken.
    let mut free = Some(bits(network.network()));
    for index in 1..arguments.all().len() {
        let new_bits = integer(arguments, index)?;
        let invalid = |message: String| Error::new(Kind::Argument, message).in_argument(index);
        if new_bits < 1 {
            return Err(invalid("must extend prefix by at least one bit".to_owned()));
        }
        let length = extended_prefix_length(&network, new_bits, index).map_err(|_| {
            if new_bits > 32 {
                return invalid("may not extend prefix by more than 32 bits".to_owned());
            }
            let length = i128::from(network.prefix_len()).saturating_add(new_bits);
            let protocol = if matches!(network, IpNet::V4(_)) { "IPv4" } else { "IPv6" };
            invalid(format!(
                "would extend prefix to {length} bits, which is too long for an {protocol} address"
            ))
        })?;
        // A subnet has fewer than 128 free bits, since its prefix has at least one.
        let size = count(network.max_prefix_len().saturating_sub(length)).unwrap_or(u128::MAX);
        let start = free
            .and_then(|free| free.checked_add(size.saturating_sub(1)))
            .map(|end| end.checked_div(size).unwrap_or(0).saturating_mul(size));
        let end =
            start.and_then(|start| start.checked_add(size.saturating_sub(1))).filter(|end| *end <= last);
        let subnet = start.zip(end).and_then(|(start, _)| IpNet::new(address(&network, start)?, length).ok());
        let subnet = subnet.ok_or_else(|| {
            let after = subnets.last().map(|last| format!(" after {}", network_text(last)));
            let after = after.unwrap_or_default();
            invalid(format!(
                "not enough remaining address space for a subnet with a prefix of {length} bits{after}"
            ))
        })?;
        subnets.push(subnet);
        free = end.and_then(|end| end.checked_add(1));
    }
    Ok(subnets)
}
