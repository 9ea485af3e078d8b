//! Ranges of IPv4 addresses: `A-B`, A not above B.

use core::net::Ipv4Addr;

use super::Format;

/// Whether the string is a range of addresses.
pub(super) fn accepts(text: &str) -> bool {
    let Some((low, high)) = text.split_once('-') else { return false };
    match (address(low), address(high)) {
        (Some(low), Some(high)) => low <= high,
        _ => false,
    }
}

/// The address as a number.
fn address(text: &str) -> Option<u32> {
    Format::Ipv4.accepts(text).then(|| text.parse().ok()).flatten().map(Ipv4Addr::to_bits)
}

/// Whether the string is a prefix of some range of addresses.
pub(super) fn is_prefix(prefix: &str) -> bool {
    match prefix.split_once('-') {
        None => Format::Ipv4.contains_all_with_prefix(prefix) != Some(false),
        Some((low, high)) => match (address(low), highest(high)) {
            (Some(low), Some(high)) => low <= high,
            _ => false,
        },
    }
}

/// The highest address that begins with this string.
fn highest(prefix: &str) -> Option<u32> {
    if Format::Ipv4.contains_all_with_prefix(prefix) == Some(false) {
        return None;
    }
    let mut parts: Vec<&str> = prefix.split('.').collect();
    let open = parts.pop().unwrap_or_default();
    let candidates = (0..256_u32).rev().map(|octet| octet.to_string());
    let last = candidates.into_iter().find(|octet| octet.starts_with(open))?;
    let octets = parts.iter().map(|part| (*part).to_owned()).chain([last]);
    let octets = octets.chain(std::iter::repeat("255".to_owned()));
    address(&octets.take(4).collect::<Vec<String>>().join("."))
}
