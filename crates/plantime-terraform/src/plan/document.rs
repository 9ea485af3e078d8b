//! The JSON text of a plan as a document: every property, in the order of the text, and what is known of unknown values.
//!
//! | file | holds |
//! |---|---|
//! | this one | the document: its root properties, where its changes are |
//! | `write` | writes the document in canonical form, with refinements on request |
//! | `refinements` | the tree `after_refinements` of one value |
//! | `from_plan` | writes a plan that was read from a binary file as JSON |
//! | `planned` | the planned values of such a plan, module by module |
//! | `values` | the trees of known, unknown and sensitive parts of one value |

mod from_plan;
mod planned;
mod refinements;
mod values;
mod write;

use crate::plan::Plan;
use plantime::unstable::error::Kind;
use plantime::unstable::json::{Reader, Token};
use plantime::{Error, Result};
use plantime_schema::ProviderSchemas;
use plantime_schema::unstable::json::{array, object, read_text};

/// The version of the form of `after_refinements` that [`PlanDocument`] writes, and [`Plan::read`] reads.
pub const REFINEMENTS_FORMAT_VERSION: &str = "1.1";

/// The property of the root object that has the version of the form of refinements.
pub(super) const REFINEMENTS_VERSION_KEY: &str = "refinements_format_version";

/// The property of a change that has the refinements of the planned value.
pub(super) const REFINEMENTS_KEY: &str = "after_refinements";

/// The JSON text of a plan, with every property: those that this version does not know are kept.
///
/// ```
/// use plantime_terraform::plan::PlanDocument;
///
/// let text = br#"{"format_version": "1.2", "resource_changes": [], "infracost_version": "0.10"}"#;
/// let document = PlanDocument::parse(text)?;
/// assert_eq!(document.property("infracost_version"), Some("\"0.10\""));
/// let mut written = Vec::new();
/// document.write_json(&mut written).unwrap();
/// assert_eq!(written, br#"{"format_version":"1.2","resource_changes":[],"infracost_version":"0.10"}"#);
/// # Ok::<(), plantime::Error>(())
/// ```
///
/// # Refinements
///
/// A plan in JSON says of an unknown value only that it is unknown. [`write_json_with_refinements`] adds what a [`Plan`]
/// knows of it: beside each `after_unknown` a tree `after_refinements` of the same shape. Where `after_unknown` has `true`,
/// the tree has an object with these properties; a part without any is left out, or `null` in an array.
///
/// | property | the value |
/// |---|---|
/// | `type` | has this type, such as `"list(string)"`; always there |
/// | `not_null`: `true` | is not null |
/// | `null`: `true` | is null |
/// | `prefix` | is null or begins with this string |
/// | `strings` | is null or a string of this language, in the text form of a [`Refinement`](plantime::Refinement) |
/// | `min`, `max` | is null or at least, at most this number, which is written as a string |
/// | `above`, `below` | the same without the number itself |
/// | `one_of` | is null or one of these numbers, an array of strings with all digits |
/// | `multiple_of` | is null or a multiple of this whole number, which is a string of digits; of 1 an integer |
/// | `min_length`, `max_length` | is null, or its length is at least or at most this |
/// | `elements` | is null, or every element has this [`Refinement`](plantime::Refinement), in its text form |
/// | `keys` | is null, or every key of the map is one of these strings, in the text form of a refinement |
///
/// ```json
/// "after_unknown": {"arn": true, "tags": [{"id": true}]},
/// "after_refinements": {"tags": [{"id": {"type": "string", "not_null": true, "prefix": "vpc-"}}]}
/// ```
///
/// The property `refinements_format_version` of the root object has the version of this form: a reader accepts another
/// minor version, and no other major version. The JSON Schema is `docs/after_refinements.schema.json`. [`Plan::read`] reads
/// the trees again. Nothing behind a mark is written, nothing inside a set of more than one member, and nothing of values
/// where the plan does not say what is sensitive.
///
/// [`write_json_with_refinements`]: PlanDocument::write_json_with_refinements
#[derive(Clone, Debug)]
pub struct PlanDocument<'a> {
    text: &'a str,
    /// The properties of the root object: their names, and where their values are.
    properties: Vec<(String, Span)>,
    /// The property `refinements_format_version`, with the comma that separates it.
    refinements_version: Option<Span>,
    changes: Vec<ChangePlace>,
}

/// A range of bytes of the text: its start and its end.
type Span = (usize, usize);

/// Where the change of a resource or an output is in the text.
#[derive(Clone, Debug, Default)]
struct ChangePlace {
    list: ChangeList,
    /// The address of the resource, or the name of the output.
    name: String,
    deposed: Option<String>,
    after: Option<Span>,
    after_unknown: Option<Span>,
    /// The property `after_refinements`, with the comma that separates it.
    refinements: Option<Span>,
}

/// The property of a plan that a change is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum ChangeList {
    #[default]
    Resources,
    Drift,
    Outputs,
}

