//! The values of a registry product, as a chart has them: some hundred attributes, of which most are left to their defaults.

use plantime::rule::json_schema::{Dialect, Reading, export, import};
use plantime::rule::set::{Checking, Edit, Guard, NodeKind, RuleSet, RuledType, SetRule, Skip};
use plantime::rule::{PathExpr, Rule};
use plantime::{Refinement, Type, Value, value};

use super::{checked, ruled, set};
use crate::laws::{Word, word};

fn argument(value: &toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::from(text),
        toml::Value::Integer(number) => Value::from(*number),
        toml::Value::Boolean(truth) => Value::from(*truth),
        toml::Value::Array(items) => Value::tuple(items.iter().map(argument)).unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Where the part at a path equals a value.
fn guard(written: &toml::Value) -> Guard {
    let path: PathExpr = written[0].as_str().unwrap().parse().unwrap();
    Guard::root(Rule::at(path, Rule::equals(argument(&written[1]))).unwrap())
}

fn rule_set(written: &toml::Table, place: &str) -> RuleSet {
    let message = written.get("message").map(|text| text.as_str().unwrap());
    let keywords = written.iter().filter(|(name, _)| !["when", "message"].contains(&name.as_str()));
    let rules = keywords.map(|(name, value)| {
        let rule = SetRule::keyword(name, &argument(value)).unwrap();
        message.map_or_else(|| rule.clone(), |text| rule.clone().with_message(text).unwrap())
    });
    let set = RuleSet::new(rules).written_at(place);
    match written.get("when") {
        Some(written) => set.when(guard(written)),
        None => set,
    }
}

/// The product's own schema. All texts without rules of their own are one line that is not empty.
fn product() -> RuledType {
    let rules: toml::Table = include_str!("registry/rules.toml").parse().unwrap();
    let line = set([
        ("min_len", value!(["a text", 1]).unwrap()),
        ("matches", value!(["a single line", r"\A[^\n]*\z"]).unwrap()),
    ]);
    let base = ruled(include_str!("registry/type.txt"))
        .defaults_for("", NodeKind::String, line.written_at("strings"))
        .unwrap();
    rules.iter().fold(base, |ruled, (node, written)| {
        let set = rule_set(written.as_table().unwrap(), &format!("rules.toml: {node}"));
        ruled.at(node, set).unwrap_or_else(|error| panic!("{node}: {error}"))
    })
}

fn minimal() -> Value {
    value!({
        "adminPort": 50000, "adminUser": "root", "externalUrl": "https://registry.example",
        "expose": { "ingress": {} },
        "persistence": { "images": { "filesystem": {} } },
        "database": { "internal": {} },
        "auth": { "oidc": {} },
    })
    .unwrap()
}

fn attributes(ty: &Type) -> usize {
    match ty {
        Type::Object(object) => object.iter().map(|(_, ty)| 1 + attributes(ty)).sum(),
        ty => ty.element_type().map_or(0, attributes),
    }
}

#[test]
fn there_are_a_hundred_attributes() {
    let count = attributes(product().constraint().as_type());
    assert!(count >= 100, "{count}");
}

#[test]
fn what_is_required_is_asked_for_by_its_defaults() {
    let report = checked(&product(), &value!({}).unwrap());
    assert_eq!(report.undetermined().count(), 0);
    assert_eq!(
        report.messages(),
        [
            r#""adminPort" (=0) must be between 49142 and 65535"#,
            r#""adminUser" requires a valid value (a non-empty string); it is a length of 0."#,
            r#""auth" requires a valid value (exactly one of "oidc", "ldap" not null); all are null."#,
            r#""database" requires a valid value (exactly one of "internal", "external" not null); all are null."#,
            r#""expose" requires a valid value (exactly one of "ingress", "nodePort", "loadBalancer" not null); all are null."#,
            r#""externalUrl" requires a valid value (a URI); it is ""."#,
            r#""externalUrl" requires a valid value (matches ^https?://); it is ""."#,
            r#""filesystem" requires a valid value (not null); it is null."#,
            r#""images" requires a valid value (exactly one of "filesystem", "s3", "gcs" not null); all are null."#,
        ]
    );
    let report = checked(&product(), &minimal());
    assert!(report.outcome().is_pass() && report.answers().is_empty(), "{}", report.ytt());
    assert!(report.passed() > 60, "{}", report.passed());
}

/// The minimal values with one part in the place of another.
fn with(path: &str, part: Value) -> Value {
    let path = path.parse::<plantime::Path>().unwrap();
    let whole = product().fill(&minimal()).unwrap();
    whole.transform(|here, value| Ok(if *here == path { part.clone() } else { value })).unwrap()
}

#[test]
fn nested_values_that_are_overridden_are_asked() {
    let some = |ty: &str, given: Value| {
        let ty: plantime::TypeConstraint = ty.parse().unwrap();
        plantime::convert(&given, &ty).unwrap()
    };
    for (path, part, place, message) in [
        ("logLevel", "loud".into(), "logLevel", r#""logLevel" requires a valid value (one of "#),
        ("expose.kind", "mesh".into(), "expose.kind", r#""kind" requires a valid value (one of "#),
        (
            "expose.tls.source",
            "secret".into(),
            "expose.tls.secret",
            r#""secret" requires a valid value (not null); it is null."#,
        ),
        ("expose.ingress.host", "a b".into(), "expose.ingress.host", r#""host" requires a valid value ("#),
        (
            "expose.ingress.class",
            "".into(),
            "expose.ingress.class",
            r#""class" requires a valid value (a text); it is a length of 0."#,
        ),
        (
            "expose.ingress.class",
            "a\nb".into(),
            "expose.ingress.class",
            r#""class" requires a valid value (a single line); it is "a\nb"."#,
        ),
        (
            "scanner.severity",
            some("list(string)", value!(["LOW", "DIRE"]).unwrap()),
            "scanner.severity[1]",
            r#""1" requires a valid value (one of "#,
        ),
        (
            "cache.addresses",
            some("list(string)", value!(["a:1", "a:1"]).unwrap()),
            "cache.addresses[1]",
            r#""1" requires a valid value (no two equal elements)"#,
        ),
        (
            "annotations",
            some("map(string)", value!({ "k": (Value::from("x".repeat(1025).as_str())) }).unwrap()),
            r#"annotations["k"]"#,
            r#""k" requires a valid value (a length of at most 1024); it is a length of 1025."#,
        ),
        (
            "auth.oidc.scopes",
            some("set(string)", value!(["email"]).unwrap()),
            "auth.oidc.scopes",
            r#""scopes" requires a valid value (contains "openid")"#,
        ),
        (
            "persistence.images.kind",
            "s3".into(),
            "persistence.images.s3",
            r#""s3" requires a valid value (not null); it is null."#,
        ),
        (
            "jobs.workers",
            0.into(),
            "jobs.workers",
            r#""workers" requires a valid value (at least 1); it is 0."#,
        ),
    ] {
        let report = product().check(&with(path, part)).unwrap();
        let diagnostics = report.diagnostics();
        let places: Vec<String> = diagnostics.iter().map(|one| one.path.to_string()).collect();
        assert_eq!(places, [place], "{path}: {diagnostics}");
        assert!(report.messages()[0].starts_with(message), "{:?} {message}", report.messages());
    }
}

#[test]
fn the_database_has_a_password_or_a_secret() {
    let given = |password: Value, secret: Value| {
        let mut all = minimal();
        let external = value!({ "password": (password), "secret": (secret) }).unwrap();
        all = all
            .transform(|path, value| {
                let is_database = path.to_string() == "database";
                Ok(if is_database { Value::object([("external", external.clone())])? } else { value })
            })
            .unwrap();
        checked(&product(), &all)
    };
    let null = || Value::null(Type::String);
    let open = || Value::unknown(Type::String);
    assert!(given("p".into(), null()).outcome().is_pass());
    let both = given("p".into(), "s".into());
    assert_eq!(both.diagnostics().len(), 1);
    assert_eq!(both.diagnostics()[0].path.to_string(), "database.external");
    assert!(given(null(), null()).outcome().is_fail());
    let report = given("p".into(), open());
    let answers: Vec<_> = report.undetermined().map(|answer| answer.path.to_string()).collect();
    assert_eq!(answers, ["database.external.secret", "database.external.secret", "database.external"]);
    assert_eq!(report.violations().count(), 0);
}

/// While planning: what is known of unknown parts answers, the rest says what it waits for.
#[test]
fn a_plan_is_answered_as_far_as_it_is_known() {
    let prefix = |text: &str| Value::refined(Type::String, Refinement::prefix(text).and_not_null()).unwrap();
    let port = Value::refined(Type::Number, "notnull(numberrange(50000, 50010))".parse().unwrap()).unwrap();
    let planned = value!({
        "adminPort": (port), "adminUser": (Value::unknown(Type::String)),
        "externalUrl": (prefix("https://lb-")), "logLevel": (prefix("x")),
        "expose": { "ingress": { "host": (prefix("a_")) } },
        "persistence": { "images": { "filesystem": {} } },
        "database": { "internal": {} },
        "auth": { "oidc": { "issuer": (prefix("https://id-")) } },
        "images": (Value::unknown(Type::map(Type::object([("repository", Type::String)]).unwrap()).unwrap())),
    })
    .unwrap();
    let report = checked(&product(), &planned);
    let shown: Vec<String> = report
        .answers()
        .iter()
        .map(|a| format!("{} {} {}", a.path, a.rule.as_deref().unwrap_or("-"), a.outcome.name()))
        .collect();
    assert_eq!(
        shown,
        [
            "adminUser min_len undetermined",
            "expose.ingress.host format fail",
            "externalUrl format undetermined",
            "images[*].repository matches undetermined",
            "logLevel one_of fail",
        ]
    );
    // What is left, as one rule on the whole, is what decides.
    let fine = planned
        .transform(|path, value| {
            Ok(match path.to_string().as_str() {
                "expose.ingress.host" => "registry.example".into(),
                "logLevel" => "info".into(),
                _ => value,
            })
        })
        .unwrap();
    let outcome = checked(&product(), &fine).outcome();
    let left = outcome.why().unwrap().obligation().unwrap();
    for (user, url, expected) in [
        ("root", "https://lb-1", Word::Pass),
        ("", "https://lb-1", Word::Fail),
        ("root", "https://lb- ", Word::Fail),
    ] {
        let known = fine
            .transform(|path, value| {
                Ok(match path.to_string().as_str() {
                    "adminPort" => 50001.into(),
                    "adminUser" => user.into(),
                    "externalUrl" => url.into(),
                    "auth.oidc.issuer" => "https://id-1".into(),
                    "images" => Value::map_of(
                        Type::object([("repository", Type::String)]).unwrap(),
                        Vec::<(&str, Value)>::new(),
                    )?,
                    _ => value,
                })
            })
            .unwrap();
        let known = product().fill(&known).unwrap();
        assert_eq!(word(left, &known), expected, "{left}");
        assert_eq!(product().check(&known).unwrap().outcome().is_pass(), expected == Word::Pass);
    }
}

/// Who runs the product has rules of their own.
#[test]
fn an_operators_layer_is_laid_over_the_products() {
    let operator = ruled(
        "object({ logLevel = string, replicas = optional(number, 3), team = optional(string, \"\"), \
         expose = object({ ingress = object({ class = string }) }) })",
    )
    .defaults_for("", NodeKind::String, set([("max_len", 12.into())]))
    .unwrap()
    .edit("replicas", Edit::Merge(set([("min", 3.into())])))
    .unwrap()
    .edit("logLevel", Edit::Merge(set([("none_of", value!(["debug"]).unwrap())])))
    .unwrap()
    .at("team", set([("min_len", 1.into())]))
    .unwrap();
    let both = product().overlay(&operator).unwrap();
    let at = |node: &str| both.rules_at(node).unwrap().unwrap().to_string();
    assert_eq!(at("replicas"), "min(3), multiple_of(1)");
    assert_eq!(at("expose.ingress.class"), "max_len(12)");
    assert!(at("expose.tls.commonName").starts_with("min_len(1), matches("));
    let report = checked(&both, &minimal());
    assert_eq!(
        report.messages(),
        [r#""team" requires a valid value (a length of at least 1); it is a length of 0."#]
    );
    let skips = ["team".parse::<Skip>().unwrap().because("not yet")];
    let filled = both.fill(&minimal()).unwrap();
    let report = both.check_with(&filled, &Checking::default().skipping(&skips)).unwrap();
    assert!(report.outcome().is_pass() && report.skipped().len() == 1);
}

#[test]
fn as_one_rule_it_says_the_same_and_becomes_a_schema() {
    let product = product();
    let rule = product.to_rule().unwrap();
    for given in [value!({}).unwrap(), minimal()] {
        let filled = product.fill(&given).unwrap();
        let expected =
            if product.check(&filled).unwrap().outcome().is_pass() { Word::Pass } else { Word::Fail };
        assert_eq!(word(&rule, &filled), expected);
    }
    // Defaults are not checked by a schema, so what is said below them stands in a key of its own, and nothing is lost.
    for dialect in [Dialect::JsonSchema, Dialect::OpenApi, Dialect::Kubernetes] {
        let schema = export(product.constraint(), &rule, dialect).unwrap();
        let read = import(&schema, None, &Reading { dialect, ..Reading::default() }).unwrap();
        assert_eq!(read.constraint, *product.constraint());
        for given in [value!({}).unwrap(), minimal()] {
            let filled = product.fill(&given).unwrap();
            assert_eq!(word(&read.rule, &filled), word(&rule, &filled));
        }
    }
}
