use super::Format;

const ACCEPTED: &[(Format, &[&str], &[&str])] = &[
    (
        Format::Uuid,
        &["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"],
        &[
            "",
            "123e4567e89b12d3a456426614174000",
            "123e4567-e89b-12d3-a456-42661417400g",
            "{123e4567-e89b-12d3-a456-426614174000}",
        ],
    ),
    (
        Format::Ipv4,
        &["0.0.0.0", "255.255.255.255", "10.20.30.40"],
        &["", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.4 ", "::1", "::ffff:1.2.3.4"],
    ),
    (
        Format::Ipv6,
        &[
            "::",
            "::1",
            "1::",
            "1:2:3:4:5:6:7:8",
            "1:2:3:4:5:6:7::",
            "::ffff:1.2.3.4",
            "1:2:3:4:5:6:1.2.3.4",
            "fe80::A",
        ],
        &[
            "",
            ":",
            ":::",
            "1::2::3",
            "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
            "12345::",
            "fe80::1%eth0",
            "1.2.3.4",
            "::1.2.3",
        ],
    ),
    (Format::Ip, &["1.2.3.4", "::1"], &["", "a", "1.2.3.4/8"]),
    (
        Format::Ipv4Range,
        &["1.2.3.4-1.2.3.4", "1.2.3.4-1.2.4.0"],
        &["", "1.2.3.4", "1.2.3.4-1.2.3.3", "1.2.3.4 - 1.2.3.5", "::1-::2"],
    ),
    (
        Format::Cidr,
        &["10.0.0.0/8", "10.1.2.3/8", "0.0.0.0/0", "::/0", "2001:db8::/128"],
        &["", "10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/08", "10.0.0.0/"],
    ),
    (
        Format::CidrNetwork,
        &["10.0.0.0/8", "10.1.2.3/32", "0.0.0.0/0", "10.128.0.0/9", "::/0", "2001:db8::/32"],
        &["", "10.1.2.3/8", "0.0.0.1/0", "10.64.0.0/9", "2001:db8::1/32"],
    ),
    (
        Format::Mac,
        &[
            "00:11:22:33:44:55",
            "00-11-22-33-44-55",
            "0011.2233.4455",
            "00:11:22:33:44:55:66:77",
            "aa:BB:22:33:44:55",
        ],
        &["", "00:11:22:33:44", "00:11:22-33:44:55", "001122334455", "0011.2233", "00:11:22:33:44:5g"],
    ),
    (Format::Port, &["1", "80", "65535", "9999"], &["", "0", "65536", "080", "-1", "80.0", "100000"]),
    (Format::PortOrZero, &["0", "65535"], &["", "00", "65536"]),
    (
        Format::DateTime,
        &[
            "2024-02-29T12:34:56Z",
            "2000-02-29t00:00:00z",
            "1985-04-12T23:20:50.52Z",
            "1996-12-19T16:39:57-08:00",
            "1998-12-31T23:59:60Z",
            "1998-12-31T15:59:60.123-08:00",
            "1990-12-31T23:59:60+00:00",
            "1999-01-01T00:59:60+01:00",
        ],
        &[
            "",
            "2023-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2024-13-01T00:00:00Z",
            "2024-04-31T00:00:00Z",
            "2024-04-30 00:00:00Z",
            "2024-04-30T24:00:00Z",
            "2024-04-30T00:00:00",
            "2024-04-30T00:00Z",
            "1998-12-31T23:58:60Z",
            "1998-12-31T22:59:60Z",
            "1998-12-31T23:59:61Z",
            "2024-04-30T0:00:00Z",
        ],
    ),
    (Format::Date, &["2024-02-29", "0000-02-29"], &["", "2100-02-29", "2024-2-29", "24-02-29"]),
    (
        Format::Time,
        &["12:34:56Z", "12:34:56.7+01:30", "23:59:60Z"],
        &["", "12:34:56", "12:34Z", "22:59:60Z", "24:00:00Z"],
    ),
    (Format::DayOfWeek, &["Monday", "Sunday"], &["", "monday", "Mon", "Monday "]),
    (Format::Month, &["May", "December"], &["", "may", "Dec"]),
    (
        Format::Hostname,
        &["a", "example.com", "1.2.3.4", "xn--abc", "a-b"],
        &["", ".", "a.", "-a", "a-", "a..b", "a_b", "ä"],
    ),
    (
        Format::Email,
        &[
            "joe@example.com",
            "a.b+c@x",
            "\"joe bloggs\"@example.com",
            "joe@[127.0.0.1]",
            "joe@[IPv6:::1]",
            "te~st@example.com",
        ],
        &["", "joe", "@x", "joe@", ".a@x", "a.@x", "a..b@x", "joe@[300.0.0.1]", "joe bloggs@x", "joe@-x"],
    ),
    (
        Format::Uri,
        &[
            "http://foo.bar/?baz=qux#quux",
            "urn:oasis:names",
            "mailto:a@b.c",
            "http://[::1]:80/",
            "tel:+1",
            "http:",
            "file:///a",
            "http://a/%20",
        ],
        &[
            "",
            "//a/b",
            "a/b",
            "\\\\a",
            "http://a b",
            "http://[::1",
            "http://a/%2",
            "1a:b",
            ":a",
            "http://a/<>",
        ],
    ),
    (
        Format::UriReference,
        &["", "//a/b", "a/b", "#f", "?q", "./a:b", "http://a", "abc"],
        &["\\\\a", "#f\\g", "a b", "1a:b"],
    ),
    (
        Format::Quantity,
        &["10Gi", "5M", "100m", "1e3", "1E3", "1E", "+1.5", ".5", "5.", "-1", "12n", "3u", "1k", "0"],
        &["", ".", "1K", "1 Gi", "Gi", "1e", "1e1.5", "1Gi0", "1mi"],
    ),
    (
        Format::Base64,
        &["YQ==", "YWI=", "YWJj", "YWJjZA==", "YW\nJj", "+/+/"],
        &["", "YQ", "YQ=", "Y===", "YQ==YQ==", "Y-Q=", "=", "YWJjZ", "\n"],
    ),
    (
        Format::Json,
        &[
            "1",
            " {\"a\":[1,-2.5e+3,null]} ",
            "\"\\u00e9\\n\"",
            "[]",
            "{}",
            "0",
            "-0",
            "true",
            "[[[]]]",
            "\"é\"",
        ],
        &[
            "",
            "01",
            "{a:1}",
            "[1,]",
            "{\"a\":1,}",
            "nul",
            "1 2",
            "\"",
            "\"\\x\"",
            "\"\t\"",
            "-",
            "1.",
            "1e",
            "[",
            "]",
            "{\"a\"}",
            "'a'",
            "+1",
        ],
    ),
    (
        Format::Yaml,
        &[
            "",
            "a",
            "a: 1\nb:\n  - x\n  - {c: [1, 2]}\n",
            "--- a\n--- b\n...\n",
            "# nothing\n",
            "{\"a\": [1, null]}",
            "a: &x {b: 1}\nc: *x\n",
            "text: |\n  one\n  two\n",
            "\"\\u00e9\\n\"",
            "? [a, b]\n: c\n",
            "!!str 1",
            "a: 1\na: 2\n",
            "é: \u{85}",
        ],
        &[
            "a: b: c",
            "[1, 2",
            "{a: 1",
            "a: 1\n b: 2\n",
            "\"a",
            "'a",
            "*x",
            "- a\nb: c",
            "@a",
            "`a",
            "%YAML 1.2\n%YAML 1.2\n--- a",
            "\u{0}",
            "a\u{1}",
            "\u{7f}",
            "a: \u{ffff}",
            "\"\\q\"",
            "]",
        ],
    ),
    (Format::Regex, &["", "a+", "^[a-z]$"], &["a(", "[", "*", "a{2,1}"]),
];

#[test]
fn each_format_accepts_what_it_says() {
    for (format, accepted, refused) in ACCEPTED {
        for text in *accepted {
            assert!(format.accepts(text), "{format} accepts {text:?}");
        }
        for text in *refused {
            assert!(!format.accepts(text), "{format} refuses {text:?}");
        }
    }
    for format in Format::all() {
        assert!(ACCEPTED.iter().any(|(row, ..)| *row == format), "{format} has no examples");
    }
}

/// Every beginning of what is accepted can go on; where it cannot, that is told at once.
#[test]
fn beginnings_are_decided_soundly() {
    for (format, accepted, refused) in ACCEPTED {
        for text in *accepted {
            for (place, _) in text.char_indices().chain([(text.len(), ' ')]) {
                assert_eq!(
                    format.contains_all_with_prefix(&text[..place]),
                    None,
                    "{format}: {:?}",
                    &text[..place]
                );
            }
        }
        // What goes on from a refused beginning is refused too.
        for text in *refused {
            if format.contains_all_with_prefix(text) == Some(false) {
                for rest in ["", "0", "a", "=", "}", ".1", "Z", ":00Z"] {
                    assert!(!format.accepts(&format!("{text}{rest}")), "{format}: {text:?} and {rest:?}");
                }
            }
        }
    }
    for (format, prefix) in [
        (Format::Uuid, "123e4567e"),
        (Format::Ipv4, "10.256"),
        (Format::Ipv4, "10.0.0.0/"),
        (Format::Ipv6, "1::2::"),
        (Format::Ip, "g"),
        (Format::Ipv4Range, "9.0.0.0-8."),
        (Format::Ipv4Range, "10.0.0.5-10.0.0."),
        (Format::Cidr, "10.0.0.0/4a"),
        (Format::CidrNetwork, "10.0.0.1/3"),
        (Format::Mac, "00:11-"),
        (Format::Port, "65536"),
        (Format::DateTime, "2023-02-29"),
        (Format::Month, "Jum"),
        (Format::Hostname, "a."),
        (Format::Email, "a b"),
        (Format::Uri, "/"),
        (Format::Quantity, "1Gib"),
        (Format::Base64, "YQ==Y"),
        (Format::Json, "{\"a\":}"),
        (Format::Json, "["),
        (Format::Yaml, "a: b: c, and so it goes on"),
        (Format::Yaml, "a\u{1}"),
        (Format::Yaml, "a: b: c"),
        (Format::Yaml, "[1"),
        (Format::Regex, "a("),
    ] {
        let open = matches!(
            (format, prefix),
            (Format::Ipv4Range, "10.0.0.5-10.0.0.")
                | (Format::CidrNetwork, _)
                | (Format::Hostname, "a.")
                | (Format::Json, "[")
                | (Format::Yaml, "a: b: c" | "[1")
                | (Format::Regex, _)
        );
        let expected = if open { None } else { Some(false) };
        assert_eq!(format.contains_all_with_prefix(prefix), expected, "{format}: {prefix:?}");
    }
    assert_eq!(Format::CidrNetwork.contains_all_with_prefix("10.0.0.1/2"), Some(false));
    assert_eq!(Format::Hostname.contains_all_with_prefix(&format!("{}a", "a.".repeat(126))), None);
    assert_eq!(Format::Hostname.contains_all_with_prefix(&"a.".repeat(127)), Some(false));
}

/// What the reader gives up on goes on to nothing: all texts of these pieces, against all that go on from them.
#[test]
fn beginnings_of_yaml_are_refused_soundly() {
    let pieces =
        ["a", ": ", "- ", "\n", "  ", "[", "]", "{", "}", ", ", "\"", "&x ", "*x", "|", "#", "\t", "%"];
    let mut texts: Vec<String> = vec![String::new()];
    let mut all = texts.clone();
    for _ in 0..4 {
        let longer = texts.iter().flat_map(|text| pieces.iter().map(move |piece| format!("{text}{piece}")));
        texts = longer.collect();
        all.extend(texts.iter().cloned());
    }
    let accepted: Vec<&String> = all.iter().filter(|text| Format::Yaml.accepts(text)).collect();
    for text in &accepted {
        for (place, _) in text.char_indices() {
            assert_eq!(Format::Yaml.contains_all_with_prefix(&text[..place]), None, "{text:?} at {place}");
        }
    }
    // More known never makes it less decided.
    let tail = "a: [x], some more text to look ahead into\n";
    let mut refused = 0;
    for text in &all {
        let longer = format!("{text}{tail}");
        if Format::Yaml.contains_all_with_prefix(text) == Some(false) {
            assert_eq!(Format::Yaml.contains_all_with_prefix(&longer), Some(false), "{text:?}");
        }
        if Format::Yaml.contains_all_with_prefix(&longer) == Some(false) {
            refused += 1;
            assert!(!Format::Yaml.accepts(text) || !Format::Yaml.accepts(&longer), "{text:?}");
            for rest in ["", "\n", "]", "}", "\"", "\"]}", ": b\n- c"] {
                assert!(!Format::Yaml.accepts(&format!("{longer}{rest}")), "{longer:?} and {rest:?}");
            }
        }
    }
    assert!(accepted.len() > 5_000 && refused > 5_000, "{} accepted, {refused} refused", accepted.len());
}

#[test]
fn yaml_nests_no_deeper_than_the_limit_and_follows_no_alias() {
    for (open, close) in [("[", "]"), ("{a: ", "}"), ("- ", "")] {
        let nested = |depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
        assert!(Format::Yaml.accepts(&nested(255)), "{open}");
        assert!(!Format::Yaml.accepts(&nested(256)), "{open}");
        assert_eq!(Format::Yaml.contains_all_with_prefix(&nested(300)), Some(false), "{open}");
        assert!(!Format::Yaml.accepts(&nested(200_000)), "{open}");
    }
    // Ten times ten, sixty times over: read as it is written.
    let mut text = "a0: &a0 [x]\n".to_owned();
    for i in 1..=60 {
        let before = format!("*a{}, ", i - 1).repeat(10);
        text.push_str(&format!("a{i}: &a{i} [{before}]\n"));
    }
    assert!(Format::Yaml.accepts(&text));
}

#[test]
fn networks_are_those_of_the_addresses() {
    for bits in 0..=32_u32 {
        let mask = u32::MAX.checked_shl(32 - bits).unwrap_or(0);
        for address in [0, u32::MAX, 0x0a14_1e28, 0x0a00_0000, 1, 1 << 31, 0xffff_0000] {
            for address in [address, address & mask] {
                let text = format!("{}/{bits}", core::net::Ipv4Addr::from_bits(address));
                let expected = address & mask == address;
                assert_eq!(Format::CidrNetwork.accepts(&text), expected, "{text}");
                let matched = Format::CidrNetwork.pattern().unwrap().is_match(&text);
                assert_eq!(matched, expected, "{text} by the automaton");
            }
        }
    }
}

/// Texts over the letters of addresses, against the standard library.
#[test]
fn addresses_are_those_of_the_standard_library() {
    let pieces = ["", ":", "::", "1", "12345", "f:", "1.2.3.4", "0", ".", "256", "a:b:c", "01"];
    let mut count = 0;
    for a in pieces {
        for b in pieces {
            for c in pieces {
                for d in pieces {
                    let text = format!("{a}{b}{c}{d}");
                    let (v4, v6) = (text.parse::<core::net::Ipv4Addr>(), text.parse::<core::net::Ipv6Addr>());
                    assert_eq!(Format::Ipv4.accepts(&text), v4.is_ok(), "{text}");
                    assert_eq!(Format::Ipv6.accepts(&text), v6.is_ok(), "{text}");
                    count += usize::from(v6.is_ok());
                }
            }
        }
    }
    assert!(count > 100, "{count}");
}

/// Of all formats that an automaton accepts, a beginning is refused exactly when no text goes on from it.
#[test]
fn formats_are_within_the_limits_of_automata() {
    for format in Format::all() {
        if let Some(pattern) = format.pattern() {
            assert_eq!(pattern.contains_all_with_prefix("\u{0}"), Some(false), "{format}");
        }
    }
}

#[test]
fn the_table_is_in_the_order_of_the_variants() {
    for format in Format::all() {
        assert_eq!(format.row().map(|row| row.format), Some(format));
    }
}

#[test]
fn names_are_unique_and_unknown_ones_get_a_hint() {
    let mut names: Vec<&str> =
        Format::all().flat_map(|format| format.aliases().iter().copied().chain([format.name()])).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    for name in names {
        let format: Format = name.parse().unwrap();
        assert!(format.name() == name || format.aliases().contains(&name));
        assert!(!format.noun().is_empty());
    }
    let error = "ipv5".parse::<Format>().unwrap_err();
    assert_eq!(error.to_string(), r#"there is no format "ipv5"; did you mean "ipv4"?"#);
}
