//! What an author says of the nodes of a type.

use plantime::rule::PathExpr;
use plantime::rule::json_schema::{Dialect, Reading, import};
use plantime::rule::set::{NodeText, NodeTexts, RuleSet, RuledType};
use plantime::{Mark, Type, TypeConstraint, Value, value};

const DIALECTS: [Dialect; 3] = [Dialect::JsonSchema, Dialect::OpenApi, Dialect::Kubernetes];

fn constraint(text: &str) -> TypeConstraint {
    text.parse().unwrap()
}

/// A type with each kind of node.
fn config() -> RuledType {
    let ty = constraint(
        "object({name = string, ports = optional(list(number), []), tags = map(object({note = optional(string)})), pair = \
         tuple([string, number])})",
    );
    RuledType::new(ty)
        .at("name", RuleSet::keywords([("max_len", 63)]).unwrap())
        .unwrap()
        .at("ports[*]", RuleSet::keywords([("min", 1024)]).unwrap())
        .unwrap()
}

/// The same with a text at each node.
fn described() -> RuledType {
    let nodes =
        ["", "name", "ports", "ports[*]", "tags", "tags[*]", "tags[*].note", "pair", "pair[0]", "pair[1]"];
    nodes.into_iter().fold(config(), |config, node| {
        let text = NodeText::new().title(format!("title of {node:?}")).describe(format!("about {node:?}"));
        config.describe(node, text.deprecate("use another")).unwrap()
    })
}

/// Texts change nothing of what a schema accepts.
#[test]
fn texts_constrain_nothing() {
    for dialect in DIALECTS {
        let [plain, said] = [config(), described()].map(|config| config.to_json_schema(dialect).unwrap());
        let read = |schema: &Value| import(schema, None, &Reading { dialect, ..Reading::default() }).unwrap();
        let (before, after) = (read(&plain), read(&said));
        assert_eq!(before.constraint, after.constraint);
        assert_eq!(before.rule.to_string(), after.rule.to_string());
    }
}

/// Each text is at its node: where the dialect has tuples, all of them are in the schema.
#[test]
fn each_node_has_its_text() {
    let shown = described().to_json_schema(Dialect::JsonSchema).unwrap().to_string();
    for (node, _) in described().texts().iter() {
        let title = format!("title of {:?}", node.to_string()).replace('"', "\\\"");
        assert_eq!(shown.matches(&title).count(), 1, "{node}");
    }
    let schema = described().to_json_schema(Dialect::OpenApi).unwrap();
    let name = schema.get_attr("properties").unwrap().get_attr("name").unwrap();
    // The author's words, those of the rule, the deprecation.
    assert_eq!(
        name.get_attr("description").unwrap(),
        Value::from("about \"name\"\n\nhas at most 63 characters\n\nDeprecated: use another")
    );
    assert_eq!(name.get_attr("deprecated").unwrap(), Value::from(true));
}

#[test]
fn examples_are_of_the_type_known_and_not_marked() {
    let with = |node: &str, example: Value| config().describe(node, NodeText::new().example(example));
    assert!(with("ports", value!([1, 2]).unwrap()).is_ok());
    assert_eq!(
        with("ports", value!("a").unwrap()).unwrap_err().to_string(),
        "the example of ports: list of number required, but have string"
    );
    assert_eq!(
        with("name", Value::unknown(Type::String)).unwrap_err().to_string(),
        "an example must be known"
    );
    let error = with("name", Value::from("s").mark(Mark::SENSITIVE)).unwrap_err().to_string();
    assert_eq!(error, "an example is shown to everyone: nothing in it may be marked");
    let error = with("nmae", Value::from("a")).unwrap_err().to_string();
    assert!(error.contains("name"), "{error}");

    let two = config().describe("name", NodeText::new().example("a").example("b")).unwrap();
    for (dialect, keyword, expected) in [
        (Dialect::JsonSchema, "examples", value!(["a", "b"]).unwrap()),
        (Dialect::OpenApi, "example", Value::from("a")),
    ] {
        let schema = two.to_json_schema(dialect).unwrap();
        let name = schema.get_attr("properties").unwrap().get_attr("name").unwrap();
        assert_eq!(name.get_attr(keyword).unwrap(), expected);
    }
}

/// Layers: what the overlay says replaces what the base says, text by text; where it replaces the node, the base says nothing.
#[test]
fn texts_are_overlaid_and_included() {
    let base = described();
    let over = RuledType::new(constraint("object({name = string, pair = string})"))
        .describe("name", NodeText::new().title("Name"))
        .unwrap();
    let both = base.overlay(&over).unwrap();
    let at = |ty: &RuledType, node: &str| ty.texts().get(&node.parse::<PathExpr>().unwrap()).cloned();
    let name = at(&both, "name").unwrap();
    assert_eq!((name.title.as_deref(), name.description.as_deref()), (Some("Name"), Some("about \"name\"")));
    assert_eq!(at(&both, "ports[*]"), at(&base, "ports[*]"));
    assert_eq!((at(&both, "pair"), at(&both, "pair[0]")), (None, None));

    let outer = RuledType::new(constraint("object({inside = object({name = string})})"));
    let named = RuledType::new(constraint("object({name = string})"));
    let named = named.describe("name", NodeText::new().title("N")).unwrap();
    let outer = outer.include("inside", &named).unwrap();
    assert_eq!(at(&outer, "inside.name").unwrap().title.as_deref(), Some("N"));
    let other = RuledType::new(constraint("object({inside = object({other = string})})"));
    assert!(other.include("inside", &named).is_err());
}

#[test]
fn a_schema_without_the_node_stays_as_it_is() {
    let mut texts = NodeTexts::new();
    for node in ["a.b", "a[*]", "b[0]", "c"] {
        texts.insert(node, NodeText::new().title("T")).unwrap();
    }
    for schema in [value!({"type": "object"}).unwrap(), value!(true).unwrap(), value!([]).unwrap()] {
        for dialect in DIALECTS {
            assert_eq!(texts.annotate(&schema, dialect).unwrap(), schema);
        }
    }
}
