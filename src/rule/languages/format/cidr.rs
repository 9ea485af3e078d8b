//! CIDR blocks whose address is that of their network.

use core::net::IpAddr;
use std::fmt::Write;

/// Whether the string is a CIDR block whose address bits after the prefix length are zero.
pub(super) fn is_network(text: &str) -> bool {
    let Some((address, bits)) = super::Format::Cidr.accepts(text).then(|| text.split_once('/')).flatten()
    else {
        return false;
    };
    let (Ok(address), Ok(bits)) = (address.parse::<IpAddr>(), bits.parse::<u32>()) else { return false };
    trailing_zeros(address) >= address_bits(address).saturating_sub(bits)
}

/// The number of bits of an address: 32 or 128.
fn address_bits(address: IpAddr) -> u32 {
    if address.is_ipv4() { 32 } else { 128 }
}

/// The number of zero bits at the end of an address.
fn trailing_zeros(address: IpAddr) -> u32 {
    match address {
        IpAddr::V4(address) => address.to_bits().trailing_zeros(),
        IpAddr::V6(address) => address.to_bits().trailing_zeros(),
    }
}

/// A regular expression for all IPv4 networks whose prefix has `least` to `most` bits.
pub(super) fn networks(least: u32, most: u32) -> String {
    let mut out = String::from("(?:");
    for bits in least..=most {
        out.push_str(if bits > least { "|" } else { "" });
        for place in 0..4_u32 {
            let inside = bits.saturating_sub(place.saturating_mul(8)).min(8);
            out.push_str(if place > 0 { "\\." } else { "" });
            octet(inside, &mut out);
        }
        // Writing into a String cannot fail.
        let _ = write!(out, "/{bits}");
    }
    out.push(')');
    out
}

/// Writes a regular expression for the values of one octet whose bits after the first `bits` (0 to 8) are zero.
fn octet(bits: u32, out: &mut String) {
    match bits {
        0 => out.push('0'),
        8 => out.push_str("(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"),
        bits => {
            let step = 1_usize.checked_shl(8_u32.saturating_sub(bits)).unwrap_or(1);
            let all: Vec<String> = (0..256_usize).step_by(step).map(|octet| octet.to_string()).collect();
            out.push_str("(?:");
            out.push_str(&all.join("|"));
            out.push(')');
        }
    }
}
