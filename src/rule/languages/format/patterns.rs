//! Regular expressions of the formats that are regular, and supersets of some others.

use super::Format;
use super::cidr;

/// A number from 0 to 255.
const OCTET: &str = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
/// A label of a host name.
const LABEL: &str = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

/// The expression of URLs with a host and one of these schemes, or any scheme if there are none.
pub(in crate::rule) fn url_of(schemes: &[String]) -> String {
    let any = "[A-Za-z][A-Za-z0-9+.-]*".to_owned();
    let names: Vec<String> = schemes.iter().map(|name| regex_syntax::escape(name)).collect();
    let scheme = if names.is_empty() { any } else { format!("(?i:{})", names.join("|")) };
    let (segment, authority, rest) = (segment(), authority('+'), query_and_fragment());
    format!(r"\A{scheme}://{authority}(?:/{segment}*)*{rest}\z")
}

/// The expression of networks whose prefix has `least` to `most` bits. For IPv6 it does not check that the other
/// address bits are zero.
pub(in crate::rule) fn networks_of(least: u8, most: u8) -> String {
    let bits: Vec<String> = (least..=most).map(|bits| bits.to_string()).collect();
    let v6 = format!("{}/(?:{})", ipv6(), bits.join("|"));
    if least > 32 {
        return format!(r"\A(?:{v6})\z");
    }
    let v4 = cidr::networks(least.into(), most.min(32).into());
    format!(r"\A(?:{v4}|{v6})\z")
}

/// The expression of a format, or of a superset if the format is not regular; `None` if that would accept everything.
pub(super) fn of(format: Format) -> Option<String> {
    let body = match format {
        Format::Uuid => "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}".to_owned(),
        Format::Ipv4 => ipv4(),
        Format::Ipv6 => ipv6(),
        Format::Ip => format!("(?:{}|{})", ipv4(), ipv6()),
        Format::Cidr => {
            format!("(?:{}/(?:3[0-2]|[12]?[0-9])|{}/(?:12[0-8]|1[01][0-9]|[1-9]?[0-9]))", ipv4(), ipv6())
        }
        Format::CidrNetwork => {
            let v4 = cidr::networks(0, 32);
            format!("(?:{v4}|{}/(?:12[0-8]|1[01][0-9]|[1-9]?[0-9]))", ipv6())
        }
        Format::Mac => mac(),
        Format::Port => PORT.to_owned(),
        Format::PortOrZero => format!("(?:0|{PORT})"),
        Format::Date => date(),
        Format::Time => time(),
        Format::DateTime => format!("{}[Tt]{}", date(), time()),
        Format::DayOfWeek => "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day".to_owned(),
        Format::Month => {
            "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
                .to_owned()
        }
        Format::Hostname => format!(r"{LABEL}(?:\.{LABEL})*"),
        Format::Email => email(),
        Format::Uri => uri(),
        Format::UriReference => format!("(?:{}|{})", uri(), relative_reference()),
        Format::Quantity => {
            r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?".to_owned()
        }
        Format::Base64 => base64(),
        Format::Ipv4Range | Format::Json | Format::Yaml | Format::Regex => return None,
    };
    Some(format!(r"\A(?:{body})\z"))
}

/// A number from 1 to 65535.
const PORT: &str = "(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})";

/// Four octets.
fn ipv4() -> String {
    format!(r"(?:{OCTET}\.){{3}}{OCTET}")
}

/// The grammar of RFC 3986 section 3.2.2, which has the addresses of RFC 4291.
fn ipv6() -> String {
    let group = "[0-9A-Fa-f]{1,4}";
    let last = format!("(?:{group}:{group}|{})", ipv4());
    let mut forms = vec![format!("(?:{group}:){{6}}{last}"), format!("::(?:{group}:){{5}}{last}")];
    for before in 0..=4_usize {
        // At most `before` groups before `::`, and `after` groups between it and the last two.
        let after = 4_usize.saturating_sub(before);
        forms.push(format!("(?:(?:{group}:){{0,{before}}}{group})?::(?:{group}:){{{after}}}{last}"));
    }
    forms.push(format!("(?:(?:{group}:){{0,5}}{group})?::{group}"));
    forms.push(format!("(?:(?:{group}:){{0,6}}{group})?::"));
    format!("(?:{})", forms.join("|"))
}

