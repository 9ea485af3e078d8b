//! `url` and `cidr_network` held against a second reading of the standards, on every text that begins in one of some
//! ways and goes on with up to three characters, and on all that those may become.

use std::net::{Ipv4Addr, Ipv6Addr};

use plantime::rule::{Networks, Rule, Schemes};
use plantime::{Refinement, Type, Value};

use crate::laws::{Word, word};

/// All texts of up to so many letters.
fn texts(alphabet: &str, length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = last
            .iter()
            .flat_map(|text| alphabet.chars().map(move |letter| format!("{text}{letter}")))
            .collect();
        all.extend(last.clone());
    }
    all
}

fn begins(prefix: &str) -> Value {
    Value::refined(Type::String, Refinement::prefix(prefix).and_not_null()).unwrap()
}

/// The rule on each text and on each as a beginning: exactly what the meaning says, beginnings held against all that
/// they may go on with. Where `exact` says no, a beginning may stay open though nothing completes it.
fn hold(
    rule: &Rule,
    starts: &[&str],
    alphabet: &str,
    ends: &[String],
    means: impl Fn(&str) -> bool,
    exact: impl Fn(&str) -> bool,
) {
    let (mut known, mut completed, mut refused, mut open) = (0_usize, 0_usize, 0_usize, 0_usize);
    let tails = texts(alphabet, 3);
    for prefix in starts.iter().flat_map(|start| tails.iter().map(move |tail| format!("{start}{tail}"))) {
        let holds = means(&prefix);
        assert_eq!(
            word(rule, &Value::from(prefix.as_str())),
            if holds { Word::Pass } else { Word::Fail },
            "{rule} on {prefix:?}"
        );
        known += 1;
        let ending = ends.iter().find(|end| means(&format!("{prefix}{end}")));
        match (word(rule, &begins(&prefix)), ending) {
            (Word::Undetermined, Some(end)) => {
                completed += 1;
                // What completes it for us completes it for the rule.
                assert_eq!(
                    word(rule, &Value::from(format!("{prefix}{end}"))),
                    Word::Pass,
                    "{rule} on {prefix}{end}"
                );
            }
            (Word::Fail, None) => refused += 1,
            (Word::Undetermined, None) => {
                assert!(!exact(&prefix), "{rule} on {prefix:?} should fail");
                open += 1;
            }
            (answer, ending) => {
                panic!("{rule} on what begins with {prefix:?} is {answer:?}, with {ending:?} an end")
            }
        }
    }
    println!(
        "{rule}: {known} texts and beginnings, {completed} completed, {refused} refused, {open} left open"
    );
    assert!(completed > 20 && refused > 20);
}

fn escapes_and(text: &str, allowed: impl Fn(char) -> bool) -> bool {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '%' if rest.get(1..3).is_some_and(|hex| hex.chars().all(|digit| digit.is_ascii_hexdigit())) => 3,
            letter if letter != '%' && allowed(letter) => letter.len_utf8(),
            _ => return false,
        };
        rest = &rest[length..];
    }
    true
}

fn plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-._~!$&'()*+,;=".contains(letter)
}

/// RFC 3986 with an authority whose host is not empty.
fn is_url(text: &str, schemes: &[&str]) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let Some(rest) = rest.strip_prefix("//") else { return false };
    let well_formed = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    if !well_formed || !schemes.is_empty() && !schemes.iter().any(|one| one.eq_ignore_ascii_case(scheme)) {
        return false;
    }
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let in_path = |letter| plain(letter) || ":@/".contains(letter);
    if !escapes_and(path, in_path)
        || ![query, fragment]
            .into_iter()
            .all(|part| escapes_and(part, |letter| in_path(letter) || letter == '?'))
    {
        return false;
    }
    let (user, host) = authority.split_once('@').unwrap_or(("", authority));
    if !escapes_and(user, |letter| plain(letter) || letter == ':') {
        return false;
    }
    let port = |text: &str| {
        text.is_empty()
            || text.strip_prefix(':').is_some_and(|port| port.chars().all(|digit| digit.is_ascii_digit()))
    };
    match host.strip_prefix('[') {
        Some(literal) => literal.split_once(']').is_some_and(|(address, rest)| {
            let future = || {
                let (version, name) = address.strip_prefix('v')?.split_once('.')?;
                let hex = !version.is_empty() && version.chars().all(|digit| digit.is_ascii_hexdigit());
                let named = !name.is_empty() && name.chars().all(|letter| plain(letter) || letter == ':');
                (hex && named).then_some(())
            };
            (address.parse::<Ipv6Addr>().is_ok() || future().is_some()) && port(rest)
        }),
        None => {
            let (name, rest) = host.split_at(host.find(':').unwrap_or(host.len()));
            !name.is_empty() && escapes_and(name, plain) && port(rest)
        }
    }
}

