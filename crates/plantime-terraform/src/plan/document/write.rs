//! Writes the JSON document of a plan back in canonical form, on request with what a plan knows of unknown values.

use std::collections::BTreeMap;
use std::io;

use super::refinements::refinement_tree;
use super::{
    ChangeList, ChangePlace, PlanDocument, REFINEMENTS_FORMAT_VERSION, REFINEMENTS_KEY,
    REFINEMENTS_VERSION_KEY,
};
use crate::json::Tape;
use crate::plan::{Change, Plan, Sensitivity};
use plantime::unstable::json::CanonicalWriter;
use plantime::unstable::json::Reader;

/// Replaces the text of a span by another one, which is in canonical form.
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

impl PlanDocument<'_> {
    /// Writes the document in canonical form, as `terraform show -json` writes plans: without white space, and with `<`,
    /// `>` and `&` escaped in strings. Nothing is dropped: properties keep their order, and numbers their digits.
    ///
    /// ```
    /// use plantime_terraform::plan::PlanDocument;
    ///
    /// let document = PlanDocument::parse(br#"{ "format_version": "1.2", "resource_changes": [], "other": 1.50 }"#)?;
    /// let mut text = Vec::new();
    /// document.write_json(&mut text)?;
    /// assert_eq!(text, br#"{"format_version":"1.2","resource_changes":[],"other":1.50}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_json(&self, writer: impl io::Write) -> io::Result<()> {
        self.write_edited(writer, Vec::new())
    }

    /// Writes the document in canonical form, with what `plan` knows of unknown values beside each `after_unknown`: see
    /// [Refinements](PlanDocument#refinements). Those that the document has are replaced.
    ///
    /// `plan` is the same plan as read by [`plan`](PlanDocument::plan), or with more knowledge: the binary plan that the
    /// JSON was made of. Changes are paired by address and deposed key.
    ///
    /// ```
    /// use plantime_terraform::plan::{PlanDocument, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let document = PlanDocument::parse(example::PLAN)?;
    /// let plan = document.plan(&ProviderSchemas::new())?;
    /// let mut written = Vec::new();
    /// document.write_json_with_refinements(&mut written, &plan).unwrap();
    /// assert!(written.starts_with(br#"{"format_version":"1.2","refinements_format_version":"1.1","#));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_json_with_refinements(&self, writer: impl io::Write, plan: &Plan) -> io::Result<()> {
        let known = KnownChanges::new(plan);
        let mut edits = Vec::new();
        edits.extend(self.refinements_version.map(|(start, end)| Edit { start, end, text: String::new() }));
        for (name, (_, end)) in &self.properties {
            if name == "format_version" {
                let text = format!(",\"{REFINEMENTS_VERSION_KEY}\":\"{REFINEMENTS_FORMAT_VERSION}\"");
                edits.push(Edit { start: *end, end: *end, text });
            }
        }
        for place in &self.changes {
            edits.extend(place.refinements.map(|(start, end)| Edit { start, end, text: String::new() }));
            edits.extend(known.change(place).and_then(|change| self.refinements_edit(place, change)));
        }
        // At the same place, what is inserted comes before what is cut, which begins there.
        edits.sort_by_key(|edit| (edit.start, edit.end));
        self.write_edited(writer, edits)
    }

    /// Writes the document with these edits, which are sorted and do not overlap.
    fn write_edited(&self, writer: impl io::Write, edits: Vec<Edit>) -> io::Result<()> {
        let mut writer = CanonicalWriter::new(writer);
        let mut at = 0;
        for edit in edits {
            writer.write(self.text_of((at, edit.start)))?;
            writer.write_canonical(&edit.text);
            at = edit.end;
        }
        writer.write(self.text_of((at, self.text.len())))?;
        writer.finish()
    }

    /// Inserts the refinements of a change behind its `after_unknown`; `None` if there are none.
    fn refinements_edit(&self, place: &ChangePlace, change: &Change) -> Option<Edit> {
        let after = change.after.as_ref().filter(|_| change.after_sensitivity == Sensitivity::Stated)?;
        let (start, end) = place.after_unknown?;
        let mut unknown = Tape::new();
        // The text was parsed before, so that reading it again does not fail.
        let mut reader = Reader::new(self.text_of((start, end)).as_bytes()).ok()?;
        let tree = refinement_tree(after, unknown.read(&mut reader).ok()?)?;
        Some(Edit { start: end, end, text: format!(",\"{REFINEMENTS_KEY}\":{tree}") })
    }
}

/// The changes of a plan by the property that they are in, their address or name, and their deposed key.
struct KnownChanges<'p>(BTreeMap<(ChangeList, &'p str, Option<&'p str>), &'p Change>);

impl<'p> KnownChanges<'p> {
    fn new(plan: &'p Plan) -> KnownChanges<'p> {
        let lists =
            [(ChangeList::Resources, &plan.resource_changes), (ChangeList::Drift, &plan.resource_drift)];
        let resources = lists.into_iter().flat_map(|(list, changes)| {
            changes.iter().map(move |resource| {
                ((list, resource.address.as_str(), resource.deposed.as_deref()), &resource.change)
            })
        });
        let outputs = plan.output_changes.iter();
        let outputs = outputs.map(|(name, change)| ((ChangeList::Outputs, name.as_str(), None), change));
        KnownChanges(resources.chain(outputs).collect())
    }

    /// The change at a place of the document.
    fn change(&self, place: &ChangePlace) -> Option<&'p Change> {
        self.0.get(&(place.list, place.name.as_str(), place.deposed.as_deref())).copied()
    }
}
