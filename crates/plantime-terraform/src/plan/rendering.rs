//! Renders a plan as text or HTML, as Terraform does, with the refinements of unknown values.
//!
//! | file | holds |
//! |---|---|
//! | this one | renders the whole plan: changes outside of Terraform, planned changes, outputs, totals |
//! | `diff_node` | the difference between two values, as a tree |
//! | `compare` | compares the value before and after, and builds the tree |
//! | `write` | writes the tree as text |
//! | `resource` | renders one resource: the action, its reason, the difference |
//! | `attributes` | draws some attributes of a resource, for the reports of checks |
//! | `html` | renders the plan as an HTML page |
//! | `order` | sorts resources by address |
//! | `relative_paths`, `subsequence` | the paths of a plan that lie below a value; the longest common subsequence |
//! | `sentences` | writes the sentences around the resources |
//! | `styled_text` | text with colours, escaped |

pub(in crate::plan) mod attributes;
mod compare;
mod diff_node;
mod html;
mod order;
mod relative_paths;
pub(in crate::plan) mod resource;
mod sentences;
mod styled_text;
pub(in crate::plan) mod subsequence;
mod write;

use std::collections::BTreeMap;
use std::io;

pub use self::write::UnknownDetail;

use self::compare::{CompareOptions, Declared, Sides, compare};
use self::diff_node::{DiffAction, DiffNode};
use self::relative_paths::RelativePaths;
use self::resource::{ResourceDiff, Section};
use self::styled_text::{Style, StyledText};
use self::write::DiffWriter;
use crate::plan::knowledge::side_marks::sides_with_common_marks;
use crate::plan::words::Program;
use crate::plan::{Action, Change, Mode, Plan, PlanMode};
use plantime::{Value, View};
use plantime_schema::ProviderSchemas;

use super::report::render::{Colour, Markup};

/// The number of bytes that are buffered before they are written.
const FLUSH_LENGTH: usize = 1 << 16;

/// How [`Plan::render`] writes a plan: colours, width, and how much it says of unknown values.
///
/// ```
/// use plantime_terraform::plan::{Colour, RenderStyle, UnknownDetail};
///
/// let style = RenderStyle::new(Colour::Never).unknown_detail(UnknownDetail::Full).columns(100);
/// # let _ = style;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RenderStyle {
    colour: Colour,
    unknown_detail: UnknownDetail,
    columns: usize,
    shows_values: bool,
}

impl RenderStyle {
    /// A style with [`UnknownDetail::Summary`], 78 columns wide.
    ///
    /// [Example](RenderStyle)
    pub fn new(colour: Colour) -> RenderStyle {
        RenderStyle { colour, unknown_detail: UnknownDetail::default(), columns: 78, shows_values: false }
    }

    /// Sets how much the text says of unknown values.
    ///
    /// [Example](RenderStyle)
    #[must_use]
    pub fn unknown_detail(self, unknown_detail: UnknownDetail) -> RenderStyle {
        RenderStyle { unknown_detail, ..self }
    }

    /// Shows values even if neither the plan nor a schema says whether they are sensitive.
    ///
    /// [Example](RenderStyle)
    #[must_use]
    pub fn show_values(self) -> RenderStyle {
        RenderStyle { shows_values: true, ..self }
    }

    /// Sets the width at which sentences are broken, in columns. Values are never broken.
    ///
    /// [Example](RenderStyle)
    #[must_use]
    pub fn columns(self, columns: usize) -> RenderStyle {
        RenderStyle { columns, ..self }
    }
}

impl Plan {
    /// Renders the plan as a string: see [`render`](Plan::render).
    ///
    /// ```
    /// use plantime_terraform::plan::{Colour, Plan, RenderStyle, example};
    /// use plantime_schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
    /// let plan = Plan::read(example::PLAN, &schemas)?;
    /// let text = plan.rendered(&schemas, RenderStyle::new(Colour::Never));
    /// assert!(text.contains("  # aws_vpc.main will be created\n  + resource \"aws_vpc\" \"main\" {\n"));
    /// assert!(text.contains("Plan: 18 to add, 1 to change, 3 to destroy."));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn rendered(&self, schemas: &ProviderSchemas, style: RenderStyle) -> String {
        let mut out = Vec::new();
        // Writing to memory cannot fail, and what is written is UTF-8.
        let _ = self.render(&mut out, schemas, style);
        String::from_utf8(out).unwrap_or_default()
    }

    /// Writes the plan in the format of `terraform show`, one resource at a time: changes made outside of Terraform, planned
    /// changes, outputs, totals. Pass the schemas that the plan was read with: without the schema of a resource, its
    /// nested blocks are written as attributes.
    ///
    /// | [`UnknownDetail`] | an unknown id that begins with `vpc-` |
    /// |---|---|
    /// | `Omitted` | `(known after apply)`, as in Terraform's own text |
    /// | `Summary` | `"vpc-${(known after apply)}"` |
    /// | `Full` | `(known after apply, not null, starts with "vpc-")` |
    ///
    /// Sensitive values are written as `(sensitive value)`. Plans in a format before 1.0 do not say which values are
    /// sensitive: where no schema says it either, all values of the resource are hidden, except with
    /// `UnknownDetail::Omitted`. Control characters in names and values are escaped.
    ///
    /// [Example](Plan::rendered)
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn render(
        &self,
        mut writer: impl io::Write,
        schemas: &ProviderSchemas,
        style: RenderStyle,
    ) -> io::Result<()> {
        let mut output = StyledText::new(Markup::Terminal(style.colour));
        let mut plan_writer = PlanWriter::new(self, schemas, style, &mut output);
        plan_writer.write_plan(|text| {
            writer.write_all(text.as_bytes())?;
            text.clear();
            Ok(())
        })
    }
}

