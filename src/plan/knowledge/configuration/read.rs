//! Reads a configuration from HCL.

use std::collections::BTreeMap;

use hcl_edit::Span;
use hcl_edit::expr::{Expression, Traversal, TraversalOperator};
use hcl_edit::structure::{Block, Body};
use hcl_edit::template::{Directive, Element, Template};

use super::{AttributeFact, BlockStep, Configuration, InstanceKey, Reference, ResourceBlock, WrittenAs};
use crate::hcl;
use crate::path::{Path, Step};
use crate::source::{Problem, Source};
use crate::value::Value;

/// Attributes of a resource block that are Terraform's own, not the resource's.
const META_ATTRIBUTES: &[&str] = &["count", "for_each", "provider", "depends_on"];
/// Nested blocks that are Terraform's own, not the resource's.
const META_BLOCKS: &[&str] = &["lifecycle", "connection", "provisioner", "dynamic"];

/// First names of references that are not resource types.
const NOT_RESOURCES: &[&str] =
    &["var", "local", "module", "each", "count", "self", "path", "terraform", "ephemeral", "provider"];

impl Configuration {
    /// Reads the `*.tf` files of a root module: their names and texts, in any order.
    ///
    /// ```
    /// use plantime::plan::{Configuration, Source};
    ///
    /// let text = "resource \"aws_subnet\" \"a\" {\n  vpc_id = aws_vpc.main.id\n}\n";
    /// assert!(Configuration::read([Source::new("main.tf", text)]).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// Every file that is no HCL, with the place; and every `assumed(…)` in a resource, which only rules files say.
    pub fn read(files: impl IntoIterator<Item = Source>) -> Result<Configuration, Vec<Problem>> {
        let mut configuration = Configuration::default();
        let mut problems = Vec::new();
        let mut files: Vec<Source> = files.into_iter().collect();
        files.sort_by(|a, b| a.name().cmp(b.name()));
        for file in files {
            match hcl::parse_body(file.text()) {
                Ok(body) => {
                    problems.extend(misplaced_assumptions(&file, &body));
                    configuration.add_file(file, &body);
                }
                Err((place, message)) => problems.push(file.problem(place, message)),
            }
        }
        for name in &configuration.overridden {
            configuration.resources.remove(name);
        }
        if problems.is_empty() { Ok(configuration) } else { Err(problems) }
    }

    /// Adds the `resource` and `data` blocks of one file.
    fn add_file(&mut self, file: Source, body: &Body) {
        let name = file.name().rsplit(['/', '\\']).next().unwrap_or_default();
        let overrides = name == "override.tf" || name.ends_with("_override.tf");
        for block in body.blocks() {
            let kind = match block.ident.as_str() {
                "resource" => "",
                "data" => "data.",
                _ => continue,
            };
            let [type_name, name] = block.labels.as_slice() else { continue };
            let address = format!("{kind}{}.{}", type_name.as_str(), name.as_str());
            let position = file.position(block.span().map_or(0, |span| span.start));
            let mut declared = ResourceBlock {
                block: Some((self.sources.len(), position)),
                ignores_changes: ignores_changes(block),
                ..ResourceBlock::default()
            };
            collect_facts(&file, self.sources.len(), &mut Vec::new(), &block.body, true, &mut declared.facts);
            let twice = self.resources.insert(address.clone(), declared).is_some();
            if overrides || twice {
                self.overridden.insert(address);
            }
        }
        self.sources.push(file);
    }
}

/// Whether the `lifecycle` block of a resource has `ignore_changes`.
fn ignores_changes(block: &Block) -> bool {
    block.body.get_blocks("lifecycle").any(|lifecycle| lifecycle.body.has_attribute("ignore_changes"))
}

/// A problem for each `assumed(…)` in a resource block. Only rules files can hold assumptions; ignoring them would let
/// authors believe that they count.
fn misplaced_assumptions(file: &Source, body: &Body) -> Vec<Problem> {
    let mut problems = Vec::new();
    for block in body.blocks().filter(|block| matches!(block.ident.as_str(), "resource" | "data")) {
        let type_name = block.labels.first().map_or("TYPE", |label| label.as_str());
        misplaced_assumptions_in(file, type_name, &block.body, &mut problems);
    }
    problems
}

