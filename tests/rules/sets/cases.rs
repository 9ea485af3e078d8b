//! The use cases of validations, one after the other.

use plantime::rule::set::{Guard, RuleSet, RuledType, SetRule, valid, validate};
use plantime::rule::{Custom, PathExpr, Rule, Verdict};
use plantime::{Path, Step, Type, Value, value};

use super::{checked, messages, ruled, set};

fn at(path: &str, rule: Rule) -> Rule {
    Rule::at(path.parse().unwrap(), rule).unwrap()
}

fn paths(names: &[&str]) -> Vec<PathExpr> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

/// A default that its own rule refuses has to be replaced.
#[test]
fn required_input_has_three_forms() {
    let config = ruled(
        r#"object({
            username  = optional(string, ""),
            adminPort = optional(number, 0),
            token     = optional(string)
        })"#,
    )
    .at("username", set([("min_len", 1.into())]))
    .unwrap()
    .at("adminPort", set([("min", 1024.into()), ("max", 65535.into())]))
    .unwrap()
    .at("token", set([("not_null", value!(["a token of the registry", true]).unwrap())]))
    .unwrap();
    assert_eq!(
        messages(&config, &value!({}).unwrap()),
        [
            r#""adminPort" requires a valid value (at least 1024); it is 0."#,
            r#""token" requires a valid value (a token of the registry); it is null."#,
            r#""username" requires a valid value (a length of at least 1); it is a length of 0."#,
        ]
    );
    let given = value!({ "username": "root", "adminPort": 8443, "token": "t" }).unwrap();
    assert!(messages(&config, &given).is_empty());
    // What is not known yet may be fine.
    let open =
        value!({ "username": (Value::unknown(Type::String)), "adminPort": 8443, "token": "t" }).unwrap();
    assert!(checked(&config, &open).outcome().is_undetermined());
}

