use plantime::source::Source;
use plantime::{Type, Value};
use plantime_schema::catalogue::{Catalogue, Fact};
use prost::Message;

use super::{applied_line, diagnostic, planned_line};
use crate::diagnostic::Severity;
use crate::proxy::facts::{broken, narrow};
use crate::wire;

const SECRET: &str = "hunter2";

fn facts() -> Vec<Fact> {
    let lines = ["set[*].id", "map[*].id", "names[*]", "list[*].id"]
        .map(|path| format!("  {path} A stringprefix(\"x-\")\n"));
    let pack = Catalogue::read(Source::new("p", format!("t a/b\n{}", lines.concat()))).expect("facts");
    pack.facts("registry.terraform.io/a/b", "t")
}

/// An object with a secret beside each id, in the key of a map, and as the member of a set.
fn resource(id: &Value) -> Value {
    let user = || Value::object([("id", id.clone()), ("token", Value::from(SECRET))]).expect("an object");
    let set = Value::set([user()]).expect("a set");
    let map = Value::map([(SECRET, user())]).expect("a map");
    let list = Value::list([user()]).expect("a list");
    let names = Value::set([Value::from(SECRET)]).expect("a set");
    Value::object([("set", set), ("map", map), ("list", list), ("names", names)]).expect("an object")
}

#[test]
fn neither_log_nor_diagnostic_shows_a_member_of_a_set_or_a_key() {
    let (_, added) = narrow(&resource(&Value::unknown(Type::String)), &facts(), false).expect("a value");
    let lines: Vec<String> = added.iter().map(|fact| planned_line("t", fact)).collect();
    let said = "stringprefix(\"x-\") (p:";
    assert_eq!(lines.len(), 3, "{lines:?}");
    for place in ["set[*].id", "map[*].id", "list[0].id"] {
        let start = format!("planned t.{place}: {said}");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{place}: {lines:?}");
    }
    let found = broken(&resource(&Value::from(SECRET)), None, &facts(), false);
    assert_eq!(found.len(), 4);
    for fact in found {
        let line = applied_line("t", &fact);
        let shown = wire::diagnostic(&diagnostic("t", fact, Severity::Warning));
        let bytes = String::from_utf8_lossy(&shown.encode_to_vec()).into_owned();
        assert!(!line.contains(SECRET) && !bytes.contains(SECRET), "{line}: {shown:?}");
    }
}
