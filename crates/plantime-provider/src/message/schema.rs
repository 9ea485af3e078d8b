//! Schemas and signatures of functions.
//!
//! Protocol 6 has nested attributes, and its attributes number two other fields differently. So each protocol has its
//! own attribute, block and schema; a macro writes the parts that are alike.

use std::collections::BTreeMap;

use prost::Message;

use super::{Diagnostic, ServerCapabilities};

/// Writes the schema messages around an attribute message.
macro_rules! schema_messages {
    ($module:ident, $attribute:ident, $about:literal) => {
        #[doc = $about]
        pub(crate) mod $module {
            pub(crate) use super::$attribute as Attribute;
            use super::*;

            /// A schema with its version.
            #[derive(Clone, PartialEq, Message)]
            pub(crate) struct Schema {
                #[prost(int64, tag = "1")]
                pub(crate) version: i64,
                #[prost(message, optional, tag = "2")]
                pub(crate) block: Option<Block>,
            }

            /// Attributes, and blocks inside the block.
            #[derive(Clone, PartialEq, Message)]
            pub(crate) struct Block {
                #[prost(int64, tag = "1")]
                pub(crate) version: i64,
                #[prost(message, repeated, tag = "2")]
                pub(crate) attributes: Vec<Attribute>,
                #[prost(message, repeated, tag = "3")]
                pub(crate) block_types: Vec<NestedBlock>,
                #[prost(string, tag = "4")]
                pub(crate) description: String,
                #[prost(int32, tag = "5")]
                pub(crate) description_kind: i32,
                #[prost(bool, tag = "6")]
                pub(crate) deprecated: bool,
                #[prost(string, tag = "7")]
                pub(crate) deprecation_message: String,
            }

            /// A block type inside a block.
            #[derive(Clone, PartialEq, Message)]
            pub(crate) struct NestedBlock {
                #[prost(string, tag = "1")]
                pub(crate) type_name: String,
                #[prost(message, optional, tag = "2")]
                pub(crate) block: Option<Block>,
                #[prost(int32, tag = "3")]
                pub(crate) nesting: i32,
                #[prost(int64, tag = "4")]
                pub(crate) min_items: i64,
                #[prost(int64, tag = "5")]
                pub(crate) max_items: i64,
            }

            /// The answer to `GetProviderSchema`.
            #[derive(Clone, PartialEq, Message)]
            pub(crate) struct ProviderSchema {
                #[prost(message, optional, tag = "1")]
                pub(crate) provider: Option<Schema>,
                #[prost(btree_map = "string, message", tag = "2")]
                pub(crate) resource_schemas: BTreeMap<String, Schema>,
                #[prost(btree_map = "string, message", tag = "3")]
                pub(crate) data_source_schemas: BTreeMap<String, Schema>,
                #[prost(message, repeated, tag = "4")]
                pub(crate) diagnostics: Vec<Diagnostic>,
                #[prost(message, optional, tag = "5")]
                pub(crate) provider_meta: Option<Schema>,
                #[prost(message, optional, tag = "6")]
                pub(crate) server_capabilities: Option<ServerCapabilities>,
                #[prost(btree_map = "string, message", tag = "7")]
                pub(crate) functions: BTreeMap<String, Function>,
                #[prost(btree_map = "string, message", tag = "8")]
                pub(crate) ephemeral_resource_schemas: BTreeMap<String, Schema>,
            }
        }
    };
}

schema_messages!(v5, Attribute5, "Schemas of protocol 5.");
schema_messages!(v6, Attribute6, "Schemas of protocol 6.");

pub(crate) use attribute::{Attribute5, Attribute6, NestedObject};

mod attribute {
    use prost::Message;

