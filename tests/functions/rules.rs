//! The functions that only rules have.

use plantime::Value;
use plantime::function::Functions;

fn call(name: &str, arguments: &[Value]) -> Result<Value, String> {
    Functions::rules().call(name, arguments).map_err(|error| error.to_string())
}

#[test]
fn rules_have_the_functions_of_the_languages_and_three_more() {
    let names = |functions: &'static Functions| functions.iter().map(|function| function.name().to_owned());
    let standard: Vec<String> = names(Functions::standard()).collect();
    let more: Vec<String> = names(Functions::rules()).filter(|name| !standard.contains(name)).collect();
    assert_eq!(more, ["cidroverlaps", "versioncmp", "versionmatches"]);
    assert_eq!(Functions::rules().len(), standard.len() + 3);
}

/// Versions in ascending order; those of one row are equal.
const VERSIONS: &[&[&str]] = &[
    &["0.0.1"],
    &["0.9", "v0.9.0", "00.09.00"],
    &["1.0.0-1", "1.0-1"],
    &["1.0.0-2"],
    &["1.0.0-alpha", "1.0-alpha", "1.0alpha"],
    &["1.0.0-alpha.1"],
    &["1.0.0-beta.2"],
    &["1.0.0-beta.11"],
    &["1.0.0-rc.1"],
    &["1", "1.0", "1.0.0", "1.0.0+build"],
    &["1.0.0.1"],
    &["1.2"],
    &["1.10.0"],
    &["9223372036854775807.0.0"],
];

#[test]
fn versions_are_ordered_as_terraform_orders_them() {
    for (i, row) in VERSIONS.iter().enumerate() {
        for (j, other) in VERSIONS.iter().enumerate() {
            for a in *row {
                for b in *other {
                    let expected = Value::from(i.cmp(&j) as i8 as i32);
                    assert_eq!(call("versioncmp", &[(*a).into(), (*b).into()]), Ok(expected), "{a} and {b}");
                }
            }
        }
    }
    for wrong in [
        "",
        "1.",
        ".1",
        "1..2",
        "1.x",
        " 1",
        "1 ",
        "1.0.0-",
        "v",
        "vv1",
        "1.0.0-a..b",
        "1.0+",
        "9223372036854775808",
    ] {
        // A hyphen alone is a prerelease.
        let is_version = wrong == "1.0.0-";
        assert_eq!(call("versioncmp", &[wrong.into(), "1".into()]).is_ok(), is_version, "{wrong:?}");
    }
    assert!(call("versioncmp", &[Value::null(plantime::Type::String), "1".into()]).is_err());
}

#[test]
fn constraints_mean_what_terraform_means_by_them() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("1.2.3", &["1.2.3", "v1.2.3", "1.2.3+x"], &["1.2.4", "1.2.3-rc1"]),
        ("= 1.2", &["1.2.0"], &["1.2.1"]),
        ("!= 1.2", &["1.2.1", "1.2.0-rc1"], &["1.2"]),
        (">1.2", &["1.2.1", "2"], &["1.2.0", "1.3.0-rc1"]),
        (">= 1.2, < 2.0.0", &["1.2", "1.9.9"], &["2.0.0", "1.1", "2.0.0-rc1"]),
        ("<= 1.2", &["1.2.0", "0"], &["1.2.1"]),
        ("~> 1.2", &["1.2", "1.9", "1.99.0"], &["2.0", "1.1", "1.3-rc1"]),
        ("~> 1.2.3", &["1.2.3", "1.2.10"], &["1.3.0", "1.2.2"]),
        ("~> 1.2.3-beta", &["1.2.3-beta", "1.2.3-rc"], &["1.2.3", "1.2.4", "1.2.3-alpha"]),
        (">= 1.0.0-beta", &["1.0.0-rc", "1.0.0", "2.0"], &["1.0.0-alpha", "1.1.0-rc"]),
        ("\t>=  1.0 ", &["1.0"], &["0.9"]),
    ];
    for (constraint, met, missed) in cases {
        for (versions, expected) in [(met, true), (missed, false)] {
            for version in *versions {
                let answer = call("versionmatches", &[(*version).into(), (*constraint).into()]);
                assert_eq!(answer, Ok(expected.into()), "{version} {constraint}");
            }
        }
    }
    for wrong in ["", ">=", "=> 1", "== 1", ">= 1,", "1 2", ">= 1.x", "latest"] {
        assert!(call("versionmatches", &["1".into(), wrong.into()]).is_err(), "{wrong:?}");
    }
}

#[test]
fn overlapping_networks_are_found_in_pairs() {
    let pairs = |networks: &[&str]| {
        call("cidroverlaps", &[Value::list(networks.iter().copied()).unwrap()]).map(|pairs| pairs.to_string())
    };
    assert_eq!(
        pairs(&["10.0.4.0/24", "10.1.0.0/16", "10.0.0.0/16", "10.0.4.0/25", "::ffff:10.1.2.0/120", "a::/16"]),
        Ok("[[\"10.0.4.0/24\", \"10.0.0.0/16\"], [\"10.0.4.0/24\", \"10.0.4.0/25\"], [\"10.1.0.0/16\", \"::ffff:10.1.2.0/120\"], \
            [\"10.0.0.0/16\", \"10.0.4.0/25\"]]"
            .to_owned())
    );
    assert_eq!(pairs(&["0.0.0.0/0", "::/0"]), Ok("[]".to_owned()));
    assert_eq!(pairs(&["10.0.0.0/8", "10.0.0.0/8"]).unwrap().matches("10.0.0.0/8").count(), 2);
    assert!(pairs(&["10.0.0.0"]).is_err());
    let many: Vec<String> = (0..2_000).map(|_| "10.0.0.0/8".to_owned()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert!(pairs(&many).unwrap_err().contains("pairs of networks overlap"));
}

/// Against all pairs one by one.
#[test]
fn pairs_of_networks_are_those_of_a_search() {
    let mut state = 3_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..300 {
        let networks: Vec<(u64, u64)> = (0..8).map(|_| (draw(8) * 32, 24 + draw(9))).collect();
        let texts: Vec<String> =
            networks.iter().map(|(last, length)| format!("10.0.0.{last}/{length}")).collect();
        let range = |(last, length): (u64, u64)| {
            let size = 1_u64 << (32 - length);
            let first = last / size * size;
            first..first + size
        };
        let mut expected = Vec::new();
        for i in 0..networks.len() {
            for j in i + 1..networks.len() {
                let (a, b) = (range(networks[i]), range(networks[j]));
                if a.start < b.end && b.start < a.end {
                    expected.push(Value::list([texts[i].as_str(), texts[j].as_str()]).unwrap());
                }
            }
        }
        let found = call("cidroverlaps", &[Value::list(texts.iter().map(String::as_str)).unwrap()]).unwrap();
        let plantime::View::List(found) = found.view() else { panic!() };
        assert_eq!(found.as_slice(), expected.as_slice(), "{texts:?}");
    }
}
