//! Renders a plan as an HTML page.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::resource::{Section, is_listed};
use super::styled_text::{Style, StyledText};
use super::{FLUSH_LENGTH, Markup, PlanWriter, RelativePaths, RenderStyle, order};
use crate::plan::checking::known_references::KnownReferences;
use crate::plan::page::{push_entry, push_entry_end, push_foot, push_head, push_place};
use crate::plan::report::render::{first_few, plural, push_html};
use crate::plan::{Action, Configuration, Plan};
use plantime::{Path, Step, View};
use plantime_schema::ProviderSchemas;

/// The kinds of entries, in the order of the check boxes that filter by them.
const KINDS: [&str; 9] =
    ["create", "update", "replace", "delete", "read", "move", "forget", "outside", "output"];

/// The number of unknown values that are listed because others depend on them.
const ROOTS: usize = 20;

/// The number of unknown attributes that are followed to what they depend on.
const FOLLOWED: usize = 10_000;

impl Plan {
    /// Writes the plan as one HTML file, which loads nothing else and can be read without its script. Each resource is an
    /// entry that folds; the script filters entries by text and kind. Above them stand the values that most unknown
    /// attributes depend on, as far as the plan says it (a plan in JSON does). `name` is the title of the page. Values are
    /// written as by [`render`](Plan::render). With a configuration, each entry links to the line that declares its resource or
    /// output, relative to the page (`./main.tf#L12`).
    ///
    /// ```
    /// use plantime_terraform::plan::{Colour, Plan, RenderStyle, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
    /// let plan = Plan::read(example::PLAN, &schemas)?;
    /// let mut page = Vec::new();
    /// plan.render_html(&mut page, "network", &schemas, RenderStyle::new(Colour::Never), None)?;
    /// assert!(page.starts_with(b"<!doctype html>"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn render_html(
        &self,
        mut writer: impl io::Write,
        name: &str,
        schemas: &ProviderSchemas,
        style: RenderStyle,
        configuration: Option<&Configuration>,
    ) -> io::Result<()> {
        let declaration =
            |address: &str| configuration.and_then(|configuration| configuration.declaration(address));
        let mut out = String::new();
        let occurring = occurring_kinds(self);
        let choice: Vec<&str> = KINDS.into_iter().filter(|kind| occurring.contains(kind)).collect();
        push_head(&mut out, name, &choice);
        let mut output = StyledText::new(Markup::Html);
        let mut plan_writer = PlanWriter::new(self, schemas, style, &mut output);
        plan_writer.push_totals(&mut out);
        push_roots(self, &mut out);
        let mut write = |out: &mut String, is_end: bool| {
            if is_end || out.len() > FLUSH_LENGTH {
                writer.write_all(out.as_bytes())?;
                out.clear();
            }
            io::Result::Ok(())
        };
        let relevant_paths = plan_writer.relevant_paths();
        for (section, resources, title) in [
            (Section::Drift, &self.resource_drift, "Changed outside"),
            (Section::Planned, &self.resource_changes, "Planned"),
        ] {
            let mut is_first = true;
            for resource in order::in_order(resources) {
                let paths = match section {
                    Section::Drift => {
                        relevant_paths.get(resource.address.as_str()).cloned().unwrap_or_default()
                    }
                    Section::Planned => RelativePaths::all(),
                };
                let diff = plan_writer.resource(resource, section, paths);
                if !diff.has_visible_change() {
                    continue;
                }
                if std::mem::take(&mut is_first) {
                    out.push_str(&format!("<h2>{title}</h2>\n"));
                }
                diff.write_summary(&mut plan_writer.writer);
                let mut summary = std::mem::take(&mut plan_writer.writer.output.text);
                if let Some(place) = declaration(&resource.address) {
                    push_place(&mut summary, &place);
                }
                push_entry(&mut out, kind(section, &resource.change.actions), &summary);
                diff.write_content(&mut plan_writer.writer);
                out.push_str(&std::mem::take(&mut plan_writer.writer.output.text));
                push_entry_end(&mut out);
                write(&mut out, false)?;
            }
        }
        let outputs = plan_writer.outputs();
        if !outputs.is_empty() {
            out.push_str("<h2>Outputs</h2>\n");
            for (name, node) in outputs {
                let mut summary = String::new();
                push_html(&mut summary, name);
                if let Some(place) = declaration(&format!("output.{name}")) {
                    push_place(&mut summary, &place);
                }
                push_entry(&mut out, "output", &summary);
                plan_writer.writer.write_outputs(std::iter::once(name), &[(name, node)]);
                out.push_str(&std::mem::take(&mut plan_writer.writer.output.text));
                push_entry_end(&mut out);
                write(&mut out, false)?;
            }
        }
        push_foot(&mut out);
        write(&mut out, true)
    }
}

