//! Named formats of strings: addresses, times, identifiers.

mod cidr;
mod json;
mod patterns;
mod range;
mod time;
mod yaml;

pub(in crate::rule) use patterns::{networks_of, url_of};

use std::fmt;
use std::sync::OnceLock;

use crate::error::{Error, Kind, Result};
use crate::language::Language;

use crate::rule::Pattern;
use crate::text::nearest;

/// A named format of strings.
///
/// | format | accepts | a known prefix |
/// |---|---|---|
/// | `uuid` | 8-4-4-4-12 hexadecimal digits | decides |
/// | `ipv4` | four numbers up to 255 without leading zeros | decides |
/// | `ipv6` | RFC 4291, also with an IPv4 end; without zone | decides |
/// | `ip` | `ipv4` or `ipv6` | decides |
/// | `ipv4_range` | `A-B`, both `ipv4`, A not above B | decides |
/// | `cidr` | `ip/BITS`, bits without leading zeros | decides |
/// | `cidr_network` | `cidr` whose bits after the first BITS are zero | decides for IPv4; for IPv6 as `cidr` |
/// | `mac` | 6, 8 or 20 octets: `:` or `-` between two digits, or `.` between four | decides |
/// | `port` | a number from 1 to 65535 without leading zeros | decides |
/// | `port_or_zero` | `port` or `0` | decides |
/// | `date_time` | RFC 3339; `T` and `Z` in either case, days as the month has them, leap seconds at 23:59:60 UTC | decides, but for leap seconds |
/// | `date` | RFC 3339 full-date | decides |
/// | `time` | RFC 3339 full-time | decides, but for leap seconds |
/// | `day_of_week` | `Monday` to `Sunday` | decides |
/// | `month` | `January` to `December` | decides |
/// | `hostname` | RFC 1123, up to 253 characters | decides |
/// | `email` | RFC 5321 mailbox | decides |
/// | `uri` | RFC 3986, with scheme | decides |
/// | `uri_reference` | RFC 3986, also relative | decides |
/// | `quantity` | Kubernetes: `10Gi`, `100m`, `1e3` | decides |
/// | `base64` | standard alphabet, padded, not empty; line ends are skipped | decides |
/// | `json` | RFC 8259 | decides |
/// | `yaml` | a stream of YAML 1.2, at most 255 collections in one another; keys are not compared | decides, but for the last few characters |
/// | `regex` | what [`Pattern::new`] accepts | does not decide |
///
/// *Decides* means: for an unknown string with a known prefix, the rule fails as soon as no string with that prefix has
/// the format.
///
/// ```
/// use plantime::rule::Format;
///
/// let cidr: Format = "cidr".parse()?;
/// assert!(cidr.accepts("10.0.0.0/16"));
/// assert_eq!(cidr.contains_all_with_prefix("10.0."), None);
/// assert_eq!(cidr.contains_all_with_prefix("10.0.256"), Some(false));
/// # Ok::<(), plantime::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// A UUID.
    Uuid,
    /// An IPv4 address.
    Ipv4,
    /// An IPv6 address.
    Ipv6,
    /// An IP address.
    Ip,
    /// Two IPv4 addresses, `A-B`.
    Ipv4Range,
    /// A CIDR block.
    Cidr,
    /// A CIDR block that is the address of its network.
    CidrNetwork,
    /// A MAC address.
    Mac,
    /// The number of a port.
    Port,
    /// The number of a port, or 0.
    PortOrZero,
    /// Date and time.
    DateTime,
    /// A date.
    Date,
    /// A time with its offset.
    Time,
    /// The English name of a day of the week.
    DayOfWeek,
    /// The English name of a month.
    Month,
    /// A host name.
    Hostname,
    /// A mailbox.
    Email,
    /// A URI.
    Uri,
    /// A URI, or a reference relative to one.
    UriReference,
    /// A Kubernetes quantity.
    Quantity,
    /// Base64.
    Base64,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
    /// A regular expression.
    Regex,
}

