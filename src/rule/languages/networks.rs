//! Networks in CIDR notation whose prefix length is in a range.

use std::fmt;

use crate::error::{Error, Kind, Result};

use super::format::networks_of;
use crate::rule::Pattern;

/// Networks in CIDR notation whose prefix length is in a range, with the address of the network itself.
///
/// ```
/// use plantime::rule::Networks;
///
/// let networks = Networks::new(16, 24)?;
/// assert!(networks.has("10.1.0.0/16"));
/// assert!(!networks.has("10.0.0.0/8"));
/// assert!(!networks.has("10.1.0.1/16"));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Networks {
    least: u8,
    most: u8,
    pattern: Pattern,
}

impl Networks {
    /// Networks whose prefix has from `least` to `most` bits.
    ///
    /// [Example](Networks)
    ///
    /// # Errors
    ///
    /// When `least` is above `most`, or `most` above 128.
    pub fn new(least: u8, most: u8) -> Result<Networks> {
        if least > most || most > 128 {
            let message = format!("a network has from 0 to 128 bits, not from {least} to {most}");
            return Err(Error::new(Kind::Argument, message));
        }
        Ok(Networks { least, most, pattern: Pattern::new(&networks_of(least, most))? })
    }

    /// The minimum prefix length in bits.
    ///
    /// [Example](Networks)
    pub fn least(&self) -> u8 {
        self.least
    }

    /// The maximum prefix length in bits.
    ///
    /// [Example](Networks)
    pub fn most(&self) -> u8 {
        self.most
    }

    /// Whether a string is such a network.
    ///
    /// [Example](Networks)
    pub fn has(&self, text: &str) -> bool {
        self.pattern.is_match(text) && crate::rule::Format::CidrNetwork.accepts(text)
    }

    /// The pattern that matches all such networks. It also matches an IPv6 address with bits after the network prefix.
    pub(in crate::rule) fn pattern(&self) -> &Pattern {
        &self.pattern
    }
}

impl fmt::Debug for Networks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Networks({}, {})", self.least, self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::Networks;

    #[test]
    fn a_network_has_so_many_bits() {
        let networks = Networks::new(8, 24).unwrap();
        for text in ["10.0.0.0/8", "10.1.2.0/24", "2001::/16", "2001:0::/16"] {
            assert!(networks.has(text), "{text}");
        }
        for text in [
            "10.0.0.0/7",
            "0.0.0.0/0",
            "10.1.2.0/25",
            "10.1.2.1/24",
            "2001:db8::/32",
            "10.0.0.0",
            "10.0.0.0/08",
        ] {
            assert!(!networks.has(text), "{text}");
        }
        for (prefix, answer) in [
            ("10.1.2.", None),
            ("10.1.2.1", Some(false)),
            ("10.1.2.1/", Some(false)),
            ("10.1.2.0/3", Some(false)),
        ] {
            assert_eq!(networks.pattern().contains_all_with_prefix(prefix), answer, "{prefix}");
        }
        assert!(Networks::new(64, 128).unwrap().has("2001:db8::1/128"));
        assert!(!Networks::new(33, 128).unwrap().has("10.0.0.1/32"));
        for (least, most) in [(9, 8), (0, 129)] {
            assert!(Networks::new(least, most).is_err());
        }
    }
}
