//! Reads `assume` blocks.

use super::body::Level;
use super::{Placed, Reader, unknown_name};
use crate::plan::address::AddressPattern;
use crate::plan::checking::replacement::ForcesNew;
use crate::plan::knowledge::assumption::Assumption;
use crate::plan::rules::rules_file::{RulesFile, StatedAssumption};
use plantime::Refinement;
use plantime::rule::{ForceNew, PathExpr};
use plantime::unstable::refinement::refinement_names;
use plantime_hcl::{Argument, Block, Expression};

/// The assumption that messages show as an example.
const EXAMPLE: &str = "assumed(notnull(stringprefix(\"vpc-\")))";

impl Reader {
    /// Reads an `assume` block.
    pub(super) fn read_assume_block(&mut self, block: &Block, read: &mut RulesFile) {
        let Some(label) = self.single_label(block) else { return };
        let Some(target) = self.parse_address(&label, block) else { return };
        if block.body.items().is_empty() {
            self.add_problem(block, format!("nothing is assumed: write ATTRIBUTE = {EXAMPLE}"));
        }
        for attribute in &block.body.arguments {
            self.add_assumption(&target, &attribute.name, attribute, attribute, &mut read.assumptions);
        }
        for inner in &block.body.blocks {
            match &*inner.kind {
                "attribute" => {}
                "change" => {
                    read.forces_new.extend(self.read_force_new(&target, inner));
                    continue;
                }
                other => {
                    let message = unknown_name("block", other, &["attribute", "change"]);
                    self.add_problem(inner, message);
                    continue;
                }
            }
            let Some(path) = self.single_label(inner) else { continue };
            match inner.body.argument("value") {
                Some(value) if inner.body.items().len() == 1 => {
                    self.add_assumption(&target, &path, inner, value, &mut read.assumptions);
                }
                _ => self.add_problem(inner, format!("write attribute \"{path}\" {{ value = {EXAMPLE} }}")),
            }
        }
    }

    /// Reads a block `change "PATH" { force_new = true, when { … } }` about the resources of `target`; `None` after a
    /// problem, and for `force_new = false`.
    fn read_force_new(&mut self, target: &AddressPattern, block: &Block) -> Option<ForcesNew> {
        let position = self.position_of(block);
        let path: PathExpr = match self.single_label(block)?.parse() {
            Ok(path) => path,
            Err(error) => {
                self.add_problem(block, format!("{error}"));
                return None;
            }
        };
        let mut stated = None;
        for attribute in &block.body.arguments {
            match (&*attribute.name, &attribute.expression) {
                ("force_new", value) => match value.as_literal().and_then(|value| value.as_bool().ok()) {
                    Some(forces) => stated = Some(forces),
                    None => {
                        let message = format!("force_new takes true or false, not {}", value.description());
                        self.add_problem(value, message);
                        return None;
                    }
                },
                (other, _) => {
                    let message = unknown_name("argument", other, &["force_new"]);
                    self.add_problem(attribute, message);
                    return None;
                }
            }
        }
        let mut force_new = ForceNew::new(path);
        let mut guarded = false;
        for inner in &block.body.blocks {
            if &*inner.kind != "when" || guarded {
                self.add_problem(inner, "a `change` in `assume` takes one block, `when`");
                return None;
            }
            guarded = true;
            self.expect_no_label(inner);
            let conditions = self.read_members(&inner.body, Level::Part);
            match self.conjunction(inner, conditions) {
                Some(condition) => force_new = force_new.when(condition),
                None => {
                    if self.problems.is_empty() {
                        self.add_problem(inner, "`when` needs a condition");
                    }
                    return None;
                }
            }
        }
        match stated {
            Some(true) => Some(ForcesNew { target: target.clone(), force_new, position }),
            Some(false) => None,
            None => {
                self.add_problem(block, "write change \"PATH\" { force_new = true }");
                None
            }
        }
    }

    /// Reads the assumption about one path of the resources of `target` and adds it to `stated`. Problems with the
    /// path are reported at `place`.
    fn add_assumption(
        &mut self,
        target: &AddressPattern,
        path: &str,
        place: &impl Placed,
        value: &Argument,
        stated: &mut Vec<StatedAssumption>,
    ) {
        let path: Option<PathExpr> = match path.parse() {
            Ok(path) => Some(path),
            Err(error) => {
                self.add_problem(place, format!("{error}"));
                None
            }
        };
        let Some(refinement) = self.read_assumed(&value.expression) else { return };
        if let Some(path) = path {
            let position = self.position_of(place);
            let assumption = Assumption::new(target.clone(), path, refinement);
            stated.push(StatedAssumption { assumption, position });
        }
    }

    /// Reads a call `assumed(R, …)` as the refinement that its arguments describe; `None` after a problem.
    pub(super) fn read_assumed(&mut self, expression: &Expression) -> Option<Refinement> {
        let Some(("assumed", arguments)) = expression.as_call() else {
            self.add_problem(expression, format!("expected an assumption such as {EXAMPLE}"));
            return None;
        };
        self.read_refinement(expression, &arguments)
    }

    /// Reads the arguments of a call as one refinement; `None` after a problem.
    pub(super) fn read_refinement(
        &mut self,
        expression: &Expression,
        arguments: &[Expression],
    ) -> Option<Refinement> {
        let mut written = String::new();
        for argument in arguments {
            if !written.is_empty() {
                written.push_str(", ");
            }
            if argument.as_call().is_none() {
                let found = argument.description();
                self.add_problem(argument, format!("expected a refinement such as notnull(), not {found}"));
                return None;
            }
            self.write(argument, &mut written)?;
        }
        if written.is_empty() {
            self.add_problem(expression, format!("nothing is assumed: write {EXAMPLE}"));
            return None;
        }
        match written.parse() {
            Ok(refinement) => Some(refinement),
            Err(error) => {
                // The column is that of the refinement's own text.
                let message = error.to_string();
                let message = match message.split_once(": ") {
                    Some((place, rest)) if place.starts_with("column ") => rest,
                    _ => &message,
                };
                self.add_problem(expression, message);
                None
            }
        }
    }

    /// Writes the text form of the refinement that a call stands for; `None` after a problem.
    fn write(&mut self, expression: &Expression, out: &mut String) -> Option<()> {
        if let Some(literal) = expression.as_literal() {
            if let Ok(text) = literal.as_str() {
                return plantime::unstable::text::write_quoted(out, text).ok();
            }
            if literal.as_number().is_ok() {
                out.push_str(self.source.text().get(expression.span()).unwrap_or_default());
                return Some(());
            }
        }
        let Some((name, arguments)) = expression.as_call() else {
            let message =
                format!("expected a refinement such as notnull(), not {}", expression.description());
            self.add_problem(expression, message);
            return None;
        };
        let names = refinement_names();
        if !names.contains(&name) {
            let message = unknown_name("refinement", name, &names);
            self.add_problem(expression, message);
            return None;
        }
        out.push_str(name);
        out.push('(');
        for (i, argument) in arguments.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            self.write(argument, out)?;
        }
        out.push(')');
        Some(())
    }
}