/// One row of the table of formats.
struct Row {
    format: Format,
    name: &'static str,
    aliases: &'static [&'static str],
    /// The name for sentences, with its article: `a CIDR block`.
    noun: &'static str,
}

/// The row of the format; the table is in the order of the variants.
const fn row(
    format: Format,
    name: &'static str,
    aliases: &'static [&'static str],
    noun: &'static str,
) -> Row {
    Row { format, name, aliases, noun }
}

static ROWS: [Row; 24] = [
    row(Format::Uuid, "uuid", &[], "a UUID"),
    row(Format::Ipv4, "ipv4", &["ipv4_address"], "an IPv4 address"),
    row(Format::Ipv6, "ipv6", &["ipv6_address"], "an IPv6 address"),
    row(Format::Ip, "ip", &["ip_address"], "an IP address"),
    row(Format::Ipv4Range, "ipv4_range", &[], "a range of IPv4 addresses"),
    row(Format::Cidr, "cidr", &[], "a CIDR block"),
    row(Format::CidrNetwork, "cidr_network", &[], "the CIDR block of a network"),
    row(Format::Mac, "mac", &["mac_address"], "a MAC address"),
    row(Format::Port, "port", &["port_number"], "a port number"),
    row(Format::PortOrZero, "port_or_zero", &["port_number_or_zero"], "a port number or 0"),
    row(
        Format::DateTime,
        "date_time",
        &["date-time", "rfc3339", "rfc3339_time"],
        "an RFC 3339 date and time",
    ),
    row(Format::Date, "date", &[], "an RFC 3339 date"),
    row(Format::Time, "time", &[], "an RFC 3339 time"),
    row(Format::DayOfWeek, "day_of_week", &["day_of_the_week"], "a day of the week"),
    row(Format::Month, "month", &[], "a month"),
    row(Format::Hostname, "hostname", &[], "a host name"),
    row(Format::Email, "email", &[], "an email address"),
    row(Format::Uri, "uri", &[], "a URI"),
    row(Format::UriReference, "uri_reference", &["uriref", "uri-reference"], "a URI reference"),
    row(Format::Quantity, "quantity", &[], "a quantity"),
    row(Format::Base64, "base64", &[], "base64"),
    row(Format::Json, "json", &[], "JSON"),
    row(Format::Yaml, "yaml", &[], "YAML"),
    row(Format::Regex, "regex", &["valid_regexp"], "a regular expression"),
];

impl Format {
    /// All formats, in the order of the table.
    ///
    /// ```
    /// use plantime::rule::Format;
    ///
    /// let ip = Format::all().find(|format| format.name() == "ipv4").unwrap();
    /// assert!(ip.accepts("10.0.0.1") && !ip.accepts("10.0.0.01"));
    /// assert_eq!(ip.contains_all_with_prefix("10.0."), None);
    /// assert_eq!(ip.noun(), "an IPv4 address");
    /// ```
    pub fn all() -> impl Iterator<Item = Format> {
        ROWS.iter().map(|row| row.format)
    }

