//! The keywords of JSON Schema, and what each takes.

/// The kind of value that a JSON Schema keyword takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// An annotation, which constrains no values.
    Note,
    /// Any value.
    Any,
    /// A list of values.
    Values,
    /// The name of a type, or several.
    Types,
    /// A string.
    Text,
    /// A list of strings.
    Texts,
    /// A regular expression.
    Pattern,
    /// True or false.
    Flag,
    /// A whole number that is not negative.
    Count,
    /// A number.
    Number,
    /// A number above 0.
    Step,
    /// A number, or a bool as in draft 4.
    Bound,
    /// A schema.
    Schema,
    /// A schema, or a list of them as draft 4 has it.
    Items,
    /// A list of schemas.
    Schemas,
    /// Schemas by name.
    Named,
    /// Schemas by regular expressions on property names.
    ByPattern,
    /// Lists of strings by name.
    TextsByName,
    /// Schemas or lists of strings by name.
    Dependencies,
    /// Rules of this crate.
    Rules,
    /// Expressions in CEL.
    Cel,
}

/// The key for rules that no keyword can express.
pub(super) const RULES: &str = "x-plantime-rules";
/// The key for the type, if the schema does not determine it.
pub(super) const TYPE: &str = "x-plantime-type";
/// The key under which Kubernetes reads CEL.
pub(super) const CEL: &str = "x-kubernetes-validations";

/// The keywords that are supported, and the shape of the value of each.
static KEYWORDS: [(&str, Shape); 68] = [
    ("$anchor", Shape::Note),
    ("$comment", Shape::Note),
    ("$defs", Shape::Named),
    ("$id", Shape::Text),
    ("$ref", Shape::Text),
    ("$schema", Shape::Text),
    ("$vocabulary", Shape::Note),
    ("additionalItems", Shape::Schema),
    ("additionalProperties", Shape::Schema),
    ("allOf", Shape::Schemas),
    ("anyOf", Shape::Schemas),
    ("const", Shape::Any),
    ("contains", Shape::Schema),
    ("contentEncoding", Shape::Note),
    ("contentMediaType", Shape::Note),
    ("contentSchema", Shape::Note),
    ("default", Shape::Note),
    ("definitions", Shape::Named),
    ("dependencies", Shape::Dependencies),
    ("dependentRequired", Shape::TextsByName),
    ("dependentSchemas", Shape::Named),
    ("deprecated", Shape::Note),
    ("description", Shape::Note),
    ("discriminator", Shape::Note),
    ("else", Shape::Schema),
    ("enum", Shape::Values),
    ("example", Shape::Note),
    ("examples", Shape::Note),
    ("exclusiveMaximum", Shape::Bound),
    ("exclusiveMinimum", Shape::Bound),
    ("externalDocs", Shape::Note),
    ("format", Shape::Text),
    ("id", Shape::Note),
    ("if", Shape::Schema),
    ("items", Shape::Items),
    ("maxContains", Shape::Count),
    ("maxItems", Shape::Count),
    ("maxLength", Shape::Count),
    ("maxProperties", Shape::Count),
    ("maximum", Shape::Number),
    ("minContains", Shape::Count),
    ("minItems", Shape::Count),
    ("minLength", Shape::Count),
    ("minProperties", Shape::Count),
    ("minimum", Shape::Number),
    ("multipleOf", Shape::Step),
    ("not", Shape::Schema),
    ("nullable", Shape::Flag),
    ("oneOf", Shape::Schemas),
    ("pattern", Shape::Pattern),
    ("patternProperties", Shape::ByPattern),
    ("prefixItems", Shape::Schemas),
    ("properties", Shape::Named),
    ("propertyNames", Shape::Schema),
    ("readOnly", Shape::Note),
    ("required", Shape::Texts),
    ("then", Shape::Schema),
    ("title", Shape::Note),
    ("type", Shape::Types),
    ("uniqueItems", Shape::Flag),
    ("writeOnly", Shape::Note),
    ("x-kubernetes-int-or-string", Shape::Note),
    ("x-kubernetes-list-type", Shape::Note),
    ("x-kubernetes-preserve-unknown-fields", Shape::Note),
    (CEL, Shape::Cel),
    (RULES, Shape::Rules),
    (TYPE, Shape::Text),
    ("xml", Shape::Note),
];

/// The kind of value that a keyword takes; `None` for an unsupported keyword.
pub(super) fn shape(keyword: &str) -> Option<Shape> {
    KEYWORDS.iter().find(|(name, _)| *name == keyword).map(|(_, shape)| *shape)
}