/// Adds the problems of one block. The parser nests no deeper than 64 blocks.
fn misplaced_assumptions_in(file: &Source, type_name: &str, body: &Body, problems: &mut Vec<Problem>) {
    for attribute in body.attributes().filter(|attribute| is_assumed(&attribute.value)) {
        let name = attribute.key.as_str();
        let message = format!(
            "`assumed` is read in rules files only: write assume \"{type_name}\" {{ {name} = assumed(…) }} there"
        );
        problems.push(file.problem(attribute.value.span().map_or(0, |span| span.start), message));
    }
    for block in body.blocks() {
        misplaced_assumptions_in(file, type_name, &block.body, problems);
    }
}

/// Whether an expression is a call `assumed(…)`, which only rules files may have: in a configuration it is reported as
/// misplaced.
fn is_assumed(expression: &Expression) -> bool {
    match expression {
        Expression::Parenthesis(inner) => is_assumed(inner.inner()),
        Expression::FuncCall(call) => !call.name.is_namespaced() && call.name.name.as_str() == "assumed",
        _ => false,
    }
}

/// Adds the facts of a block and its nested blocks to `found`. The parser nests no deeper than 64 blocks.
fn collect_facts(
    file: &Source,
    source: usize,
    place: &mut Vec<BlockStep>,
    body: &Body,
    resource: bool,
    found: &mut Vec<AttributeFact>,
) {
    for attribute in body.attributes() {
        let name = attribute.key.as_str();
        if resource && META_ATTRIBUTES.contains(&name) {
            continue;
        }
        if let Some(written) = written_as(&attribute.value) {
            let mut place = place.clone();
            place.push(BlockStep::Attribute(name.to_owned()));
            let position = file.position(attribute.span().map_or(0, |span| span.start));
            found.push(AttributeFact { place, written, source, position });
        }
    }
    // The number of blocks that a `dynamic` one becomes is not known, and they may come before the others.
    let dynamic: Vec<&str> = body
        .get_blocks("dynamic")
        .filter_map(|block| block.labels.first())
        .map(|label| label.as_str())
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for block in body.blocks() {
        let name = block.ident.as_str();
        if dynamic.contains(&name) || name == "dynamic" || (resource && META_BLOCKS.contains(&name)) {
            continue;
        }
        let count = counts.entry(name).or_default();
        place.push(BlockStep::Block(name.to_owned(), *count));
        *count = count.saturating_add(1);
        collect_facts(file, source, place, &block.body, false, found);
        place.pop();
    }
}

/// The reference or template that an expression is; `None` for all other expressions, from which no facts follow.
fn written_as(expression: &Expression) -> Option<WrittenAs> {
    match expression {
        Expression::Parenthesis(inner) => written_as(inner.inner()),
        Expression::Traversal(traversal) => reference(traversal).map(WrittenAs::Reference),
        Expression::StringTemplate(template) => {
            let elements: Vec<&Element> = template.iter().collect();
            match elements.as_slice() {
                // `"${x}"` is x itself: it may be null.
                [Element::Interpolation(only)] => written_as(&only.expr),
                elements => Some(WrittenAs::Beginning(literal_prefix(elements))),
            }
        }
        Expression::HeredocTemplate(heredoc) => Some(WrittenAs::Beginning(match heredoc.indent() {
            None => template_prefix(&heredoc.template),
            // `<<-` removes the smallest indent of all lines, so the prefix depends on lines that are not known.
            Some(_) => String::new(),
        })),
        _ => None,
    }
}

/// The literal prefix of a parsed template.
fn template_prefix(template: &Template) -> String {
    literal_prefix(&template.iter().collect::<Vec<_>>())
}

/// The literal text before the first `${` or `%{` of a template.
fn literal_prefix(elements: &[&Element]) -> String {
    let mut text = String::new();
    for element in elements {
        let strips = match element {
            Element::Literal(literal) => {
                text.push_str(literal.as_str());
                continue;
            }
            Element::Interpolation(interpolation) => interpolation.strip.strip_start(),
            Element::Directive(directive) => match directive.as_ref() {
                Directive::If(directive) => directive.if_expr.strip.strip_start(),
                Directive::For(directive) => directive.for_expr.strip.strip_start(),
            },
        };
        if strips {
            text.truncate(text.trim_end().len());
        }
        break;
    }
    crate::text::stable_prefix(&crate::text::nfc(&text)).to_owned()
}

