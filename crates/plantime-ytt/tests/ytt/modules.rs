//! The modules that `load("@ytt:NAME", ...)` finds: each function with its keywords, and what each refuses.

use plantime_ytt::Package;

/// The loads of all modules.
const LOADS: &str = "#@ load('@ytt:assert', 'assert')\n#@ load('@ytt:base64', 'base64')\n#@ load('@ytt:data', 'data')\n\
                     #@ load('@ytt:ip', 'ip')\n#@ load('@ytt:json', 'json')\n#@ load('@ytt:math', 'math')\n\
                     #@ load('@ytt:md5', 'md5')\n#@ load('@ytt:overlay', 'overlay')\n#@ load('@ytt:regexp', 'regexp')\n\
                     #@ load('@ytt:sha256', 'sha256')\n#@ load('@ytt:struct', 'struct')\n#@ load('@ytt:template', 'template')\n\
                     #@ load('@ytt:url', 'url')\n#@ load('@ytt:version', 'version')\n#@ load('@ytt:yaml', 'yaml')\n";

/// The value of an expression as Starlark writes it, or its error.
fn of(expression: &str) -> String {
    let template = format!("{LOADS}---\na: #@ repr({expression})\n");
    let json = Package::new().template("t.yml", &template).format(plantime_ytt::Format::Json).output().values;
    match json {
        Ok(json) => {
            let json: serde_json::Value = serde_json::from_str(&json).unwrap();
            json["a"].as_str().unwrap().to_owned()
        }
        Err(error) => {
            let text = error.to_string();
            let line = text.lines().find_map(|line| line.strip_prefix("- "));
            line.unwrap_or(&text).to_owned()
        }
    }
}