/// Renders one plan.
struct PlanWriter<'p, 's> {
    plan: &'p Plan,
    schemas: &'p ProviderSchemas,
    writer: DiffWriter<'s>,
    columns: usize,
    program: Program,
    options: CompareOptions,
}

/// The totals of a plan: how many resources each action applies to.
#[derive(Default)]
struct Counts {
    import: usize,
    add: usize,
    change: usize,
    destroy: usize,
    forget: usize,
}

/// The legend: actions, the indent and colour of their symbol, the symbol with its meaning. In the order of the text.
const LEGEND: [(&[Action], &str, Style, &str); 7] = [
    (&[Action::Create], "  ", Style::Green, "+ create"),
    (&[Action::Update], "  ", Style::Yellow, "~ update in-place"),
    (&[Action::Delete], "  ", Style::Red, "- destroy"),
    (&[Action::Delete, Action::Create], "", Style::Red, "-/+ destroy and then create replacement"),
    (&[Action::Create, Action::Delete], "", Style::Green, "+/- create replacement and then destroy"),
    (&[Action::Forget, Action::Create], "", Style::Red, "./+ forget and then create replacement"),
    (&[Action::Read], " ", Style::Cyan, "<= read (data resources)"),
];

impl<'p, 's> PlanWriter<'p, 's> {
    fn new(
        plan: &'p Plan,
        schemas: &'p ProviderSchemas,
        style: RenderStyle,
        output: &'s mut StyledText,
    ) -> PlanWriter<'p, 's> {
        let all = || plan.resource_changes.iter().chain(&plan.resource_drift);
        let is_tofu = all().any(|resource| Program::of(resource) == Program::OpenTofu);
        let program = if is_tofu { Program::OpenTofu } else { Program::Terraform };
        let is_recent = !is_tofu && is_recent(plan.terraform_version.as_deref());
        let options = CompareOptions {
            by_position: is_recent,
            empty_by_schema: is_recent,
            hides_marked_content: style.unknown_detail != UnknownDetail::Omitted,
            shows_unstated: style.shows_values || style.unknown_detail == UnknownDetail::Omitted,
        };
        let unknown_detail = style.unknown_detail;
        let writer =
            DiffWriter { output, unknown_detail, is_compact: false, by_position: options.by_position };
        PlanWriter { plan, schemas, writer, columns: style.columns, program, options }
    }

    /// Writes the plan. Calls `flush` with the text, which it empties, at [`FLUSH_LENGTH`] bytes and at the end.
    fn write_plan(&mut self, mut flush: impl FnMut(&mut String) -> io::Result<()>) -> io::Result<()> {
        self.write_gaps();
        let mut has_drift = false;
        let relevant_paths = self.relevant_paths();
        for resource in order::in_order(&self.plan.resource_drift) {
            let paths = relevant_paths.get(resource.address.as_str()).cloned().unwrap_or_default();
            let diff = self.resource(resource, Section::Drift, paths);
            if !diff.has_visible_change() {
                continue;
            }
            if !std::mem::replace(&mut has_drift, true) {
                self.write_drift_head();
            }
            self.writer.output.end_line();
            diff.write(&mut self.writer);
            self.flush_if_long(&mut flush)?;
        }
        let outputs = self.outputs();
        let (counts, actions) = self.counts();
        let has_changes = !actions.is_empty();
        if has_drift {
            self.write_drift_foot(has_changes || !outputs.is_empty());
        }
        if !has_changes && outputs.is_empty() {
            self.write_no_changes(has_drift);
            return flush(&mut self.writer.output.text);
        }
        if has_changes {
            self.write_head(&actions);
            for resource in order::in_order(&self.plan.resource_changes) {
                let diff = self.resource(resource, Section::Planned, RelativePaths::all());
                if diff.has_visible_change() {
                    self.writer.output.end_line();
                    diff.write(&mut self.writer);
                    self.flush_if_long(&mut flush)?;
                }
            }
            self.write_counts(&counts);
        }
        if !outputs.is_empty() {
            self.writer.output.end_line();
            self.writer.output.styled(Style::Bold, "Changes to Outputs:");
            self.writer.output.end_line();
            self.writer.write_outputs(self.plan.output_changes.keys(), &outputs);
            if !has_changes {
                self.write_only_outputs();
            }
        }
        flush(&mut self.writer.output.text)
    }