/// The reference that a traversal is, if it leads to an attribute of a resource.
fn reference(traversal: &Traversal) -> Option<Reference> {
    let Expression::Variable(root) = &traversal.expr else { return None };
    let mut operators = traversal.operators.iter().map(|operator| operator.value()).peekable();
    let name = |operators: &mut dyn Iterator<Item = &TraversalOperator>| match operators.next() {
        Some(TraversalOperator::GetAttr(name)) => Some(name.as_str().to_owned()),
        _ => None,
    };
    let resource = match root.as_str() {
        "data" => format!("data.{}.{}", name(&mut operators)?, name(&mut operators)?),
        "resource" => format!("{}.{}", name(&mut operators)?, name(&mut operators)?),
        other if NOT_RESOURCES.contains(&other) => return None,
        type_name => format!("{type_name}.{}", name(&mut operators)?),
    };
    let instance = match operators.peek() {
        Some(TraversalOperator::Index(index)) => {
            let instance = instance_key(index)?;
            operators.next();
            instance
        }
        Some(TraversalOperator::LegacyIndex(index)) => {
            let instance = InstanceKey::Literal(Value::from(*index.value()));
            operators.next();
            instance
        }
        _ => InstanceKey::Only,
    };
    let mut steps = Path::new();
    for operator in operators {
        steps.push(match operator {
            TraversalOperator::GetAttr(name) => Step::attr(name.as_str()),
            TraversalOperator::Index(index) => Step::index(literal_key(index)?),
            TraversalOperator::LegacyIndex(index) => Step::index(*index.value()),
            TraversalOperator::AttrSplat(_) | TraversalOperator::FullSplat(_) => return None,
        });
    }
    // A reference to the whole resource gives an object with more attributes than the plan has.
    (!steps.is_empty()).then_some(Reference { resource, instance, path: steps })
}

/// The instance key in an index: a literal, `each.key` or `count.index`.
fn instance_key(index: &Expression) -> Option<InstanceKey> {
    if let Some(value) = literal_key(index) {
        return Some(InstanceKey::Literal(value));
    }
    let Expression::Traversal(traversal) = index else { return None };
    let [operator] = traversal.operators.as_slice() else { return None };
    match (&traversal.expr, operator.value()) {
        (Expression::Variable(root), TraversalOperator::GetAttr(name)) => {
            let own = matches!((root.as_str(), name.as_str()), ("each", "key") | ("count", "index"));
            own.then_some(InstanceKey::Own)
        }
        _ => None,
    }
}