fn check(table: &[(&str, &str)]) {
    let wrong: Vec<String> = table
        .iter()
        .map(|(expression, wanted)| (expression, wanted, of(expression)))
        .filter(|(_, wanted, found)| found != *wanted)
        .map(|(expression, wanted, found)| format!("{expression}: {found}, wanted {wanted}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn base64_has_the_keywords_url_raw_and_strict() {
    check(&[
        ("base64.encode('a?>')", "\"YT8+\""),
        ("base64.encode('a?>', url=True)", "\"YT8-\""),
        ("base64.encode('a??', url=True)", "\"YT8_\""),
        ("base64.encode('a', raw=True)", "\"YQ\""),
        ("base64.encode('a', raw=False)", "\"YQ==\""),
        ("base64.encode('ab', url=True, raw=True)", "\"YWI\""),
        ("base64.decode('YT8+')", "\"a?>\""),
        ("base64.decode('YT8-', url=True)", "\"a?>\""),
        ("base64.decode('YT8-')", "base64.decode: illegal base64 data at input byte 3"),
        ("base64.decode('YT8+', url=True)", "base64.decode: illegal base64 data at input byte 3"),
        ("base64.decode('YQ', raw=True)", "\"a\""),
        ("base64.decode('YQ==', raw=True)", "base64.decode: illegal base64 data at input byte 2"),
        ("base64.decode('YQ')", "base64.decode: illegal base64 data at input byte 0"),
        ("base64.decode('YWJjYQ')", "base64.decode: illegal base64 data at input byte 4"),
        ("base64.decode('YWJjYQ=')", "base64.decode: illegal base64 data at input byte 7"),
        ("base64.decode('YQ=a')", "base64.decode: illegal base64 data at input byte 2"),
        ("base64.decode('YQ==YQ==')", "base64.decode: illegal base64 data at input byte 4"),
        ("base64.decode('=')", "base64.decode: illegal base64 data at input byte 0"),
        ("base64.decode('YR==')", "\"a\""),
        ("base64.decode('YR==', strict=True)", "base64.decode: illegal base64 data at input byte 2"),
        ("base64.decode('YQ==', strict=True)", "\"a\""),
        ("base64.decode('YW\\nJj\\r\\n')", "\"abc\""),
        ("base64.encode('a', url=1)", "base64.encode: expected starlark.Bool, but was starlark.Int"),
        (
            "base64.encode('a', utl=True)",
            "base64.encode: the keyword argument \"utl\" is not supported (did you mean \"url\"?)",
        ),
        ("base64.decode('a', x=True)", "base64.decode: the keyword argument \"x\" is not supported"),
    ]);
}

#[test]
fn json_escapes_and_has_the_keywords_indent_and_escape_html() {
    check(&[
        (
            "json.encode({'b': '<&>', 'a': 1})",
            "\"{\\\"a\\\":1,\\\"b\\\":\\\"\\\\u003c\\\\u0026\\\\u003e\\\"}\"",
        ),
        ("json.encode('<&>', escape_html=True)", "\"\\\"\\\\u003c\\\\u0026\\\\u003e\\\"\""),
        ("json.encode('<&>', escape_html=False)", "\"\\\"<&>\\\"\""),
        (
            "json.encode(json.decode('\"\\\\u0008\\\\u000c\\\\u0001\\\\u007f\"'))",
            "\"\\\"\\\\b\\\\f\\\\u0001\\x7f\\\"\"",
        ),
        ("json.encode([1], indent=2)", "\"[\\n  1\\n]\""),
        ("json.encode([1], indent=0)", "\"[1]\""),
        ("json.encode([1], indent=9)", "json.encode: indent value must be between 0 and 8"),
        ("json.encode([1], indent=-1)", "json.encode: indent value must be between 0 and 8"),
        ("json.encode([1], foo=1)", "json.encode: invalid argument name: foo"),
        ("json.encode([1], escape_html=1)", "json.encode: expected starlark.Bool, but was starlark.Int"),
        ("json.encode(0.000001)", "\"0.000001\""),
        ("json.decode('[1, 2.5, null, true, \"a\"]')", "[1, 2.5, None, True, \"a\"]"),
        ("json.decode('1', foo=1)", "json.decode: the keyword argument \"foo\" is not supported"),
        ("yaml.encode({'a': '12:30'})", "\"a: \\\"12:30\\\"\\n\""),
        ("yaml.decode('a: 0x1F')", "{\"a\": 31}"),
        ("yaml.decode('a: 1', foo=1)", "yaml.decode: the keyword argument \"foo\" is not supported"),
    ]);
}

#[test]
fn a_version_is_compared_with_that_of_ytt() {
    check(&[
        ("version.require_at_least('0.1.0')", "None"),
        ("version.require_at_least('0.48.0')", "None"),
        ("version.require_at_least('0.48.0-beta.1')", "None"),
        ("version.require_at_least('0.48.0+build')", "None"),
        (
            "version.require_at_least('0.48.1')",
            "version.require_at_least: ytt version '0.48.0' does not meet the minimum required version '0.48.1'",
        ),
        (
            "version.require_at_least('99.0.0-rc.1')",
            "version.require_at_least: ytt version '0.48.0' does not meet the minimum required version '99.0.0-rc.1'",
        ),
        ("version.require_at_least(1)", "version.require_at_least: expected a string, but was int"),
    ]);
    for version in
        ["x", "1", "1.2", "01.2.3", "1.2.3.4", "v1.2.3", "1.2.3-01", "1.2.3-", "1.2.3+", "1.2.3-a..b", ""]
    {
        let error = format!("version.require_at_least: version string '{version}' must be a valid semver");
        assert_eq!(of(&format!("version.require_at_least('{version}')")), error);
    }
}

#[test]
fn every_function_of_math_has_its_value() {
    check(&[
        ("math.ceil(1.2)", "2"),
        ("math.ceil(12345678901234567890123)", "12345678901234567890123"),
        ("math.floor(-1.2)", "-2"),
        ("math.floor(12345678901234567890123)", "12345678901234567890123"),
        ("math.copysign(3, -0.5)", "-3"),
        ("math.fabs(-3)", "3"),
        ("math.mod(-7, 3)", "-1"),
        ("math.pow(2, 10)", "1024"),
        ("math.remainder(7, 4)", "-1"),
        ("math.round(2.5)", "3"),
        ("math.round(-2.5)", "-3"),
        ("math.exp(0)", "1"),
        ("math.sqrt(9)", "3"),
        ("math.acos(1)", "0"),
        ("math.asin(1)", "1.5708"),
        ("math.atan(1)", "0.785398"),
        ("math.atan2(1, 1)", "0.785398"),
        ("math.cos(0)", "1"),
        ("math.hypot(3, 4)", "5"),
        ("math.sin(1)", "0.841471"),
        ("math.tan(1)", "1.55741"),
        ("math.degrees(math.pi)", "180"),
        ("math.radians(180)", "3.14159"),
        ("math.acosh(2)", "1.31696"),
        ("math.asinh(1)", "0.881374"),
        ("math.atanh(0.5)", "0.549306"),
        ("math.cosh(1)", "1.54308"),
        ("math.sinh(1)", "1.1752"),
        ("math.tanh(1)", "0.761594"),
        ("math.log(8, 2)", "3"),
        ("math.log(math.e)", "1"),
        ("math.gamma(5)", "24"),
        ("math.gamma(1)", "1"),
        ("math.gamma(171) > 7.257e306 and math.gamma(171) < 7.258e306", "True"),
        ("math.gamma(172)", "+Inf"),
        ("math.gamma(0.5)", "1.77245"),
        ("math.gamma(-0.5)", "-3.54491"),
        ("math.gamma(-1)", "NaN"),
        ("math.gamma(0)", "+Inf"),
        ("math.gamma(4.5)", "11.6317"),
        ("math.e", "2.71828"),
        ("math.ceil('a')", "math.ceil: for parameter 1: got string, want float or int"),
    ]);
}

#[test]
fn the_remainder_of_floats_has_the_sign_of_the_dividend() {
    check(&[
        ("7.5 % -2", "1.5"),
        ("-7.5 % 2", "-1.5"),
        ("7.5 % 2", "1.5"),
        ("-7.5 // 2", "-4"),
        ("-7 % 2", "1"),
        ("7 % -2", "-1"),
        ("-7 // 2", "-4"),
        ("7 % -2.0", "1"),
        ("1.0 % 0", "float modulo by zero"),
    ]);
}

#[test]
fn a_dict_names_each_key_once() {
    check(&[
        ("{'a': 1, 'a': 2}", "duplicate key: \"a\""),
        ("{1: 1, 1.0: 2}", "duplicate key: 1"),
        ("{'a': 1, 'b': 2}", "{\"a\": 1, \"b\": 2}"),
        ("dict([('a', 1), ('a', 2)])", "{\"a\": 2}"),
        ("{x: 1 for x in [1, 1]}", "{1: 1}"),
    ]);
}

#[test]
fn characters_have_the_kind_and_the_case_that_go_gives_them() {
    check(
        &[
            ("'²'.isdigit()", "False"),
            ("'٣1'.isdigit()", "True"),
            ("'½'.isdigit()", "False"),
            ("'Ⅷ'.isdigit()", "False"),
            ("'Ⅷ'.isalpha()", "False"),
            ("'Ⅷ'.isalnum()", "False"),
            ("'é日a'.isalpha()", "True"),
            ("'é1'.isalnum()", "True"),
            ("''.isdigit()", "False"),
            ("'ß'.upper()", "\"ß\""),
            ("'ﬁ'.upper()", "\"ﬁ\""),
            ("'ᾳ'.upper()", "\"ᾼ\""),
            ("'é'.upper()", "\"É\""),
            ("'ΑΣ'.lower()", "\"ας\".replace('ς', 'σ')"),
            ("'İ'.lower()", "\"i\""),
            ("'ǆa'.capitalize()", "\"ǅa\""),
            ("'ß a'.title()", "\"ß A\""),
            ("'aBC dE'.title()", "\"Abc De\""),
            ("'日a'.title()", "\"日A\""),
            ("'Ab Cd'.istitle()", "True"),
            ("'AB'.istitle()", "False"),
            ("'日'.islower()", "False"),
            ("'é'.islower()", "True"),
        ]
        .map(|(expression, wanted)| (expression, if wanted.contains("replace") { "\"ασ\"" } else { wanted })),
    );
}

#[test]
fn a_keyword_that_a_function_does_not_have_is_refused() {
    for call in [
        "ip.parse_addr('1.1.1.1', x=1)",
        "ip.parse_cidr('1.1.1.1/8', x=1)",
        "url.parse('a', x=1)",
        "url.path_segment_encode('a', x=1)",
        "url.path_segment_decode('a', x=1)",
        "url.query_param_value_encode('a', x=1)",
        "url.query_param_value_decode('a', x=1)",
        "url.query_params_encode({}, x=1)",
        "url.query_params_decode('', x=1)",
        "md5.sum('a', x=1)",
        "sha256.sum('a', x=1)",
        "regexp.match('a', 'a', x=1)",
        "regexp.replace('a', 'a', 'b', x=1)",
        "struct.encode({}, x=1)",
        "struct.decode(struct.make(), x=1)",
        "struct.bind(1, len, x=1)",
        "template.replace([], x=1)",
        "version.require_at_least('0.1.0', x=1)",
        "data.list(x=1)",
        "data.read('t.yml', x=1)",
        "overlay.index(1, x=1)",
        "overlay.map_key('a', x=1)",
        "overlay.subset({}, x=1)",
        "overlay.not_op(overlay.all, x=1)",
        "overlay.and_op(overlay.all, x=1)",
        "overlay.or_op(overlay.all, x=1)",
    ] {
        let error = of(call);
        let function = call.split('(').next().unwrap();
        assert_eq!(error, format!("{function}: the keyword argument \"x\" is not supported"), "{call}");
    }
    for call in ["assert.min(1, x=1)", "assert.equals(1, 1, x=1)", "math.floor(1, x=1)", "fail('a', x=1)"] {
        assert!(of(call).contains("unexpected keyword argument"), "{call}: {}", of(call));
    }
}

#[test]
fn files_of_the_package_are_read_and_listed_from_where_the_file_is() {
    let package = |code: &str| {
        let template = format!(
            "#@ load('@ytt:data', 'data')\n#@ load('@ytt:json', 'json')\n---\na: #@ json.encode({code})\n"
        );
        let package = Package::new().template("note.txt", "hello\n").template("sub/t.yml", &template);
        let package = package.template("sub/inner/x.txt", "x").template("sub/y.txt", "y");
        package.output().values.unwrap_or_else(|error| error.to_string())
    };
    assert_eq!(package("data.read('y.txt')"), "a: '\"y\"'\n");
    assert_eq!(package("data.read('inner/x.txt')"), "a: '\"x\"'\n");
    assert_eq!(package("data.read('/note.txt')"), "a: '\"hello\\n\"'\n");
    assert_eq!(package("data.list()"), "a: '[\"t.yml\",\"y.txt\",\"inner/x.txt\"]'\n");
    assert_eq!(package("data.list('inner')"), "a: '[\"x.txt\"]'\n");
    assert_eq!(package("data.list('/sub/inner')"), "a: '[\"/x.txt\"]'\n");
    let missing = "Expected to find file 'note.txt' (hint: only files included via -f flag are available)";
    assert!(package("data.read('note.txt')").contains(missing), "{}", package("data.read('note.txt')"));
    assert!(package("data.read('../note.txt')").contains("Expected to find file"));
    assert!(package("data.list('nope')").contains("nope"));
}

#[test]
fn values_of_a_file_that_was_loaded_do_not_change() {
    let error = |code: &str| {
        let library = "l = [1]\nd = {'a': [1]}\ns = set([1])\ndef add(x):\n  l.append(x)\n  return l\nend\n";
        let template = format!(
            "#@ load('lib.star', 'l', 'd', 's', 'add')\n#@ def f():\n#@   {code}\n#@ end\n#@ f()\na: 1\n"
        );
        let package = Package::new().template("t.yml", &template).template("lib.star", library);
        package.output().values.map_or_else(|error| error.to_string(), |_| String::new())
    };
    for (code, text) in [
        ("l.append(2)", "append: cannot append to frozen list"),
        ("l.extend([2])", "extend: cannot extend frozen list"),
        ("l.clear()", "clear: cannot clear frozen list"),
        ("l[0] = 2", "cannot assign to element of frozen list"),
        ("d['b'] = 2", "cannot insert into frozen hash table"),
        ("d['a'].append(2)", "append: cannot append to frozen list"),
        ("add(2)", "append: cannot append to frozen list"),
        ("d.update([('b', 1)])", "update: cannot insert into frozen hash table"),
    ] {
        assert!(error(code).contains(text), "{code}: {}", error(code));
    }
    for code in ["list(l).append(2)", "[x for x in l]", "dict(d).update([('b', 1)])", "l + [1]"] {
        assert_eq!(error(code), "", "{code}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused_as_yaml() {
    let output = |code: &str| {
        let template = format!("{LOADS}---\na: #@ {code}\n");
        Package::new().template("t.yml", &template).output().values.unwrap_or_else(|error| error.to_string())
    };
    assert_eq!(output("len(base64.decode('/w=='))"), "a: 1\n");
    for code in ["base64.decode('/w==')", "yaml.encode([base64.decode('/w==')])"] {
        assert!(output(code).contains("whose bytes are no text"), "{code}: {}", output(code));
    }
}

#[test]
fn what_go_does_not_print_has_an_escape() {
    for (json, wanted) in [
        ("a\\u0007\\u0008\\u000b\\u000c\\u001b\\u0000\\u007f", "a\\a\\b\\v\\f\\x1b\\x00\\x7f"),
        ("\\u00a0\\u200b\\u202e\\ufeff\\ue000\\u0085", "\\u00a0\\u200b\\u202e\\ufeff\\ue000\\u0085"),
        ("\u{e9}\u{65e5}\u{1f600}\u{301}\u{20ac}\u{2160}", "\u{e9}\u{65e5}\u{1f600}\u{301}\u{20ac}\u{2160}"),
        ("\u{e0001}", "\\U000e0001"),
    ] {
        assert_eq!(
            of(&format!("json.decode('\"{}\"')", json.replace('\\', "\\\\"))),
            format!("\"{wanted}\""),
            "{json}"
        );
    }
}