#[test]
fn a_message_of_its_own_has_four_fields() {
    let port = set([("min", 49142.into())]).rules()[0].clone();
    let own = port.with_message(r#""{key}" (={value}) must be between 49142 and 65535"#).unwrap();
    let config = ruled("object({ adminPort = number })").at("adminPort", RuleSet::new([own])).unwrap();
    let given = value!({ "adminPort": 1024 }).unwrap();
    assert_eq!(messages(&config, &given), [r#""adminPort" (=1024) must be between 49142 and 65535"#]);
    let all = SetRule::new(Rule::max(5)).with_message("{key} {value} {desc} {failure}").unwrap();
    let config = ruled("object({ a = number })").at("a", RuleSet::new([all])).unwrap();
    assert_eq!(messages(&config, &value!({ "a": 6 }).unwrap()), ["a 6 at most 5 it is 6"]);
}

#[test]
fn an_enumeration() {
    let config = ruled("object({ level = optional(string, \"info\") })")
        .at("level", set([("one_of", value!(["debug", "info", "warn"]).unwrap())]))
        .unwrap();
    assert!(messages(&config, &value!({}).unwrap()).is_empty());
    assert_eq!(
        messages(&config, &value!({ "level": "loud" }).unwrap()),
        [r#""level" requires a valid value (one of "debug", "info", "warn"); it is "loud"."#]
    );
}

/// One of oidc or ldap.
fn identity() -> RuledType {
    ruled(
        "object({ oidc = optional(object({ issuer = string })), ldap = optional(object({ host = string })) })",
    )
    .at("", set([("one_not_null", value!(["oidc", "ldap"]).unwrap())]))
    .unwrap()
    .at("oidc.issuer", set([("format", "uri".into())]))
    .unwrap()
}

#[test]
fn a_union_of_siblings() {
    let oidc = || value!({ "issuer": "https://id.example" }).unwrap();
    let ldap = || value!({ "host": "ldap.example" }).unwrap();
    for (given, expected) in [
        (value!({ "oidc": (oidc()) }), None),
        (value!({ "ldap": (ldap()) }), None),
        (value!({ "oidc": (oidc()), "ldap": (ldap()) }), Some("ldap, oidc are not null")),
        (value!({}), Some("all are null")),
    ] {
        let expected = expected.map(|failure| {
            let asked = r#"exactly one of "oidc", "ldap" not null"#;
            format!(r#""document" requires a valid value ({asked}); {failure}."#)
        });
        assert_eq!(messages(&identity(), &given.unwrap()), Vec::from_iter(expected));
    }
    // What is not known yet may be the one.
    let ty = identity().constraint().attribute("ldap").unwrap().constraint().to_type();
    let open = value!({ "oidc": (oidc()), "ldap": (Value::unknown(ty)) }).unwrap();
    let outcome = checked(&identity(), &open).outcome();
    assert_eq!(outcome.why().unwrap().inputs(), ["ldap".parse::<Path>().unwrap()]);
}

#[test]
fn a_discriminator() {
    let chosen = |kind: &str| Guard::parent(at("kind", Rule::equals(kind)));
    let config = ruled("object({ kind = string, oidc = optional(string), ldap = optional(string) })")
        .at("kind", set([("one_of", value!(["oidc", "ldap"]).unwrap())]))
        .unwrap()
        .at("oidc", RuleSet::new([Rule::NotNull]).when(chosen("oidc")))
        .unwrap()
        .at("ldap", RuleSet::new([Rule::NotNull]).when(chosen("ldap")))
        .unwrap();
    assert!(messages(&config, &value!({ "kind": "oidc", "oidc": "x" }).unwrap()).is_empty());
    assert_eq!(
        messages(&config, &value!({ "kind": "ldap", "oidc": "x" }).unwrap()),
        [r#""ldap" requires a valid value (not null); it is null."#]
    );
    let open = value!({ "kind": (Value::unknown(Type::String)), "oidc": "x" }).unwrap();
    let report = checked(&config, &open);
    assert_eq!(
        report.undetermined().map(|answer| answer.path.to_string()).collect::<Vec<_>>(),
        ["kind", "ldap"]
    );
}

/// Replicas with a volume on a file system: no node alone can say it.
#[test]
fn several_nodes_from_their_lowest_common_parent() {
    let alone = Custom::of("one_writer", |service: &Value| {
        let get = |path: &str| service.get(&path.parse().unwrap()).unwrap();
        let replicas = get("replicas").as_number().unwrap().to_i64().unwrap();
        let kind = get("storage.kind");
        if replicas > 1 && kind.as_str() == Ok("filesystem") {
            let path = "storage.kind".parse().unwrap();
            return Verdict::fail(format!("{replicas} replicas would write to it")).at(path);
        }
        Verdict::PASS
    });
    let config =
        ruled("object({ service = object({ replicas = number, storage = object({ kind = string }) }) })")
            .at("service", RuleSet::new([SetRule::described("storage that all replicas share", alone)]))
            .unwrap();
    let given = |replicas: Value, kind: &str| {
        value!({ "service": { "replicas": (replicas), "storage": { "kind": (kind) } } }).unwrap()
    };
    assert!(messages(&config, &given(1.into(), "filesystem")).is_empty());
    assert!(messages(&config, &given(2.into(), "bucket")).is_empty());
    let report = checked(&config, &given(2.into(), "filesystem"));
    // The rule of the parent names the part at fault.
    assert_eq!(report.diagnostics()[0].path.to_string(), "service.storage.kind");
    assert_eq!(
        report.messages(),
        [r#""kind" requires a valid value: storage that all replicas share; 2 replicas would write to it."#]
    );
    // The same as data answers while planning.
    let clause = Rule::implies(
        at("replicas", Rule::not(Rule::max(1)).unwrap()),
        at("storage.kind", Rule::none_of(["filesystem"])),
    );
    let config =
        ruled("object({ service = object({ replicas = number, storage = object({ kind = string }) }) })")
            .at(
                "service",
                RuleSet::new([SetRule::described("storage that all replicas share", clause.unwrap())]),
            )
            .unwrap();
    let three = Value::refined(Type::Number, "notnull(numbermin(3))".parse().unwrap()).unwrap();
    assert!(checked(&config, &given(three.clone(), "filesystem")).outcome().is_fail());
    assert!(checked(&config, &given(three, "bucket")).outcome().is_pass());
    let open = checked(&config, &given(Value::unknown(Type::Number), "filesystem"));
    assert_eq!(open.outcome().why().unwrap().inputs()[0].to_string(), "service.replicas");
}

#[test]
fn null_skips_the_rules_unless_not_null_is_asked() {
    let nullable = ruled("object({ name = optional(string) })");
    let rules = || set([("min_len", 3.into())]).with(Rule::any([]).unwrap());
    let asked = nullable.clone().at("name", rules()).unwrap();
    assert!(messages(&asked, &value!({}).unwrap()).is_empty());
    assert_eq!(messages(&asked, &value!({ "name": "abc" }).unwrap()).len(), 1);
    // It comes first whatever the order, and ends the set.
    let asked = nullable.at("name", rules().with(Rule::NotNull)).unwrap();
    assert_eq!(
        messages(&asked, &value!({}).unwrap()),
        [r#""name" requires a valid value (not null); it is null."#]
    );
    // A null above has no parts that could be asked.
    let deep = ruled("object({ db = optional(object({ name = string })) })")
        .at("db.name", RuleSet::new([Rule::NotNull]))
        .unwrap();
    assert!(messages(&deep, &value!({}).unwrap()).is_empty());
    let ty = deep.constraint().attribute("db").unwrap().constraint().to_type();
    let open = checked(&deep, &value!({ "db": (Value::unknown(ty)) }).unwrap());
    let answer = open.undetermined().next().unwrap();
    assert_eq!(
        (answer.path.to_string(), answer.outcome.why().unwrap().inputs()[0].to_string()),
        ("db.name".into(), "db".into())
    );
}

/// Not null or wrong: neither is certain, but that one of them is.
#[test]
fn null_and_all_else_failing_is_a_failure() {
    let ty = ruled("object({ id = string })")
        .at("id", RuleSet::new([Rule::NotNull, Rule::starts_with("vpc-")]))
        .unwrap();
    let id = Value::refined(Type::String, plantime::Refinement::prefix("subnet-")).unwrap();
    let report = checked(&ty, &value!({ "id": (id.clone()) }).unwrap());
    assert!(report.outcome().is_fail());
    let violations: Vec<_> = report.violations().map(|answer| answer.rule.clone()).collect();
    assert_eq!(violations, [Some("starts_with".to_owned())]);
    let nullable =
        ruled("object({ id = string })").at("id", RuleSet::new([Rule::starts_with("vpc-")])).unwrap();
    assert!(checked(&nullable, &value!({ "id": (id) }).unwrap()).outcome().is_undetermined());
}

#[test]
fn conditional_on_its_own_value_and_on_the_parents() {
    let starts = |text: &str| Rule::starts_with(text);
    let config = ruled("object({ tls = bool, url = string })")
        .at("url", RuleSet::new([starts("https:")]).when(Guard::parent(at("tls", Rule::equals(true)))))
        .unwrap();
    assert_eq!(messages(&config, &value!({ "tls": true, "url": "http://a" }).unwrap()).len(), 1);
    assert!(messages(&config, &value!({ "tls": false, "url": "http://a" }).unwrap()).is_empty());
    let own = ruled("object({ arn = string })")
        .at("arn", RuleSet::new([Rule::min_len(20)]).when(Guard::value(starts("arn:"))))
        .unwrap();
    assert_eq!(messages(&own, &value!({ "arn": "arn:aws" }).unwrap()).len(), 1);
    assert!(messages(&own, &value!({ "arn": "none" }).unwrap()).is_empty());
    // A guard can look far: at the whole, from each element of a list.
    let root = ruled("object({ prod = bool, hosts = list(object({ name = string })) })")
        .at(
            "hosts[*].name",
            RuleSet::new([Rule::ends_with(".example")]).when(Guard::root(at("prod", Rule::equals(true)))),
        )
        .unwrap();
    let given = |prod: Value| {
        value!({ "prod": (prod), "hosts": [{ "name": "a.example" }, { "name": "b" }] }).unwrap()
    };
    assert_eq!(checked(&root, &given(true.into())).diagnostics()[0].path.to_string(), "hosts[1].name");
    assert!(messages(&root, &given(false.into())).is_empty());
    let open = checked(&root, &given(Value::unknown(Type::Bool)));
    let answers: Vec<_> = open.answers().iter().map(|a| a.outcome.to_string()).collect();
    assert_eq!(answers.len(), 1, "what passes anyway passes: {answers:?}");
    assert!(answers[0].starts_with("undetermined: depends on prod"), "{answers:?}");
}

#[test]
fn the_whole_has_no_parent() {
    let guarded = RuleSet::new([Rule::NotNull]).when(Guard::parent(Rule::NotNull));
    let error = ruled("object({ a = string })").at("", guarded).unwrap_err();
    assert_eq!(error.to_string(), "a guard on the parent stands at a part: the whole has no parent");
}

#[test]
fn types_of_one_shape_say_their_rules_once() {
    let endpoint = ruled("object({ host = string, port = number })")
        .at("host", set([("min_len", 1.into())]))
        .unwrap()
        .at("port", set([("port", true.into())]))
        .unwrap();
    let config = ruled(
        "object({ db = object({ host = string, port = number }), caches = map(object({ host = string, port = number })) })",
    )
    .include("db", &endpoint)
    .unwrap()
    .include("caches[*]", &endpoint)
    .unwrap();
    let given =
        value!({ "db": { "host": "", "port": 1 }, "caches": { "a": { "host": "a", "port": 0 } } }).unwrap();
    let places: Vec<String> =
        checked(&config, &given).diagnostics().iter().map(|one| one.path.to_string()).collect();
    assert_eq!(places, [r#"caches["a"].port"#, "db.host"]);
}

/// What is made of the inputs can be asked as the inputs are.
#[test]
fn output_documents() {
    let service =
        ruled("object({ kind = string, spec = object({ ports = list(object({ port = number })) }) })")
            .named("service.yml")
            .at("kind", set([("one_of", value!(["Service", "Deployment"]).unwrap())]))
            .unwrap()
            .at("spec.ports[*].port", set([("port", true.into())]))
            .unwrap()
            .at("", RuleSet::new([SetRule::described("a list of ports", at("spec.ports", Rule::min_len(1)))]))
            .unwrap();
    let made = value!({ "kind": "Service", "spec": { "ports": [] } }).unwrap();
    let report = checked(&service, &made);
    assert_eq!(
        report.messages(),
        [r#""ports" requires a valid value: a list of ports; it is a length of 0."#]
    );
    assert_eq!(valid(&service, &made).unwrap().len(), 1);
    assert!(report.ytt().starts_with("  spec.ports\n"));
}

#[test]
fn a_function_may_answer_in_five_ways() {
    let failure = |custom: Custom| -> Option<String> {
        let rules = RuleSet::new([SetRule::described("a TCP/UDP port number", custom)]);
        let report = validate("port", &Value::from(0), &rules, None).unwrap();
        report.messages().pop()
    };
    let shaped =
        |failure: &str| Some(format!(r#""port" requires a valid value: a TCP/UDP port number; {failure}"#));
    assert_eq!(failure(Custom::of("is_valid_port", |_| true)), None);
    assert_eq!(failure(Custom::of("is_valid_port", |_| ())), None);
    assert_eq!(
        failure(Custom::of("is_valid_port", |_| false)),
        shaped(r#""is_valid_port()" returned False."#)
    );
    assert_eq!(failure(Custom::of("is_valid_port", |_| (false, "0 is reserved"))), shaped("0 is reserved."));
    assert_eq!(
        failure(Custom::of("is_valid_port", |_| Err::<(), _>("0 is reserved"))),
        shaped("0 is reserved.")
    );
    assert_eq!(failure(Custom::of("is_valid_port", |_| Ok::<bool, String>(true))), None);
    // The name of the function where nothing else describes it.
    let plain =
        validate("port", &0.into(), &RuleSet::new([Custom::of("is_valid_port", |_| false)]), None).unwrap();
    assert_eq!(
        plain.messages(),
        [r#""port" requires a valid value: is_valid_port; "is_valid_port()" returned False."#]
    );
}

#[test]
fn the_programmatic_forms_ask_the_same() {
    let rules = set([("min_len", value!(["a non-empty string", 1]).unwrap())]);
    let report = validate("username", &"".into(), &rules, None).unwrap();
    assert_eq!(
        report.messages(),
        [r#""username" requires a valid value (a non-empty string); it is a length of 0."#]
    );
    let never = Guard::value(Rule::min_len(9));
    assert!(validate("username", &"".into(), &rules, Some(never)).unwrap().outcome().is_pass());
    let config =
        ruled("object({ a = string, b = string })").at("a", rules.clone()).unwrap().at("b", rules).unwrap();
    let places = valid(&config, &value!({ "a": "", "b": "" }).unwrap()).unwrap();
    assert_eq!(places.iter().map(|answer| answer.path.to_string()).collect::<Vec<_>>(), ["a", "b"]);
}

/// Leaves first; all violations are told; and no value is valid while a part of it is not.
#[test]
fn parts_are_asked_before_the_whole() {
    let config = ruled("object({ db = object({ host = string, port = number }), on = bool })")
        .at("", RuleSet::new([SetRule::described("whole", Rule::any([]).unwrap())]))
        .unwrap()
        .at("db", RuleSet::new([SetRule::described("db", Rule::any([]).unwrap())]))
        .unwrap()
        .at("db.port", RuleSet::new([Rule::max(1), Rule::even()]))
        .unwrap()
        .at("db.host", RuleSet::new([Rule::min_len(1)]))
        .unwrap()
        .at("on", RuleSet::new([Rule::NotNull]))
        .unwrap();
    let report = checked(&config, &value!({ "db": { "host": "", "port": 3 }, "on": true }).unwrap());
    let order: Vec<_> =
        report.answers().iter().map(|answer| (answer.path.to_string(), answer.description.clone())).collect();
    let order: Vec<(&str, &str)> = order.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    assert_eq!(
        order,
        [
            ("db.host", "a length of at least 1"),
            ("db.port", "at most 1"),
            ("db.port", "even"),
            ("db", "db"),
            ("", "whole"),
        ]
    );
    assert_eq!(report.passed(), 1);
    // The rules of `db` alone may hold; with its parts it does not.
    let parts = ruled("object({ db = object({ host = string }) })")
        .at("db", RuleSet::new([Rule::NotNull]))
        .unwrap()
        .at("db.host", RuleSet::new([Rule::min_len(1)]))
        .unwrap();
    let report = checked(&parts, &value!({ "db": { "host": "" } }).unwrap());
    let at = |path: &str| report.outcome_at(&path.parse().unwrap()).name();
    assert_eq!((at("db"), at("db.host"), report.outcome().name()), ("fail", "fail", "fail"));
}

#[test]
fn rules_that_cannot_be_asked_are_refused_when_they_are_written() {
    let ty = || ruled("object({ port = number, tags = map(string), pair = tuple([string, bool]) })");
    for (node, rules, message) in [
        ("prot", vec![Rule::NotNull], r#"there is no attribute "prot"; did you mean "port"?"#),
        ("port", vec![Rule::min_len(1)], "the rules at port: min_len needs"),
        (
            "tags.Name",
            vec![Rule::NotNull],
            "tags.Name is no node of the type: tags is map of string, and has all its elements, [*]",
        ),
        (
            "[*]",
            vec![Rule::NotNull],
            "[*] is no node of the type: the whole is object, and has its attributes by name",
        ),
        (
            "pair[*]",
            vec![Rule::NotNull],
            "pair[*] is no node of the type: pair is tuple, and has its elements by index",
        ),
        ("", vec![Rule::exactly_one_of(paths(&["port", "host"]))], r#"there is no attribute "host""#),
    ] {
        let error = ty().at(node, RuleSet::new(rules)).unwrap_err().to_string();
        assert!(error.contains(message), "{node}: {error}");
    }
    assert!(SetRule::keyword("min_length", &1.into()).unwrap_err().to_string().contains("did you mean"));
    assert!(ty().at("pair[1]", RuleSet::new([Rule::NotNull])).is_ok());
}

#[test]
fn members_of_an_unknown_set_are_named_by_an_unknown_member() {
    let ty = "set(object({ host = string }))";
    let rules = ruled(ty).at("[*].host", RuleSet::new([Rule::min_len(1)])).unwrap();
    let report = checked(&rules, &Value::unknown(ty.parse().unwrap()));
    let [answer] = report.answers() else { panic!("{:?}", report.answers()) };
    let member = Value::unknown("object({ host = string })".parse().unwrap());
    assert_eq!(answer.path.steps().first(), Some(&Step::Index(member)));
}