/// Adds the values that unknown attributes depend on, those of most resources first.
fn push_roots(plan: &Plan, out: &mut String) {
    let mut dependents: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let known = KnownReferences::new(plan);
    let unknown = plan.resource_changes.iter().flat_map(|resource| {
        let attributes = match resource.change.after.as_ref().map(|after| after.view()) {
            Some(View::Object(object)) => {
                object.iter().filter(|(_, value)| !value.is_wholly_known()).map(|(name, _)| name).collect()
            }
            _ => Vec::new(),
        };
        attributes.into_iter().map(|name| (resource.address.as_str(), name))
    });
    for (address, name) in unknown.take(FOLLOWED) {
        let mut roots = plan.references.of(address, &Path::from_iter([Step::attr(name)]));
        // Nothing that the plan knows is a cause; a local value, which no plan has, is one only where nothing else is.
        roots.retain(|root| !known.is_known(root));
        if roots.iter().any(|root| !root.starts_with("local.")) {
            roots.retain(|root| !root.starts_with("local."));
        }
        for root in roots {
            dependents.entry(root).or_default().insert(address);
        }
    }
    if dependents.is_empty() {
        return;
    }
    let mut roots: Vec<(String, BTreeSet<&str>)> = dependents.into_iter().collect();
    roots.sort_by_key(|(_, addresses)| std::cmp::Reverse(addresses.len()));
    out.push_str(
        "<details open class=\"rules\"><summary>Values that unknown attributes depend on</summary>\n<ul>\n",
    );
    for (root, addresses) in roots.iter().take(ROOTS) {
        let names: Vec<String> = addresses.iter().map(|address| (*address).to_owned()).collect();
        out.push_str("<li>");
        push_html(out, root);
        out.push_str(&format!(": {} {} ", names.len(), plural(names.len(), "resource")));
        out.push_str("<span class=\"soft\">· ");
        push_html(out, &first_few(&names));
        out.push_str("</span></li>\n");
    }
    if let Some(more) = roots.len().checked_sub(ROOTS).filter(|more| *more > 0) {
        out.push_str(&format!("<li>and {more} more</li>\n"));
    }
    out.push_str("</ul></details>\n");
}

/// The kinds that entries of this plan have.
fn occurring_kinds(plan: &Plan) -> BTreeSet<&'static str> {
    let listed = plan.resource_changes.iter().filter(|resource| is_listed(resource));
    let mut kinds: BTreeSet<&str> =
        listed.map(|resource| kind(Section::Planned, &resource.change.actions)).collect();
    if !plan.resource_drift.is_empty() {
        kinds.insert("outside");
    }
    if plan.output_changes.values().any(|change| !change.is_no_op()) {
        kinds.insert("output");
    }
    kinds
}

/// The kind of a resource's entry.
fn kind(section: Section, actions: &[Action]) -> &'static str {
    if section == Section::Drift {
        return "outside";
    }
    match actions {
        [Action::Create] => "create",
        [Action::Update] => "update",
        [Action::Delete] => "delete",
        [Action::Read] => "read",
        [Action::Forget] => "forget",
        actions if actions.contains(&Action::Create) => "replace",
        _ => "move",
    }
}

impl PlanWriter<'_, '_> {
    /// Adds warnings about an incomplete plan, and the totals.
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
            self.writer.output.styled(Style::Bold, "Plan:");
            self.write_totals(&counts);
            out.push_str(&std::mem::take(&mut self.writer.output.text));
        }
        if let Some(version) = &self.plan.terraform_version {
            out.push_str(" <span class=\"soft\">");
            push_html(out, &format!("{} {version}", self.program.name()));
            out.push_str("</span>");
        }
        out.push_str("</p>\n");
    }
}
