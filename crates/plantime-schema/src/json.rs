//! What schemas and plans need of JSON beside values: documents of a known structure.

pub(crate) mod shape;