/// RFC 4632 and 4291: an address without bits after the first so many.
fn is_network(text: &str, least: u32, most: u32) -> bool {
    let Some((address, bits)) = text.split_once('/') else { return false };
    let plain = bits == "0" || !bits.starts_with('0');
    let Some(bits) =
        bits.parse::<u32>().ok().filter(|_| plain && bits.chars().all(|digit| digit.is_ascii_digit()))
    else {
        return false;
    };
    let empty = |address: u128, width: u32| {
        bits <= width && (bits..width).all(|bit| address & (1 << (width - 1 - bit)) == 0)
    };
    let network = match (address.parse::<Ipv4Addr>(), address.parse::<Ipv6Addr>()) {
        (Ok(address), _) => empty(u128::from(u32::from(address)), 32),
        (_, Ok(address)) => empty(address.into(), 128),
        _ => false,
    };
    network && (least..=most).contains(&bits)
}

#[test]
fn a_url_is_what_the_standard_says_and_fails_as_soon_as_it_can_be_none() {
    let ends = [
        "",
        "a",
        "b://a",
        "://a",
        "//a",
        "/a",
        ":a",
        "a://a",
        "ab://a",
        "]",
        "1]",
        ":1]",
        "::]",
        "::1]",
        ":]",
        "a]",
        ".a]",
        "1.a]",
        "v1.a]",
        "11",
        "1",
        "1a",
        "1]",
        "11]",
        "1::]",
        "@a",
        "1@a",
        "11@a",
        "]:1",
        "1:1]",
        "1:1:1:1:1]",
    ];
    let mut ends: Vec<String> = ends.map(str::to_owned).to_vec();
    // What is left of an address of eight groups.
    ends.extend((1..8).flat_map(|groups| {
        let rest = vec!["1"; groups].join(":");
        [format!("{rest}]"), format!(":{rest}]")]
    }));
    let starts = [
        "", "a", "aB:", "a://", "ab://b", "a://[", "a://[1:", "a://[v1", "a://b:", "a://b@", "a://b/",
        "a://b?",
    ];
    for schemes in [&["a", "ab"][..], &[]] {
        let rule = Rule::url(Schemes::new(schemes.iter().copied()).unwrap());
        hold(&rule, &starts, "ab1:/@[]%?# ", &ends, |text| is_url(text, schemes), |_| true);
    }
}

#[test]
fn a_network_is_what_the_standard_says_and_fails_as_soon_as_it_can_be_none() {
    let starts =
        ["", "1", "10.0.", "10.0.0", "128.0.0.0", "128.0.0.0/", "255.255.", "10.0.0.1", "::", "8::", "1::/"];
    let tails =
        ["", "0", ".0", ".0.0", ".0.0.0", "0.0", "0.0.0", "0.0.0.0", "::", ":", ":0:0:0:0:0:0:0", ":0"];
    for (least, most) in [(8, 24), (0, 32), (31, 128), (0, 0), (33, 64)] {
        let bits = (least..=most).chain([0, 9, 33]);
        let mut ends: Vec<String> = bits.clone().map(|bits| bits.to_string()).collect();
        ends.extend((0..10).map(|digit| digit.to_string()));
        ends.push(String::new());
        ends.extend(tails.iter().flat_map(|tail| bits.clone().map(move |bits| format!("{tail}/{bits}"))));
        let rule = Rule::cidr_network(Networks::new(least as u8, most as u8).unwrap());
        let means = |text: &str| is_network(text, least, most);
        // Of an IPv6 address, and of what may become one, it is not seen that it is none of a network.
        let may_be_ipv6 =
            |prefix: &str| prefix.contains(':') || prefix.chars().all(|digit| digit.is_ascii_hexdigit());
        hold(&rule, &starts, "0128./:f", &ends, means, |prefix| !may_be_ipv6(prefix));
    }
}
