//! Schemas from Rust structs: what a struct writes is a value of its schema, which it reads back.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::schema::{Attribute, AttributeType, Block, Nesting};
use plantime::bridge::{from_value, to_value_as};

/// A nested struct: its fields become a nested block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Port {
    number: u16,
    note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Visibility {
    Public,
    Private,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Server {
    name: String,
    #[serde(rename = "server_kind")]
    kind: Visibility,
    main: Port,
    spare: Option<Port>,
    ports: Vec<Port>,
    named: Option<BTreeMap<String, Port>>,
    zones: Option<Vec<String>>,
    id: Option<String>,
}

fn server() -> Server {
    let port = |number| Port { number, note: None };
    Server {
        name: "web".to_owned(),
        kind: Visibility::Private,
        main: port(80),
        spare: None,
        ports: vec![port(1), Port { number: 2, note: Some("b".to_owned()) }],
        named: Some(BTreeMap::from([("a".to_owned(), port(3))])),
        zones: None,
        id: None,
    }
}

#[test]
fn a_struct_is_a_value_of_its_schema_and_reads_what_the_schema_coerces() {
    let block = Block::builder().fields_of::<Server>().unwrap().computed("id").build().unwrap();
    assert!(block.check().is_empty());
    let ty = block.implied_type().unwrap();
    for server in [server(), Server { spare: Some(server().main), named: None, ..server() }] {
        let value = to_value_as(&server, &(&ty).into()).unwrap();
        let coerced = block.coerce(&value).unwrap();
        assert_eq!(coerced, value);
        assert_eq!(from_value::<Server>(&coerced).unwrap(), server);
    }
}

#[test]
fn each_field_is_an_attribute_by_its_type() {
    let block = Block::builder().fields_of::<Server>().unwrap().build().unwrap();
    let names: Vec<&String> = block.attributes.keys().collect();
    assert_eq!(names, ["id", "main", "name", "named", "ports", "server_kind", "spare", "zones"]);
    let nesting = |name: &str| match &block.attributes.get(name).unwrap().ty {
        AttributeType::Nested(nested) => Some(nested.nesting),
        AttributeType::Plain(_) => None,
    };
    assert_eq!(nesting("main"), Some(Nesting::Single));
    assert_eq!(nesting("ports"), Some(Nesting::List));
    assert_eq!(nesting("named"), Some(Nesting::Map));
    assert_eq!((nesting("zones"), nesting("server_kind")), (None, None));
    for (name, Attribute { required, optional, computed, .. }) in &block.attributes {
        let is_optional = ["id", "named", "spare", "zones"].contains(&&**name);
        assert_eq!((*required, *optional, *computed), (!is_optional, is_optional, false), "{name}");
    }
    let AttributeType::Nested(main) = &block.attributes.get("main").unwrap().ty else { panic!("nested") };
    assert!(main.attributes.get("number").unwrap().required && main.attributes.get("note").unwrap().optional);
}

#[test]
fn what_is_no_struct_has_no_fields() {
    let error = Block::builder().fields_of::<Vec<String>>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "attributes are made from the fields of a struct, and this type reads list(string)"
    );
    let twice =
        Block::builder().fields_of::<Port>().unwrap().fields_of::<Port>().unwrap().build().unwrap_err();
    assert_eq!(twice.errors().len(), 2);
    let none = Block::builder().computed("id").build().unwrap_err();
    assert_eq!(none.to_string(), "id: no such attribute");
}
