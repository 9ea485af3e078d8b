//! The picture of a plan: as Terraform draws it, with what is known of values that are not known yet.
//!
//! | file | holds |
//! |---|---|
//! | this one | the whole plan: what happened outside, what is planned, outputs, totals |
//! | `change_node` | a change as a tree |
//! | `compare` | both sides of a value become such a tree |
//! | `draw` | the tree becomes text |
//! | `resource` | a resource: what happens to it and why |
//! | `html` | the plan as an HTML page |
//! | `order` | the order of resources |
//! | `places`, `subsequence` | paths that mean something in a value; what two sequences have in common |
//! | `prose` | the sentences between the resources |
//! | `sheet` | colours, and what is escaped |

mod change_node;
mod compare;
mod draw;
mod html;
mod order;
mod places;
mod prose;
mod resource;
mod sheet;
mod subsequence;

use std::collections::BTreeMap;
use std::io;

pub use self::draw::Knowledge;

use self::change_node::{Act, ChangeNode};
use self::compare::{Declared, Manner, Sides, compare};
use self::draw::Painter;
use self::places::Places;
use self::resource::{DrawnResource, Program, Section};
use self::sheet::{Ink, Sheet};
use crate::plan::knowledge::side_marks::sides_with_common_marks;
use crate::plan::{Action, Change, Mode, Plan};
use crate::schema::ProviderSchemas;

use super::report::render::{Colour, Medium};

/// The length in bytes from which the text of a picture is handed to the writer.
const PIECE: usize = 1 << 16;

/// How [`Plan::write_picture`] draws a plan.
///
/// ```
/// use plantime::plan::{Colour, Knowledge, PictureStyle};
///
/// let style = PictureStyle::new(Colour::Never).knowledge(Knowledge::Everything).columns(100);
/// # let _ = style;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PictureStyle {
    colour: Colour,
    knowledge: Knowledge,
    columns: usize,
    shows_values: bool,
}

impl PictureStyle {
    /// The style that draws what helps a reader, in 78 columns.
    pub fn new(colour: Colour) -> PictureStyle {
        PictureStyle { colour, knowledge: Knowledge::default(), columns: 78, shows_values: false }
    }

    /// The style that says this much of values that are not known yet.
    #[must_use]
    pub fn knowledge(self, knowledge: Knowledge) -> PictureStyle {
        PictureStyle { knowledge, ..self }
    }

    /// The style that shows values of which neither the plan nor a schema says whether they are sensitive.
    #[must_use]
    pub fn show_values(self) -> PictureStyle {
        PictureStyle { shows_values: true, ..self }
    }

    /// The style whose sentences are at most this wide. Values are never broken.
    #[must_use]
    pub fn columns(self, columns: usize) -> PictureStyle {
        PictureStyle { columns, ..self }
    }
}

impl Plan {
    /// The plan as Terraform draws it: see [`write_picture`](Plan::write_picture).
    ///
    /// ```
    /// use plantime::plan::{Colour, PictureStyle, Plan, example};
    /// use plantime::schema::ProviderSchemas;
    ///
    /// let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS)?;
    /// let plan = Plan::read(example::PLAN, &schemas)?;
    /// let picture = plan.picture(&schemas, PictureStyle::new(Colour::Never));
    /// assert!(picture.contains("  # aws_vpc.main will be created\n  + resource \"aws_vpc\" \"main\" {\n"));
    /// assert!(picture.contains("Plan: 18 to add, 1 to change, 3 to destroy."));
    /// # Ok::<(), plantime::Error>(())
    /// ```
    pub fn picture(&self, schemas: &ProviderSchemas, style: PictureStyle) -> String {
        let mut out = Vec::new();
        // Writing to memory cannot fail, and what is written is UTF-8.
        let _ = self.write_picture(&mut out, schemas, style);
        String::from_utf8(out).unwrap_or_default()
    }