/// The literal key or index of an index expression.
fn literal_key(index: &Expression) -> Option<Value> {
    match index {
        Expression::Number(number) => number.value().as_u64().map(Value::from),
        Expression::String(text) => Some(Value::from(text.as_str())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The facts of the resource `a.b`, as text.
    fn facts(body: &str) -> Vec<String> {
        let text = format!("resource \"a\" \"b\" {{\n{body}\n}}\n");
        let read = Configuration::read([Source::new("main.tf", text)]).expect("it parses");
        let declared = read.resource_block("a.b").expect("the resource is there");
        let mut facts = Vec::new();
        for fact in &declared.facts {
            let place: Vec<String> = fact
                .place
                .iter()
                .map(|place| match place {
                    BlockStep::Attribute(name) => name.clone(),
                    BlockStep::Block(name, nth) => format!("{name}#{nth}"),
                })
                .collect();
            let written = match &fact.written {
                WrittenAs::Reference(reference) => reference.to_string(),
                WrittenAs::Beginning(text) => format!("{text:?}"),
            };
            facts.push(format!("{} = {written}", place.join(".")));
        }
        facts
    }

    #[track_caller]
    fn says(expression: &str, expected: &str) {
        assert_eq!(facts(&format!("x = {expression}")), [format!("x = {expected}")]);
    }

    #[track_caller]
    fn says_nothing(expression: &str) {
        assert_eq!(facts(&format!("x = {expression}")), Vec::<String>::new());
    }

    #[test]
    fn bare_references_are_taken() {
        says("aws_vpc.main.id", "aws_vpc.main.id");
        says("(aws_vpc.main.id)", "aws_vpc.main.id");
        says("\"${aws_vpc.main.id}\"", "aws_vpc.main.id");
        says("resource.aws_vpc.main.id", "aws_vpc.main.id");
        says("data.aws_ami.x.id", "data.aws_ami.x.id");
        says("aws_subnet.main[\"app\"].id", "aws_subnet.main[\"app\"].id");
        says("aws_subnet.main[0].id", "aws_subnet.main[0].id");
        says("aws_subnet.main[each.key].id", "aws_subnet.main[each.key].id");
        says("aws_subnet.main[count.index].id", "aws_subnet.main[each.key].id");
        says("aws_vpc.main.tags[\"Name\"]", "aws_vpc.main.tags[\"Name\"]");
        says("aws_db.main.replicas[0].endpoint", "aws_db.main.replicas[0].endpoint");
    }

    #[test]
    fn other_expressions_say_nothing() {
        for expression in [
            "var.x",
            "local.x.y",
            "module.net.vpc_id",
            "each.value.cidr",
            "aws_vpc.main",
            "aws_vpc.main[0]",
            "aws_subnet.main[*].id",
            "aws_subnet.main.*.id",
            "aws_subnet.main[each.value].id",
            "aws_subnet.main[var.key].id",
            "lower(aws_vpc.main.id)",
            "true ? aws_vpc.main.id : null",
            "[aws_vpc.main.id]",
            "{ id = aws_vpc.main.id }",
            "\"text\"",
            "\"${var.x}\"",
        ] {
            says_nothing(expression);
        }
    }

    #[test]
    fn a_template_says_its_beginning() {
        says("\"orders-${random_id.s.hex}\"", "\"orders-\"");
        says("\"${var.a}-${var.b}\"", "\"\"");
        says("\"a.  ${~ var.b}\"", "\"a.\"");
        says("\"a %{ if var.x }b%{ endif }\"", "\"a \"");
        says("\"a. %{~ if var.x }b%{ endif }\"", "\"a.\"");
        says("\"a$${b}-${var.x}\"", "\"a${b}-\"");
        says("\"a\\n\\u00e9.${var.x}\"", "\"a\\né.\"");
        says("<<EOT\n#!/bin/sh\n${var.x}\nEOT", "\"#!/bin/sh\\n\"");
        says("<<-EOT\n  #!/bin/sh\n  ${var.x}\n  EOT", "\"\"");
        // What follows may join the last letter.
        says("\"abe${var.x}\"", "\"ab\"");
    }

    #[test]
    fn nested_blocks_are_counted_and_dynamic_ones_left_out() {
        let body = "
            count = aws_vpc.main.id
            route {
              gateway_id = aws_gateway.a.id
            }
            route {
              count = aws_gateway.b.id
            }
            dynamic \"ingress\" {
              for_each = aws_vpc.main.id
              content {
                x = aws_vpc.main.id
              }
            }
            ingress {
              y = aws_vpc.main.id
            }
            lifecycle {
              z = aws_vpc.main.id
            }";
        assert_eq!(
            facts(body),
            ["route#0.gateway_id = aws_gateway.a.id", "route#1.count = aws_gateway.b.id"]
        );
    }

    #[test]
    fn overridden_resources_say_nothing() {
        let block = "resource \"a\" \"b\" {\n  x = c.d.e\n}\n";
        let read = |files: &[&str]| {
            let files = files.iter().map(|name| Source::new(*name, block));
            Configuration::read(files).expect("it parses").resource_block("a.b").is_some()
        };
        assert!(read(&["main.tf"]));
        assert!(!read(&["main.tf", "x_override.tf"]));
        assert!(!read(&["dir/override.tf", "main.tf"]));
        assert!(!read(&["main.tf", "other.tf"]));
    }

    #[test]
    fn what_is_assumed_in_a_resource_is_told_not_passed_over() {
        let text =
            "resource \"a\" \"b\" {\n  id = assumed(notnull())\n  c {\n    d = (assumed(null()))\n  }\n}\n";
        let problems = Configuration::read([Source::new("main.tf", text)]).expect_err("nobody reads it");
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        let there = |name: &str| {
            format!(
                "`assumed` is read in rules files only: write assume \"a\" {{ {name} = assumed(…) }} there"
            )
        };
        assert_eq!(
            problems,
            [format!("main.tf:2:8: {}", there("id")), format!("main.tf:4:9: {}", there("d"))]
        );
        assert_eq!(facts("x = provider::b::assumed(1)"), Vec::<String>::new());
    }

    #[test]
    fn what_is_no_configuration_is_named_with_its_place() {
        let problems = Configuration::read([Source::new("main.tf", "resource \"a\" {\n  x = = 1\n}\n")]);
        let problems = problems.expect_err("it does not parse");
        assert!(problems[0].to_string().starts_with("main.tf:2:7: "), "{}", problems[0]);
    }
}