    /// Calls `flush` with the text if that has reached [`FLUSH_LENGTH`] bytes.
    fn flush_if_long(&mut self, flush: &mut impl FnMut(&mut String) -> io::Result<()>) -> io::Result<()> {
        if self.writer.output.text.len() > FLUSH_LENGTH {
            flush(&mut self.writer.output.text)
        } else {
            Ok(())
        }
    }

    /// Compares the values of a resource before and after.
    fn resource<'r>(
        &self,
        resource: &'r crate::plan::ResourceChange,
        section: Section,
        relevant_paths: RelativePaths<'_>,
    ) -> ResourceDiff<'r> {
        ResourceDiff::new(resource, self.schemas, section, relevant_paths, (self.program, self.options))
    }

    /// The paths inside each resource changed outside of Terraform that the plan depends on, by address.
    fn relevant_paths(&self) -> BTreeMap<&'p str, RelativePaths<'p>> {
        let is_refresh = self.may_be_refresh_only();
        let mut paths: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        if is_refresh {
            let all = self.plan.resource_drift.iter();
            return all.map(|resource| (resource.address.as_str(), RelativePaths::all())).collect();
        }
        for (address, path) in &self.plan.relevant_attributes {
            paths.entry(address).or_default().push(path);
        }
        let drifted = self.plan.resource_drift.iter().map(|resource| resource.address.as_str());
        drifted
            .filter_map(|address| {
                let whole =
                    address.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')).map(|(whole, _)| whole);
                let paths = paths.get(address).or_else(|| paths.get(whole?))?;
                Some((address, RelativePaths::of(paths.iter().copied()).with_descendants()))
            })
            .collect()
    }

    /// Whether the plan may have been made with `-refresh-only`, so that every change made outside is shown. Such a plan lists no
    /// resource at all, not even one with the action no-op, and is applyable. A plan in JSON does not name the mode, and one of an
    /// older version does not say whether it is applyable.
    fn may_be_refresh_only(&self) -> bool {
        match self.plan.options.mode {
            Some(mode) => mode == PlanMode::RefreshOnly,
            None => self.plan.applyable != Some(false) && self.plan.resource_changes.is_empty(),
        }
    }

    /// The totals, and each list of actions that a resource of the text has.
    fn counts(&self) -> (Counts, Vec<&'p [Action]>) {
        let mut counts = Counts::default();
        let mut actions: Vec<&[Action]> = Vec::new();
        for resource in &self.plan.resource_changes {
            let change = &resource.change;
            if !resource::is_listed(resource) {
                continue;
            }
            if !actions.contains(&change.actions.as_slice()) {
                actions.push(&change.actions);
            }
            if resource.mode != Mode::Managed {
                continue;
            }
            let add = |count: &mut usize, is_one: bool| *count = count.saturating_add(usize::from(is_one));
            add(&mut counts.import, change.importing.is_some());
            add(&mut counts.add, change.has_action(&Action::Create));
            add(&mut counts.change, change.has_action(&Action::Update));
            add(&mut counts.destroy, change.has_action(&Action::Delete));
            add(&mut counts.forget, change.has_action(&Action::Forget));
        }
        (counts, actions)
    }

    /// The outputs that change, with their differences.
    fn outputs(&self) -> Vec<(&'p String, DiffNode)> {
        let changing = self.plan.output_changes.iter().filter(|(_, change)| !change.is_no_op());
        changing
            .map(|(name, change)| (name, self.output(change)))
            .filter(|(_, node)| node.action != DiffAction::Unchanged)
            .collect()
    }

    /// Compares the values of an output before and after.
    fn output(&self, change: &Change) -> DiffNode {
        let is_new = change.actions == [Action::Create];
        let goes = change.actions == [Action::Delete];
        let (before, after) = match self.options.hides_marked_content {
            true => sides_with_common_marks(change),
            false => (change.before.clone(), change.after.clone()),
        };
        let sides = Sides {
            before: before.as_ref().filter(|_| !is_new),
            after: after.as_ref().filter(|_| !goes),
            replace_paths: RelativePaths::default(),
            relevant_paths: RelativePaths::all(),
            tells_empty: true,
        };
        // An output that is null is none, and Terraform counts one that is sensitive and empty likewise.
        let mut sides = sides.without_nulls(self.options);
        let is_marked = |side: Option<&Value>| side.is_some_and(Value::is_marked);
        if !self.options.hides_marked_content && (is_marked(sides.before) || is_marked(sides.after)) {
            sides = sides.without_empty_strings();
        }
        compare(&sides, Declared::Nothing, self.options)
    }
}

/// Whether this version of Terraform compares lists of the same length by position where an element is gone, and tells an empty
/// string from null by the schema: 1.6.6 does neither, 1.8.4 to 1.15.5 do both.
fn is_recent(version: Option<&str>) -> bool {
    let mut numbers = version.unwrap_or_default().split('.').map(|number| number.parse::<u32>().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major), Some(minor)) => (major, minor) >= (1, 7),
        _ => true,
    }
}

/// The content of a string, marked or not; `None` for other values.
fn string_content(value: Option<&Value>) -> Option<&str> {
    match value.map(Value::view_below_marks) {
        Some(View::String(text)) => Some(text),
        _ => None,
    }
}