    /// The name, as the keyword `format` takes it.
    ///
    /// [Example](Format::all)
    pub fn name(self) -> &'static str {
        self.row().map_or("", |row| row.name)
    }

    /// Other names that rules files may use.
    ///
    /// [Example](Format)
    pub fn aliases(self) -> &'static [&'static str] {
        self.row().map_or(&[], |row| row.aliases)
    }

    /// The name with its article, for sentences: `a CIDR block`.
    ///
    /// [Example](Format::all)
    pub fn noun(self) -> &'static str {
        self.row().map_or("", |row| row.noun)
    }

    /// The row of the format: the table of formats has the order of the variants.
    fn row(self) -> Option<&'static Row> {
        ROWS.get(self as usize)
    }

    /// Whether a string has the format. Linear in its length.
    ///
    /// [Example](Format::all)
    pub fn accepts(self, text: &str) -> bool {
        match self {
            Format::Json => json::accepts(text),
            Format::Yaml => yaml::accepts(text),
            Format::Regex => Pattern::new(text).is_ok(),
            Format::Ipv4Range => range::accepts(text),
            Format::CidrNetwork => cidr::is_network(text),
            Format::DateTime | Format::Time => self.matches(text) && time::has_valid_leap_second(text),
            Format::Hostname => self.matches(text) && text.len() <= HOSTNAME,
            _ => self.matches(text),
        }
    }

    /// Whether all strings with this prefix have the format (true), or none (false); `None` if some may and some not.
    ///
    /// [Example](Format)
    pub fn contains_all_with_prefix(self, prefix: &str) -> Option<bool> {
        match self {
            Format::Json => (!json::is_prefix(prefix)).then_some(false),
            Format::Yaml => (!yaml::is_prefix(prefix)).then_some(false),
            Format::Regex => None,
            Format::Ipv4Range => (!range::is_prefix(prefix)).then_some(false),
            Format::Hostname if !hostname_has_continuation(prefix) => Some(false),
            _ => self.pattern().and_then(|pattern| pattern.contains_all_with_prefix(prefix)),
        }
    }

    /// Whether all strings of a language have the format (true), or none (false); `None` if some may and some not.
    ///
    /// ```
    /// use plantime::language::Language;
    /// use plantime::rule::Format;
    ///
    /// let lengths = Language::lengths(1, Some(3))?;
    /// assert_eq!(Format::Uuid.decides_language(&lengths), Some(false));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn decides_language(self, language: &Language) -> Option<bool> {
        let answer = match self {
            Format::Json | Format::Yaml | Format::Regex | Format::Ipv4Range => None,
            _ => self.pattern().and_then(|pattern| pattern.decides_language(language)),
        };
        answer.filter(|all| !all || self.is_pattern() || self.accepts_what_matches(language))
    }

    /// The strings that have the format; `None` if that is no language, or one that is too large.
    pub(in crate::rule) fn language(self) -> Option<std::sync::Arc<Language>> {
        self.pattern().filter(|_| self.is_pattern())?.language()
    }

    /// Whether the format accepts every string of a language, given that its pattern matches all of them.
    fn accepts_what_matches(self, language: &Language) -> bool {
        match self {
            Format::Hostname => language
                .longest()
                .is_some_and(|longest| usize::try_from(longest).is_ok_and(|n| n <= HOSTNAME)),
            _ => false,
        }
    }

    /// Whether the pattern of the format accepts exactly the strings that have it.
    fn is_pattern(self) -> bool {
        !matches!(
            self,
            Format::Json
                | Format::Yaml
                | Format::Regex
                | Format::Ipv4Range
                | Format::CidrNetwork
                | Format::DateTime
                | Format::Time
                | Format::Hostname
        )
    }

    /// Whether the pattern of the format matches.
    fn matches(self, text: &str) -> bool {
        self.pattern().is_some_and(|pattern| pattern.is_match(text))
    }

    /// The pattern of the format, or of a superset; compiled once.
    fn pattern(self) -> Option<&'static Pattern> {
        static PATTERNS: [OnceLock<Option<Pattern>>; ROWS.len()] = [const { OnceLock::new() }; ROWS.len()];
        PATTERNS.get(self as usize)?.get_or_init(|| Pattern::new(&patterns::of(self)?).ok()).as_ref()
    }
}

/// The maximum number of characters of a host name.
const HOSTNAME: usize = 253;

/// Whether a prefix of this length leaves room for the characters that the host name still needs.
fn hostname_has_continuation(prefix: &str) -> bool {
    let needs = usize::from(prefix.is_empty() || prefix.ends_with(['.', '-']));
    prefix.len().saturating_add(needs) <= HOSTNAME
}

impl std::str::FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Format> {
        let row = ROWS.iter().find(|row| row.name == name || row.aliases.contains(&name));
        row.map(|row| row.format).ok_or_else(|| {
            let names =
                ROWS.iter().flat_map(|row| std::iter::once(row.name).chain(row.aliases.iter().copied()));
            let hint = match nearest(name, names) {
                Some(near) => format!("; did you mean \"{near}\"?"),
                None => String::new(),
            };
            Error::new(Kind::NotFound, format!("there is no format \"{name}\"{hint}"))
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
