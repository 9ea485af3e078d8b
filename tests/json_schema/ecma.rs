//! Expressions of ECMAScript and those of this crate, each way.

use plantime::rule::json_schema::{Dialect, Reading, export, import};
use plantime::rule::{Pattern, Rule};
use plantime::{Type, TypeConstraint, Value, value};

/// The rule of a schema with this pattern, if it is supported.
fn imported(pattern: &str) -> Option<Rule> {
    let schema = value!({ "type": "string", "pattern": pattern }).unwrap();
    let import = import(&schema, Some(&Type::String), &Reading::default()).unwrap();
    import.unsupported.is_empty().then_some(import.rule)
}

#[test]
fn expressions_of_ecmascript_find_here_what_they_find_there() {
    for (pattern, found, not_found) in [
        (r"^\d$", &["5"][..], &["\u{663}", "a"][..]),
        (r"^[\da]$", &["5", "a"], &["\u{663}", "b"]),
        (r"^\D$", &["\u{663}", "a"], &["5"]),
        (r"^[^\d]$", &["\u{663}", "a"], &["5"]),
        (r"^\w$", &["a", "Z", "_", "9"], &["\u{e9}", "-"]),
        (r"^\W$", &["\u{e9}", "-"], &["a", "_"]),
        (r"^\s$", &[" ", "\u{feff}", "\u{a0}", "\n"], &["a"]),
        (r"^\S$", &["a"], &[" ", "\u{feff}"]),
        (r"^[^]$", &["a", "\n"], &["", "ab"]),
        (r"^[]$", &[], &["", "a"]),
        (r"^[a[b]$", &["a", "[", "b"], &["c"]),
        (r"^[&&]$", &["&"], &["a"]),
        (r"^[~a]$", &["~", "a"], &["b"]),
        (r"a\b", &["a", "x a-"], &["ab", ""]),
        (r"^[\b]$", &["\u{8}"], &["b"]),
        (r"^\cA$", &["\u{1}"], &["A", "cA"]),
        (r"^\x41\u0042\u{43}$", &["ABC"], &["abc"]),
        (r"^\uD83D\uDE00$", &["\u{1f600}"], &["\u{1f601}"]),
        (r"^\0$", &["\0"], &["0"]),
        (r"^\/\-\$\<$", &["/-$<"], &[""]),
        (r"^\n\r\t\f\v$", &["\n\r\t\u{c}\u{b}"], &["nrtfv"]),
        (r"^\p{Lu}$", &["A"], &["a"]),
        (r"^\p{Letter}$", &["A", "\u{e9}"], &["1"]),
        (r"^\p{Script=Greek}[\p{Script=Greek}x]$", &["\u{3b1}\u{3b1}", "\u{3b1}x"], &["aa"]),
        (r"^\p{Alphabetic}\P{Alphabetic}$", &["a1", "\u{345}1"], &["aa"]),
        (r"^[\p{White_Space}\P{ASCII}]$", &[" ", "\u{a0}", "\u{e9}"], &["a"]),
        (r"^\p{C}$", &["\u{ad}", "\u{378}"], &["a"]),
        (r"^a{2}\b$", &["aa"], &["a"]),
        (r"^(?:[a-z]{0,500}-){3}$", &["a-b--"], &["a-b-", "ab"]),
        (r"^a{,2}$", &["a{,2}"], &["a"]),
        (r"^[^a]$", &["b"], &["a"]),
    ] {
        let rule = imported(pattern).unwrap_or_else(|| panic!("{pattern}"));
        let passes = |text: &&str| rule.check_value(&Value::from(*text)).unwrap().is_pass();
        assert!(found.iter().all(passes), "{pattern}: {rule}");
        assert!(!not_found.iter().any(passes), "{pattern}: {rule}");
    }
    for pattern in [
        r"\q",
        r"\01",
        r"[a--b]",
        r"\c1",
        r"\x4",
        r"\u12",
        r"\uD83Dx",
        r"\uD83D\u0041",
        r"\u{110000}",
        r"\u{zz}",
        r"(?=a)",
        r"\1",
        r"[a",
        r"\",
    ] {
        assert_eq!(imported(pattern), None, "{pattern}");
    }
}

#[test]
fn expressions_of_this_crate_become_what_means_the_same_there() {
    let exported = |pattern: &str, dialect| {
        let rule = Rule::matches(pattern.parse::<Pattern>().unwrap());
        let schema = export(&TypeConstraint::from(Type::String), &rule, dialect).unwrap();
        schema.get(&"pattern".parse().unwrap()).ok().map(|pattern| pattern.as_str().unwrap().to_owned())
    };
    for (pattern, expected) in [
        (r"x\d", Some(r"x\d")),
        (r"[\dx]y", Some(r"[\dx]y")),
        (r"\D\S\s", Some(r"\D[^\t\n\f\r ][\t\n\f\r ]")),
        (r"[\s\w]x", Some(r"[\t\n\f\r \w]x")),
        (r"[\S]x", None),
        (r"[^\t-\r\x{85}\pZ]x", Some(r"[^\t-\r\u{85}\p{Z}]x")),
        (r"\pC+", None),
        (r"\p{Greek}+", None),
        (r"\ba+\B", Some(r"\ba+\B")),
        (r"a+{x}", Some(r"a+\{x\}")),
        (r"a+{,2}", Some(r"a+\{,2\}")),
        (r"\Aa+\z", Some(r"^a+$")),
        (r"[\-a]x", Some(r"[\-a]x")),
        (r"[^a]x", Some(r"[^a]x")),
        (r"[-a]x", Some(r"[-a]x")),
        (r"\@+", Some("@+")),
        (r"a.b", Some(r"a[^\n]b")),
        (r"[.]x", Some(r"[.]x")),
        (r"(?:ab)+", Some(r"(?:ab)+")),
        (r"a{2}x", Some(r"a{2}x")),
        (r"a{2,}x", Some(r"a{2,}x")),
        (r"a]+", Some(r"a\]+")),
        (r"a}+", Some(r"a\}+")),
        (r"\n+\t", Some(r"\n+\t")),
        (r"(?i)a", None),
        (r"(?P<n>a)", None),
        (r"[[a]b]", None),
        (r"[]a]", None),
        (r"[a&&b]", None),
        (r"[+--b]", None),
        (r"\x41+", None),
        (r"\w+", Some(r"\w+")),
    ] {
        assert_eq!(exported(pattern, Dialect::JsonSchema).as_deref(), expected, "{pattern}");
    }
    assert_eq!(exported(r"\S+", Dialect::OpenApi).as_deref(), Some(r"[^\t\n\f\r ]+"));
    assert_eq!(exported(r"x\d", Dialect::OpenApi).as_deref(), Some(r"x\d"));
}