impl<'a> PlanDocument<'a> {
    /// Parses the JSON text of a plan. Its values are not read: [`plan`](PlanDocument::plan) does that.
    ///
    /// [Example](PlanDocument)
    ///
    /// # Errors
    ///
    /// When the text is not JSON, is no object with a `format_version`, or has a property twice.
    pub fn parse(text: &'a [u8]) -> Result<PlanDocument<'a>> {
        let mut reader = Reader::new(text)?;
        let text = reader.text_until_end();
        let mut document =
            PlanDocument { text, properties: Vec::new(), refinements_version: None, changes: Vec::new() };
        if reader.peek()? != Token::Object {
            reader.skip()?;
            reader.end()?;
            return Err(Error::new(Kind::Syntax, "not a plan: the JSON is no object"));
        }
        let mut end_of_previous = None;
        object(&mut reader, |name, reader| {
            reader.peek()?;
            let start = reader.at();
            document.parse_property(name, reader)?;
            let span = (start, reader.at());
            if name == REFINEMENTS_VERSION_KEY {
                document.refinements_version = separated_property(text, end_of_previous, span);
            }
            document.properties.push((name.to_owned(), span));
            end_of_previous = Some(reader.at());
            Ok(())
        })?;
        reader.end()?;
        if document.property("format_version").is_none() {
            return Err(Error::new(Kind::Syntax, "not a plan: there is no format_version"));
        }
        Ok(document)
    }

    /// The properties of the root object in the order of the text, each with the JSON text of its value.
    ///
    /// ```
    /// use plantime_terraform::plan::{PlanDocument, example};
    ///
    /// let document = PlanDocument::parse(example::PLAN)?;
    /// assert_eq!(document.properties().next(), Some(("format_version", "\"1.2\"")));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn properties(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.properties.iter().map(|(name, span)| (name.as_str(), self.text_of(*span)))
    }

    /// The JSON text of the root property with this name.
    ///
    /// ```
    /// use plantime_terraform::plan::PlanDocument;
    ///
    /// let text = br#"{"format_version": "1.2", "resource_changes": [], "infracost_version": "0.10"}"#;
    /// let document = PlanDocument::parse(text)?;
    /// assert_eq!(document.property("infracost_version"), Some("\"0.10\""));
    /// assert_eq!(document.property("applyable"), None);
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn property(&self, name: &str) -> Option<&'a str> {
        self.properties().find(|(found, _)| *found == name).map(|(_, text)| text)
    }

    /// Reads the plan into values with the types of these schemas, as [`Plan::read`].
    ///
    /// [Example](PlanDocument::write_json_with_refinements)
    ///
    /// # Errors
    ///
    /// As [`Plan::read`].
    pub fn plan(&self, schemas: &ProviderSchemas) -> Result<Plan> {
        Plan::read(self.text.as_bytes(), schemas)
    }

    /// The text at a span.
    fn text_of(&self, (start, end): Span) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Parses the value of a root property, and records where its changes are.
    fn parse_property(&mut self, name: &str, reader: &mut Reader<'a>) -> Result<()> {
        let list = match name {
            "resource_changes" => ChangeList::Resources,
            "resource_drift" => ChangeList::Drift,
            "output_changes" => {
                return object(reader, |name, reader| {
                    let mut place = ChangePlace {
                        list: ChangeList::Outputs,
                        name: name.to_owned(),
                        ..ChangePlace::default()
                    };
                    self.parse_change(&mut place, reader)?;
                    self.changes.push(place);
                    Ok(())
                });
            }
            _ => return reader.skip(),
        };
        array(reader, |reader| {
            let mut place = ChangePlace { list, ..ChangePlace::default() };
            object(reader, |name, reader| {
                match name {
                    "address" => place.name = read_text(reader)?.unwrap_or_default(),
                    "deposed" => place.deposed = read_text(reader)?,
                    "change" => self.parse_change(&mut place, reader)?,
                    _ => reader.skip()?,
                }
                Ok(())
            })?;
            self.changes.push(place);
            Ok(())
        })
    }

    /// Parses the object of a change, and records where its properties are.
    fn parse_change(&self, place: &mut ChangePlace, reader: &mut Reader<'a>) -> Result<()> {
        let mut end_of_previous = None;
        object(reader, |name, reader| {
            reader.peek()?;
            let start = reader.at();
            reader.skip()?;
            let span = (start, reader.at());
            match name {
                "after" => place.after = Some(span),
                "after_unknown" => place.after_unknown = Some(span),
                REFINEMENTS_KEY => place.refinements = separated_property(self.text, end_of_previous, span),
                _ => {}
            }
            end_of_previous = Some(reader.at());
            Ok(())
        })
    }
}

/// The span of a property with the comma that separates it from its neighbour: the one before it, or else the one behind.
/// `value` is the span of its value.
fn separated_property(text: &str, end_of_previous: Option<usize>, value: Span) -> Option<Span> {
    if let Some(end) = end_of_previous {
        return Some((end, value.1));
    }
    // The first property: it begins behind the bracket of its object, and its name has no bracket.
    let start = text.get(..value.0)?.rfind('{')?.checked_add(1)?;
    let behind = text.get(value.1..)?;
    let rest = behind.trim_start();
    let space = behind.len().checked_sub(rest.len())?;
    let comma = usize::from(rest.starts_with(','));
    Some((start, value.1.checked_add(space)?.checked_add(comma)?))
}