    /// Writes the plan as Terraform draws it, one resource at a time: what has changed outside, what is planned, the
    /// outputs, the totals. The schemas are those that the plan was read with: they tell blocks from attributes.
    ///
    /// | [`Knowledge`] | an unknown id that begins with `vpc-` |
    /// |---|---|
    /// | `Nothing` | `(known after apply)`, as in Terraform's own text |
    /// | `Helpful` | `"vpc-${(known after apply)}"` |
    /// | `Everything` | `(known after apply, not null, starts with "vpc-")` |
    ///
    /// Sensitive values are drawn as `(sensitive value)`; so are those of plans in a format before 1.0, which does not say
    /// what is sensitive, where no schema says it either (but not with `Knowledge::Nothing`). Control characters of names and values are escaped.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_picture(
        &self,
        mut writer: impl io::Write,
        schemas: &ProviderSchemas,
        style: PictureStyle,
    ) -> io::Result<()> {
        let mut sheet = Sheet::new(Medium::Text(style.colour));
        let mut easel = Easel::new(self, schemas, style, &mut sheet);
        easel.draw_plan(|text| {
            writer.write_all(text.as_bytes())?;
            text.clear();
            Ok(())
        })
    }
}

/// What the drawing of a whole plan needs everywhere.
struct Easel<'p, 's> {
    plan: &'p Plan,
    schemas: &'p ProviderSchemas,
    painter: Painter<'s>,
    columns: usize,
    program: Program,
    manner: Manner,
}

/// How many resources are planned to be what.
#[derive(Default)]
struct Counts {
    import: usize,
    add: usize,
    change: usize,
    destroy: usize,
    forget: usize,
}

/// The symbols of the legend, in their order there.
const LEGEND: [(&[Action], &str, Ink, &str); 7] = [
    (&[Action::Create], "  ", Ink::Green, "+ create"),
    (&[Action::Update], "  ", Ink::Yellow, "~ update in-place"),
    (&[Action::Delete], "  ", Ink::Red, "- destroy"),
    (&[Action::Delete, Action::Create], "", Ink::Red, "-/+ destroy and then create replacement"),
    (&[Action::Create, Action::Delete], "", Ink::Green, "+/- create replacement and then destroy"),
    (&[Action::Forget, Action::Create], "", Ink::Red, "./+ forget and then create replacement"),
    (&[Action::Read], " ", Ink::Cyan, "<= read (data resources)"),
];

impl<'p, 's> Easel<'p, 's> {
    fn new(
        plan: &'p Plan,
        schemas: &'p ProviderSchemas,
        style: PictureStyle,
        sheet: &'s mut Sheet,
    ) -> Easel<'p, 's> {
        let all = || plan.resource_changes.iter().chain(&plan.resource_drift);
        let is_tofu = all().any(|resource| resource.provider_name.starts_with("registry.opentofu.org/"));
        let program = if is_tofu { Program::OpenTofu } else { Program::Terraform };
        let manner = Manner {
            by_position: !is_tofu && compares_by_position(plan.terraform_version.as_deref()),
            is_discreet: style.knowledge != Knowledge::Nothing,
            shows_unstated: style.shows_values || style.knowledge == Knowledge::Nothing,
        };
        let painter = Painter { sheet, knowledge: style.knowledge };
        Easel { plan, schemas, painter, columns: style.columns, program, manner }
    }

    /// Draws the plan. Calls `flush` with the text whenever it is long, and at the end.
    fn draw_plan(&mut self, mut flush: impl FnMut(&mut String) -> io::Result<()>) -> io::Result<()> {
        self.draw_gaps();
        let mut drift_count = 0usize;
        let relevant = self.relevant();
        for resource in order::in_order(&self.plan.resource_drift) {
            let places = relevant.get(resource.address.as_str()).cloned().unwrap_or_default();
            let drawn = self.resource(resource, Section::Drift, places);
            if !drawn.is_drawn() {
                continue;
            }
            if drift_count == 0 {
                self.draw_drift_head();
            }
            drift_count = drift_count.saturating_add(1);
            self.painter.sheet.end_line();
            drawn.draw(&mut self.painter);
            self.flush_if_long(&mut flush)?;
        }
        let outputs = self.outputs();
        let (counts, actions) = self.counts();
        let has_changes = !actions.is_empty();
        if drift_count > 0 {
            self.draw_drift_foot(has_changes || !outputs.is_empty());
        }
        if !has_changes && outputs.is_empty() {
            self.draw_no_changes(drift_count > 0);
            return flush(&mut self.painter.sheet.text);
        }
        if has_changes {
            self.draw_head(&actions);
            for resource in order::in_order(&self.plan.resource_changes) {
                let drawn = self.resource(resource, Section::Planned, Places::all());
                if drawn.is_drawn() {
                    self.painter.sheet.end_line();
                    drawn.draw(&mut self.painter);
                    self.flush_if_long(&mut flush)?;
                }
            }
            self.draw_counts(&counts);
        }
        if !outputs.is_empty() {
            self.painter.sheet.end_line();
            self.painter.sheet.put(Ink::Bold, "Changes to Outputs:");
            self.painter.sheet.end_line();
            self.painter.draw_outputs(self.plan.output_changes.keys(), &outputs);
            if counts.is_none() && !has_changes {
                self.draw_only_outputs();
            }
        }
        flush(&mut self.painter.sheet.text)
    }

