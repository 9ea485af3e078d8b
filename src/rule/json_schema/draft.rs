//! The drafts of JSON Schema: how a document names one, and which keywords it has.

/// A draft that a document can name with `$schema`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Draft {
    /// Draft 4.
    Four,
    /// Draft 6.
    Six,
    /// Draft 7.
    Seven,
    /// 2019-09.
    Nineteen,
    /// 2020-12.
    Twenty,
}

impl Draft {
    /// The draft that a value of `$schema` names; `None` for an unknown metaschema, such as one of the document's
    /// author.
    pub(super) fn named(schema: &str) -> Option<Draft> {
        let name = schema.trim_end_matches('#');
        let name = name.strip_prefix("http://").or_else(|| name.strip_prefix("https://"))?;
        Some(match name {
            "json-schema.org/draft-04/schema" => Draft::Four,
            "json-schema.org/draft-06/schema" => Draft::Six,
            "json-schema.org/draft-07/schema" => Draft::Seven,
            "json-schema.org/draft/2019-09/schema" => Draft::Nineteen,
            "json-schema.org/draft/2020-12/schema" | "spec.openapis.org/oas/3.1/dialect/base" => {
                Draft::Twenty
            }
            _ => return None,
        })
    }

    /// Whether the draft defines a keyword. Readers ignore a keyword that the draft lacks.
    pub(super) fn has(self, keyword: &str) -> bool {
        match keyword {
            "$id" | "const" | "contains" | "propertyNames" => self >= Draft::Six,
            "if" | "then" | "else" => self >= Draft::Seven,
            "dependentRequired" | "dependentSchemas" | "minContains" | "maxContains" => {
                self >= Draft::Nineteen
            }
            "prefixItems" => self >= Draft::Twenty,
            "additionalItems" => self <= Draft::Nineteen,
            "id" => self == Draft::Four,
            // Belongs to OpenAPI 3.0, whose documents name no draft.
            "nullable" => false,
            _ => true,
        }
    }

    /// Whether the draft ignores keywords beside `$ref`.
    pub(super) fn reference_stands_alone(self) -> bool {
        self <= Draft::Seven
    }
}

#[cfg(test)]
mod tests {
    use super::Draft;

    #[test]
    fn a_draft_is_named_with_either_scheme_and_with_an_empty_fragment() {
        for name in ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft-07/schema"] {
            assert_eq!(Draft::named(name), Some(Draft::Seven));
        }
        assert_eq!(Draft::named("https://example.com/schema"), None);
    }
}