/// 6, 8 or 20 octets with separators.
fn mac() -> String {
    let pair = "[0-9A-Fa-f]{2}";
    let quad = "[0-9A-Fa-f]{4}";
    let mut forms = Vec::new();
    for octets in [6_usize, 8, 20] {
        let (rest, quads) = (octets.saturating_sub(1), (octets / 2).saturating_sub(1));
        forms.push(format!("{pair}(?::{pair}){{{rest}}}"));
        forms.push(format!("{pair}(?:-{pair}){{{rest}}}"));
        forms.push(format!(r"{quad}(?:\.{quad}){{{quads}}}"));
    }
    format!("(?:{})", forms.join("|"))
}

/// RFC 3339 full-date, with the days of each month.
fn date() -> String {
    let day = |last: &str| format!("(?:0[1-9]|{last})");
    let long = format!("(?:0[13578]|1[02])-{}", day("[12][0-9]|3[01]"));
    let short = format!("(?:0[469]|11)-{}", day("[12][0-9]|30"));
    let february = format!("02-{}", day("1[0-9]|2[0-8]"));
    // Leap years: every fourth year, but of the centuries only every fourth.
    let fourth = "(?:0[48]|[2468][048]|[13579][26])";
    let leap = format!("(?:[0-9]{{2}}{fourth}|(?:00|{fourth})00)");
    format!("(?:[0-9]{{4}}-(?:{long}|{short}|{february})|{leap}-02-29)")
}

/// RFC 3339 full-time. `:60` is accepted in every minute; a later check restricts leap seconds.
fn time() -> String {
    let hour = "(?:[01][0-9]|2[0-3])";
    format!(r"{hour}:[0-5][0-9]:(?:[0-5][0-9]|60)(?:\.[0-9]+)?(?:[Zz]|[+-]{hour}:[0-5][0-9])")
}

/// RFC 5321 section 4.1.2. The length limits of its section 4.5.3.1 are not checked.
fn email() -> String {
    let atom = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
    let quoted = r#""(?:[ !#-\[\]-~]|\\[ -~])*""#;
    let literal = format!(r"\[(?:{}|IPv6:{})\]", ipv4(), ipv6());
    format!(r"(?:{atom}(?:\.{atom})*|{quoted})@(?:{LABEL}(?:\.{LABEL})*|{literal})")
}

/// A percent escape.
const ESCAPED: &str = "%[0-9A-Fa-f]{2}";

/// A path segment of RFC 3986.
fn segment() -> String {
    format!(r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|{ESCAPED})")
}

/// The authority of RFC 3986: user, host and port. `name` is the repetition of the characters of a host name: `+`, or
/// `*` where it may be empty.
fn authority(name: char) -> String {
    let user = format!(r"(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|{ESCAPED})*@)?");
    let name = format!(r"(?:[A-Za-z0-9._~!$&'()*+,;=-]|{ESCAPED}){name}");
    let future = r"v[0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+";
    format!(r"{user}(?:\[(?:{}|{future})\]|{name})(?::[0-9]*)?", ipv6())
}

/// The optional query and fragment of RFC 3986.
fn query_and_fragment() -> String {
    let segment = segment();
    format!(r"(?:\?(?:{segment}|[/?])*)?(?:#(?:{segment}|[/?])*)?")
}

/// A URI of RFC 3986, with a scheme.
fn uri() -> String {
    let (segment, authority, rest) = (segment(), authority('*'), query_and_fragment());
    let path = format!(
        "(?://{authority}(?:/{segment}*)*|/(?:{segment}+(?:/{segment}*)*)?|{segment}+(?:/{segment}*)*|)"
    );
    format!("[A-Za-z][A-Za-z0-9+.-]*:{path}{rest}")
}

/// A relative reference of RFC 3986.
fn relative_reference() -> String {
    let (segment, authority, rest) = (segment(), authority('*'), query_and_fragment());
    let first = format!(r"(?:[A-Za-z0-9._~!$&'()*+,;=@-]|{ESCAPED})+");
    format!(
        "(?://{authority}(?:/{segment}*)*|/(?:{segment}+(?:/{segment}*)*)?|{first}(?:/{segment}*)*|){rest}"
    )
}

/// Padded base64 of the standard alphabet, with line ends anywhere.
fn base64() -> String {
    let (digit, skip) = ("[A-Za-z0-9+/]", r"[\r\n]*");
    let one = format!("{digit}{skip}");
    let pad = format!("={skip}");
    format!("{skip}(?:(?:{one}){{4}})*(?:(?:{one}){{4}}|(?:{one}){{3}}{pad}|(?:{one}){{2}}(?:{pad}){{2}})")
}