    /// An attribute of protocol 5.
    #[derive(Clone, PartialEq, Message)]
    pub(crate) struct Attribute5 {
        #[prost(string, tag = "1")]
        pub(crate) name: String,
        #[prost(bytes = "vec", tag = "2")]
        pub(crate) r#type: Vec<u8>,
        #[prost(string, tag = "3")]
        pub(crate) description: String,
        #[prost(bool, tag = "4")]
        pub(crate) required: bool,
        #[prost(bool, tag = "5")]
        pub(crate) optional: bool,
        #[prost(bool, tag = "6")]
        pub(crate) computed: bool,
        #[prost(bool, tag = "7")]
        pub(crate) sensitive: bool,
        #[prost(int32, tag = "8")]
        pub(crate) description_kind: i32,
        #[prost(bool, tag = "9")]
        pub(crate) deprecated: bool,
        #[prost(bool, tag = "10")]
        pub(crate) write_only: bool,
        #[prost(string, tag = "11")]
        pub(crate) deprecation_message: String,
    }

    /// An attribute of protocol 6.
    #[derive(Clone, PartialEq, Message)]
    pub(crate) struct Attribute6 {
        #[prost(string, tag = "1")]
        pub(crate) name: String,
        #[prost(bytes = "vec", tag = "2")]
        pub(crate) r#type: Vec<u8>,
        #[prost(string, tag = "3")]
        pub(crate) description: String,
        #[prost(bool, tag = "4")]
        pub(crate) required: bool,
        #[prost(bool, tag = "5")]
        pub(crate) optional: bool,
        #[prost(bool, tag = "6")]
        pub(crate) computed: bool,
        #[prost(bool, tag = "7")]
        pub(crate) sensitive: bool,
        #[prost(int32, tag = "8")]
        pub(crate) description_kind: i32,
        #[prost(bool, tag = "9")]
        pub(crate) deprecated: bool,
        #[prost(message, optional, tag = "10")]
        pub(crate) nested_type: Option<NestedObject>,
        #[prost(bool, tag = "11")]
        pub(crate) write_only: bool,
        #[prost(string, tag = "12")]
        pub(crate) deprecation_message: String,
    }

    /// The attributes inside an attribute.
    #[derive(Clone, PartialEq, Message)]
    pub(crate) struct NestedObject {
        #[prost(message, repeated, tag = "1")]
        pub(crate) attributes: Vec<Attribute6>,
        #[prost(int32, tag = "3")]
        pub(crate) nesting: i32,
    }
}

/// The message `Function`: the signature of a provider function.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Function {
    #[prost(message, repeated, tag = "1")]
    pub(crate) parameters: Vec<Parameter>,
    #[prost(message, optional, tag = "2")]
    pub(crate) variadic_parameter: Option<Parameter>,
    #[prost(message, optional, tag = "3")]
    pub(crate) r#return: Option<Return>,
    #[prost(string, tag = "4")]
    pub(crate) summary: String,
    #[prost(string, tag = "5")]
    pub(crate) description: String,
    #[prost(int32, tag = "6")]
    pub(crate) description_kind: i32,
    #[prost(string, tag = "7")]
    pub(crate) deprecation_message: String,
}

/// A parameter of a [`Function`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Parameter {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(bytes = "vec", tag = "2")]
    pub(crate) r#type: Vec<u8>,
    #[prost(bool, tag = "3")]
    pub(crate) allow_null_value: bool,
    #[prost(bool, tag = "4")]
    pub(crate) allow_unknown_values: bool,
    #[prost(string, tag = "5")]
    pub(crate) description: String,
    #[prost(int32, tag = "6")]
    pub(crate) description_kind: i32,
}

/// The result type of a [`Function`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Return {
    #[prost(bytes = "vec", tag = "1")]
    pub(crate) r#type: Vec<u8>,
}

/// The attributes that identify an object among those of its type.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct IdentitySchema {
    #[prost(int64, tag = "1")]
    pub(crate) version: i64,
    #[prost(message, repeated, tag = "2")]
    pub(crate) identity_attributes: Vec<IdentityAttribute>,
}

/// An attribute of an [`IdentitySchema`].
#[derive(Clone, PartialEq, Message)]
pub(crate) struct IdentityAttribute {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(bytes = "vec", tag = "2")]
    pub(crate) r#type: Vec<u8>,
    #[prost(bool, tag = "3")]
    pub(crate) required_for_import: bool,
    #[prost(bool, tag = "4")]
    pub(crate) optional_for_import: bool,
    #[prost(string, tag = "5")]
    pub(crate) description: String,
}