    /// Hands the text to `flush` if it is long.
    fn flush_if_long(&mut self, flush: &mut impl FnMut(&mut String) -> io::Result<()>) -> io::Result<()> {
        if self.painter.sheet.text.len() > PIECE { flush(&mut self.painter.sheet.text) } else { Ok(()) }
    }

    /// A resource with the tree of its change.
    fn resource<'r>(
        &self,
        resource: &'r crate::plan::ResourceChange,
        section: Section,
        relevant: Places<'_>,
    ) -> DrawnResource<'r> {
        DrawnResource::new(resource, self.schemas, section, relevant, (self.program, self.manner))
    }

    /// The places of each resource that contributed to the plan.
    fn relevant(&self) -> BTreeMap<&'p str, Places<'p>> {
        // A plan without changes was made to record what happened outside: then everything matters.
        let is_refresh = self.plan.resource_changes.iter().all(|resource| resource.change.is_no_op());
        let mut paths: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        if is_refresh {
            let all = self.plan.resource_drift.iter();
            return all.map(|resource| (resource.address.as_str(), Places::all())).collect();
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
                Some((address, Places::of(paths.iter().copied()).with_parts()))
            })
            .collect()
    }

    /// How many resources are planned to be what, and the actions that are drawn.
    fn counts(&self) -> (Counts, Vec<&'p [Action]>) {
        let mut counts = Counts::default();
        let mut actions: Vec<&[Action]> = Vec::new();
        for resource in &self.plan.resource_changes {
            let change = &resource.change;
            let has_moved =
                resource.previous_address.as_ref().is_some_and(|previous| *previous != resource.address);
            let is_vanishing_data = resource.mode != Mode::Managed && change.actions == [Action::Delete];
            if is_vanishing_data || (change.is_no_op() && !has_moved && change.importing.is_none()) {
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

    /// The outputs that change, with the trees of their changes.
    fn outputs(&self) -> Vec<(&'p String, ChangeNode)> {
        let changing = self.plan.output_changes.iter().filter(|(_, change)| !change.is_no_op());
        changing
            .map(|(name, change)| (name, self.output(change)))
            .filter(|(_, node)| node.act != Act::Same)
            .collect()
    }

    /// The tree of an output's change.
    fn output(&self, change: &Change) -> ChangeNode {
        let is_new = change.actions == [Action::Create];
        let goes = change.actions == [Action::Delete];
        let (before, after) = match self.manner.is_discreet {
            true => sides_with_common_marks(change),
            false => (change.before.clone(), change.after.clone()),
        };
        let sides = Sides {
            before: before.as_ref().filter(|_| !is_new),
            after: after.as_ref().filter(|_| !goes),
            forcing: Places::default(),
            relevant: Places::all(),
        };
        compare(&sides, Declared::Nothing, self.manner)
    }
}

impl Counts {
    /// Whether nothing is counted.
    fn is_none(&self) -> bool {
        [self.import, self.add, self.change, self.destroy, self.forget].iter().all(|count| *count == 0)
    }
}

/// Whether this version of Terraform compares lists of the same length by position.
fn compares_by_position(version: Option<&str>) -> bool {
    let mut numbers = version.unwrap_or_default().split('.').map(|number| number.parse::<u32>().ok());
    match (numbers.next().flatten(), numbers.next().flatten()) {
        (Some(major), Some(minor)) => (major, minor) >= (1, 7),
        _ => true,
    }
}
