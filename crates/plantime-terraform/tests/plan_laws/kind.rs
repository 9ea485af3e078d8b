//! The kinds of attributes, as the schema of a provider declares them.

use serde_json::{Map, Value as Json, json};

/// The true type of a place in a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bool,
    Number,
    String,
    List(Box<Kind>),
    Set(Box<Kind>),
    Map(Box<Kind>),
    Tuple(Vec<Kind>),
    Object(Vec<(&'static str, Kind)>),
    /// A nested block, whose collections are never null.
    Block(Nesting, Vec<(&'static str, Kind)>),
}

/// How blocks nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nesting {
    Single,
    List,
    Set,
    Map,
}

impl Kind {
    pub(crate) fn list(element: Kind) -> Kind {
        Kind::List(Box::new(element))
    }

    pub(crate) fn set(element: Kind) -> Kind {
        Kind::Set(Box::new(element))
    }

    pub(crate) fn map(element: Kind) -> Kind {
        Kind::Map(Box::new(element))
    }

    /// The kind without the difference between blocks and attributes: what the values are.
    pub(crate) fn of_values(&self) -> Kind {
        match self {
            Kind::Block(nesting, fields) => {
                let object = Kind::Object(fields.clone());
                match nesting {
                    Nesting::Single => object,
                    Nesting::List => Kind::list(object),
                    Nesting::Set => Kind::set(object),
                    Nesting::Map => Kind::map(object),
                }
            }
            kind => kind.clone(),
        }
    }

    /// Whether there is a set in it: members of sets have no place of their own.
    pub(crate) fn has_set(&self) -> bool {
        match self.of_values() {
            Kind::Set(_) => true,
            Kind::List(element) | Kind::Map(element) => element.has_set(),
            Kind::Tuple(kinds) => kinds.iter().any(Kind::has_set),
            Kind::Object(fields) => fields.iter().any(|(_, kind)| kind.has_set()),
            _ => false,
        }
    }

    /// The type in the JSON of cty.
    pub(crate) fn ty(&self) -> Json {
        match self {
            Kind::Bool => json!("bool"),
            Kind::Number => json!("number"),
            Kind::String => json!("string"),
            Kind::List(element) => json!(["list", element.ty()]),
            Kind::Set(element) => json!(["set", element.ty()]),
            Kind::Map(element) => json!(["map", element.ty()]),
            Kind::Tuple(elements) => json!(["tuple", elements.iter().map(Kind::ty).collect::<Vec<_>>()]),
            Kind::Object(fields) => {
                let fields: Map<String, Json> =
                    fields.iter().map(|(name, kind)| ((*name).to_owned(), kind.ty())).collect();
                json!(["object", fields])
            }
            Kind::Block(..) => self.of_values().ty(),
        }
    }

    /// The block of a schema with these attributes and nested blocks.
    pub(crate) fn block(fields: &[(&'static str, Kind)], declared: Declared) -> Json {
        let (mut attributes, mut blocks) = (Map::new(), Map::new());
        for (name, kind) in fields {
            match kind {
                Kind::Block(nesting, fields) if declared == Declared::Types => {
                    let mode = match nesting {
                        Nesting::Single => "single",
                        Nesting::List => "list",
                        Nesting::Set => "set",
                        Nesting::Map => "map",
                    };
                    let block = json!({ "nesting_mode": mode, "block": Kind::block(fields, declared) });
                    blocks.insert((*name).to_owned(), block);
                }
                kind => {
                    let ty = match declared {
                        Declared::Types => kind.ty(),
                        Declared::Any => json!("dynamic"),
                    };
                    let attribute = json!({ "type": ty, "optional": true, "computed": true });
                    attributes.insert((*name).to_owned(), attribute);
                }
            }
        }
        json!({ "attributes": attributes, "block_types": blocks })
    }
}

/// What a schema says of the types of attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declared {
    /// The true ones.
    Types,
    /// `any`, for each.
    Any,
}
