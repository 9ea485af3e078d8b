//! The picture of a plan as an HTML page.

use std::collections::BTreeSet;
use std::io;

use super::resource::Section;
use super::sheet::{Ink, Sheet};
use super::{Easel, Medium, PIECE, PictureStyle, Places, order};
use crate::plan::page::{push_entry, push_entry_end, push_foot, push_head};
use crate::plan::report::render::push_html;
use crate::plan::{Action, Plan};
use crate::schema::ProviderSchemas;

/// The kinds of entries, which a reader can choose from.
const KINDS: [&str; 9] =
    ["create", "update", "replace", "delete", "read", "move", "forget", "outside", "output"];

impl Plan {
    /// Writes the plan as an HTML page: one file that makes no request, readable without its script. Each resource is an
    /// entry that can be folded; the script filters them. `name` is the title. Content is as in
    /// [`write_picture`](Plan::write_picture).
    ///
    /// ```
    /// use plantime::plan::{Colour, PictureStyle, Plan, example};
    /// use plantime::schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
    /// let plan = Plan::read(example::PLAN, &schemas)?;
    /// let mut page = Vec::new();
    /// plan.write_html(&mut page, "network", &schemas, PictureStyle::new(Colour::Never))?;
    /// assert!(page.starts_with(b"<!doctype html>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_html(
        &self,
        mut writer: impl io::Write,
        name: &str,
        schemas: &ProviderSchemas,
        style: PictureStyle,
    ) -> io::Result<()> {
        let mut out = String::new();
        let occurring = occurring_kinds(self);
        let choice: Vec<&str> = KINDS.into_iter().filter(|kind| occurring.contains(kind)).collect();
        push_head(&mut out, name, &choice);
        let mut sheet = Sheet::new(Medium::Html);
        let mut easel = Easel::new(self, schemas, style, &mut sheet);
        easel.push_totals(&mut out);
        let mut write = |out: &mut String, is_end: bool| {
            if is_end || out.len() > PIECE {
                writer.write_all(out.as_bytes())?;
                out.clear();
            }
            io::Result::Ok(())
        };
        let relevant = easel.relevant();
        for (section, resources, title) in [
            (Section::Drift, &self.resource_drift, "Changed outside"),
            (Section::Planned, &self.resource_changes, "Planned"),
        ] {
            let mut is_first = true;
            for resource in order::in_order(resources) {
                let places = match section {
                    Section::Drift => relevant.get(resource.address.as_str()).cloned().unwrap_or_default(),
                    Section::Planned => Places::all(),
                };
                let drawn = easel.resource(resource, section, places);
                if !drawn.is_drawn() {
                    continue;
                }
                if std::mem::take(&mut is_first) {
                    out.push_str(&format!("<h2>{title}</h2>\n"));
                }
                drawn.draw_summary(&mut easel.painter);
                let summary = std::mem::take(&mut easel.painter.sheet.text);
                push_entry(&mut out, &kinds(section, &resource.change.actions), &summary);
                drawn.draw_content(&mut easel.painter);
                out.push_str(&std::mem::take(&mut easel.painter.sheet.text));
                push_entry_end(&mut out);
                write(&mut out, false)?;
            }
        }
        let outputs = easel.outputs();
        if !outputs.is_empty() {
            out.push_str("<h2>Outputs</h2>\n");
            for (name, node) in outputs {
                push_entry(&mut out, &["output"], &{
                    let mut summary = String::new();
                    push_html(&mut summary, name);
                    summary
                });
                easel.painter.draw_outputs(std::iter::once(name), &[(name, node)]);
                out.push_str(&std::mem::take(&mut easel.painter.sheet.text));
                push_entry_end(&mut out);
                write(&mut out, false)?;
            }
        }
        push_foot(&mut out);
        write(&mut out, true)
    }
}

/// The kinds of the resources and outputs of a plan.
fn occurring_kinds(plan: &Plan) -> BTreeSet<&'static str> {
    let planned = plan.resource_changes.iter();
    let mut found: BTreeSet<&str> =
        planned.flat_map(|resource| kinds(Section::Planned, &resource.change.actions)).collect();
    let has_import_or_move = plan
        .resource_changes
        .iter()
        .any(|resource| resource.previous_address.is_some() || resource.change.importing.is_some());
    if !has_import_or_move {
        found.remove("move");
    }
    if !plan.resource_drift.is_empty() {
        found.insert("outside");
    }
    if plan.output_changes.values().any(|change| !change.is_no_op()) {
        found.insert("output");
    }
    found
}

/// The kinds that an entry is of.
fn kinds(section: Section, actions: &[Action]) -> Vec<&'static str> {
    if section == Section::Drift {
        return vec!["outside"];
    }
    vec![match actions {
        [Action::Create] => "create",
        [Action::Update] => "update",
        [Action::Delete] => "delete",
        [Action::Read] => "read",
        [Action::Forget] => "forget",
        actions if actions.contains(&Action::Create) => "replace",
        _ => "move",
    }]
}

impl Easel<'_, '_> {
    /// Adds what the plan leaves out, and its totals.
    fn push_totals(&mut self, out: &mut String) {
        let gaps = self.plan.gaps();
        if !gaps.is_empty() {
            out.push_str("<ul class=\"notes\">\n");
            for gap in gaps {
                out.push_str("<li>");
                push_html(out, &gap.to_string());
                out.push_str("</li>\n");
            }
            out.push_str("</ul>\n");
        }
        let (counts, actions) = self.counts();
        out.push_str("<p>");
        if actions.is_empty() {
            push_html(out, "No changes of resources.");
        } else {
            self.painter.sheet.put(Ink::Bold, "Plan:");
            self.draw_totals(&counts);
            out.push_str(&std::mem::take(&mut self.painter.sheet.text));
        }
        if let Some(version) = &self.plan.terraform_version {
            out.push_str(" <span class=\"soft\">");
            push_html(out, &format!("{} {version}", self.program.name()));
            out.push_str("</span>");
        }
        out.push_str("</p>\n");
    }
}
