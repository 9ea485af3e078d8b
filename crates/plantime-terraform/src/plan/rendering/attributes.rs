//! Draws some attributes of a resource, or an output, for the reports of checks: with a comment for each, small containers on
//! one line, unchanged values too.

use std::sync::Arc;

use super::compare::{CompareOptions, Declared, Sides, compare, compare_nested, is_unmarked_null};
use super::diff_node::{DiffAction, DiffKind, DiffNode, NestedBlock};
use super::relative_paths::RelativePaths;
pub(in crate::plan) use super::styled_text::LineComment;
use super::styled_text::StyledText;
use super::write::{DiffWriter, UnknownDetail};
use crate::plan::report::render::Markup;
use plantime::{Path, Type, Value};
use plantime_schema::Block;

/// An attribute or the nested blocks of one type, with both sides of the change.
#[derive(Clone, Debug)]
pub(in crate::plan) struct DrawnAttribute<'a> {
    pub(in crate::plan) name: &'a str,
    /// The value before; `None` if the resource is new.
    pub(in crate::plan) before: Option<&'a Value>,
    /// The planned value.
    pub(in crate::plan) after: &'a Value,
    /// Whether the plan says that a change at or inside it forces a replacement.
    pub(in crate::plan) forces_replacement: bool,
    /// A comment behind its first line.
    pub(in crate::plan) comment: Option<LineComment>,
}

/// How reports compare: marked content stays hidden; whoever asked for values that may be sensitive got them without marks.
const OPTIONS: CompareOptions = CompareOptions {
    by_position: true,
    empty_by_schema: false,
    hides_marked_content: true,
    shows_unstated: true,
};

/// The attributes as Terraform draws them, each on a line or more that end with a line end. Where there is a schema, attributes
/// that are nested blocks are drawn as blocks, after the others. `replace_paths` are the places that force a replacement,
/// `indent` is the level of the braces around the attributes: 0 for outputs.
pub(in crate::plan) fn draw_attributes(
    markup: Markup,
    attributes: &[DrawnAttribute<'_>],
    schema: Option<&Block>,
    replace_paths: &[Path],
    indent: usize,
) -> String {
    let replace_paths = RelativePaths::of(replace_paths);
    let mut lines: Vec<(&DrawnAttribute<'_>, DiffNode)> = Vec::new();
    let mut blocks: Vec<(&DrawnAttribute<'_>, Vec<NestedBlock>)> = Vec::new();
    for attribute in attributes {
        let present = |side: Option<&'_ Value>| side.is_some_and(|value| !is_unmarked_null(value));
        let sides = Sides {
            before: attribute.before.filter(|value| !is_unmarked_null(value)),
            after: Some(attribute.after).filter(|value| !is_unmarked_null(value)),
            replace_paths: replace_paths.below_name(attribute.name),
            relevant_paths: RelativePaths::all(),
            tells_empty: true,
        };
        if let Some(nested) = schema.and_then(|schema| schema.block_types.get(attribute.name)) {
            let (nested, _) = compare_nested(&sides, nested, OPTIONS);
            if !nested.is_empty() {
                blocks.push((attribute, nested));
                continue;
            }
        }
        let declared = schema.and_then(|schema| schema.attributes.get(attribute.name));
        let mut node = if declared.is_some_and(|declared| declared.write_only) {
            let action = DiffAction::of_presence(attribute.before.is_some(), true);
            DiffNode::new(action, DiffKind::WriteOnly)
        } else if !present(attribute.before) && !present(Some(attribute.after)) {
            // A rule is about it, so that it is null is worth a line.
            let action = DiffAction::of_presence(attribute.before.is_some(), true);
            DiffNode::new(action, DiffKind::Scalar { before: None, after: None })
        } else {
            // Without a schema, the type of the value says which collections are sets and maps.
            let own = if present(Some(attribute.after)) { attribute.after.ty() } else { Type::Dynamic };
            let own = match (own, attribute.before) {
                (Type::Dynamic, Some(before)) => before.ty(),
                (own, _) => own,
            };
            compare(&sides, declared.map_or(Declared::Type(&own), Declared::of_attribute), OPTIONS)
        };
        // The tree has no node for a place inside a set.
        node.forces_replacement |= attribute.forces_replacement && !node.has_forced_part();
        lines.push((attribute, node));
    }
    let mut output = StyledText::new(markup);
    let mut writer = DiffWriter {
        output: &mut output,
        unknown_detail: UnknownDetail::Summary,
        is_compact: true,
        by_position: OPTIONS.by_position,
    };
    writer.write_lines_of(&lines, indent);
    for (position, (attribute, nested)) in blocks.into_iter().enumerate() {
        if position > 0 || !lines.is_empty() {
            writer.output.end_line();
        }
        writer.output.line_comment = attribute.comment.clone();
        writer.write_blocks(&Arc::from(attribute.name), &nested, indent);
    }
    output.text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Change;
    use crate::plan::knowledge::side_marks::sides_with_common_marks;
    use crate::plan::report::render::Colour;
    use plantime::value;
    use plantime::{Mark, Refinement};
    use plantime_schema::{Attribute, NestedBlock};

    const PLAIN: Markup = Markup::Terminal(Colour::Never);

    fn comment(text: &str) -> Option<LineComment> {
        Some(LineComment { text: text.to_owned(), reference: Some("./main.tf#L1".to_owned()) })
    }

    fn drawn<'a>(before: Option<&'a Value>, after: &'a Value) -> DrawnAttribute<'a> {
        DrawnAttribute { name: "a", before, after, forces_replacement: false, comment: None }
    }

    #[track_caller]
    fn shows(before: Option<&Value>, after: Option<&Value>, expected: &str) {
        let null = Value::null(Type::Dynamic);
        let text = draw_attributes(PLAIN, &[drawn(before, after.unwrap_or(&null))], None, &[], 0);
        let lines: Vec<&str> = text.lines().map(|line| line.strip_prefix("  ").expect("an indent")).collect();
        assert_eq!(lines.join("\n") + "\n", expected);
    }

    fn strings(items: &[&str]) -> Value {
        Value::list_of(Type::String, items.iter().map(|item| Value::from(*item))).expect("strings")
    }

    #[test]
    fn names_are_aligned_and_comments_follow() {
        let id = Value::refined(Type::String, Refinement::prefix("vpc-").and_not_null()).expect("a string");
        let number = Value::from(1);
        let text = draw_attributes(
            PLAIN,
            &[
                DrawnAttribute { name: "id", comment: comment("assumed"), ..drawn(None, &id) },
                DrawnAttribute { name: "vpc_id", ..drawn(None, &number) },
            ],
            None,
            &[],
            1,
        );
        assert_eq!(
            text,
            "      + id     = \"vpc-${(known after apply)}\"    # assumed\n      + vpc_id = 1\n"
        );
    }

    #[test]
    fn a_comment_on_a_page_is_a_link() {
        let number = Value::from(1);
        let attribute = DrawnAttribute { comment: comment("main.tf:<1>"), ..drawn(None, &number) };
        assert_eq!(
            draw_attributes(Markup::Html, &[attribute], None, &[], 0),
            "  <span class=\"g\">+</span> a = 1<span class=\"d\">    # </span><span class=\"d\">\
             <a href=\"./main.tf#L1\">main.tf:&lt;1&gt;</a></span>\n"
        );
    }

    #[test]
    fn a_change_shows_both_values() {
        let (a, b) = (Value::from(50), Value::from(40));
        shows(Some(&a), Some(&b), "~ a = 50 -> 40\n");
        shows(Some(&a), Some(&a), "  a = 50\n");
        shows(Some(&a), None, "- a = 50 -> null\n");
        shows(Some(&a), Some(&Value::unknown(Type::Number)), "~ a = 50 -> (known after apply)\n");
    }

    #[test]
    fn what_was_null_is_new_and_what_becomes_null_is_gone() {
        let null = Value::null(Type::Dynamic);
        let list = strings(&["x", "y"]);
        shows(Some(&null), Some(&list), "+ a = [\"x\", \"y\"]\n");
        shows(Some(&list), Some(&null), "- a = [\"x\", \"y\"] -> null\n");
        shows(Some(&null), Some(&null), "  a = null\n");
        shows(None, Some(&null), "+ a = null\n");
        shows(Some(&null), Some(&Value::unknown(Type::Number)), "+ a = (known after apply)\n");
        let object = |n: Value| Value::object([("n", n), ("m", 1.into())]).expect("an object");
        shows(
            Some(&object(2.into())),
            Some(&object(Value::null(Type::Number))),
            "~ a = {\n      m = 1\n    - n = 2\n  }\n",
        );
    }

    #[test]
    fn a_value_that_loses_or_gains_its_mark_is_not_shown() {
        let (secret, plain) = (Value::from("x").mark(Mark::SENSITIVE), Value::from("x"));
        let change = |before: &Value, after: &Value| Change {
            before: Some(before.clone()),
            after: Some(after.clone()),
            ..Change::default()
        };
        let (before, after) = sides_with_common_marks(&change(&secret, &plain));
        shows(
            before.as_ref(),
            after.as_ref(),
            "# Warning: this attribute value will no longer be marked as sensitive\n\
             # after applying this change.\n~ a = (sensitive value)\n",
        );
        let (before, after) = sides_with_common_marks(&change(&plain, &secret));
        shows(
            before.as_ref(),
            after.as_ref(),
            "# Warning: this attribute value will be marked as sensitive and will not\n\
             # display in UI output after applying this change.\n~ a = (sensitive value)\n",
        );
    }

    #[test]
    fn that_a_value_forces_replacement_stands_close_behind_it() {
        let list = strings(&["x"]);
        let with = |name, forces_replacement, text: Option<&str>| DrawnAttribute {
            name,
            forces_replacement,
            comment: text.and_then(comment),
            ..drawn(None, &list)
        };
        let attributes =
            [with("a", true, None), with("b", false, Some("assumed")), with("c", true, Some("assumed"))];
        let text = draw_attributes(PLAIN, &attributes, None, &[Path::new().attr("a")], 0);
        assert_eq!(
            text,
            "  + a = [\"x\"] # forces replacement\n  + b = [\"x\"]    # assumed\n  \
             + c = [\"x\"] # forces replacement, assumed\n"
        );
    }

    #[test]
    fn a_sensitive_value_is_not_shown() {
        let secret = |text: &str| Value::from(text).mark(Mark::SENSITIVE);
        shows(None, Some(&secret("x")), "+ a = (sensitive value)\n");
        shows(Some(&secret("x")), Some(&secret("y")), "~ a = (sensitive value)\n");
        let null = Value::null(Type::String).mark(Mark::SENSITIVE);
        shows(None, Some(&null), "+ a = (sensitive value)\n");
        let own = Value::from("x").mark(Mark::new("mine"));
        shows(None, Some(&own), "+ a = (value marked mine)\n");
    }

    #[test]
    fn members_of_a_list_are_compared_by_content() {
        let list = strings(&["x", "y"]);
        shows(None, Some(&list), "+ a = [\"x\", \"y\"]\n");
        shows(
            Some(&list),
            Some(&strings(&["x", "z", "w"])),
            "~ a = [\n      \"x\",\n    - \"y\",\n    + \"z\",\n    + \"w\",\n  ]\n",
        );
        shows(Some(&list), Some(&strings(&["x"])), "~ a = [\n      \"x\",\n    - \"y\",\n  ]\n");
        shows(
            Some(&list),
            Some(&strings(&["x", "z"])),
            "~ a = [\n      \"x\",\n    ~ \"y\" -> \"z\",\n  ]\n",
        );
    }

    #[test]
    fn members_of_a_set_are_kept_new_or_gone() {
        let set = |items: &[&str]| {
            Value::set_of(Type::String, items.iter().map(|i| Value::from(*i))).expect("a set")
        };
        shows(
            Some(&set(&["x", "y"])),
            Some(&set(&["y", "z"])),
            "~ a = [\n    - \"x\",\n      \"y\",\n    + \"z\",\n  ]\n",
        );
    }

    #[test]
    fn objects_in_lists_stand_on_lines_of_their_own() {
        let blocks = value!([{ "port": 443, "to": null }, { "port": 80, "to": null }]).expect("a tuple");
        shows(None, Some(&blocks), "+ a = [\n    + { port = 443 },\n    + { port = 80 },\n  ]\n");
        let tags = Value::map_of(Type::String, [("Name", Value::from("n"))]).expect("a map");
        shows(None, Some(&tags), "+ a = { \"Name\" = \"n\" }\n");
    }

    #[test]
    fn what_is_long_is_broken() {
        let long = "x".repeat(60);
        let tags = Value::map_of(Type::String, [("A", Value::from(&*long)), ("Bc", Value::from(&*long))])
            .expect("a map");
        shows(
            None,
            Some(&tags),
            &format!("+ a = {{\n    + \"A\"  = \"{long}\"\n    + \"Bc\" = \"{long}\"\n  }}\n"),
        );
    }

    #[test]
    fn json_and_lines_are_drawn_as_such() {
        shows(
            Some(&Value::from(r#"{"a":1,"b":2}"#)),
            Some(&Value::from(r#"{"a":1,"b":3}"#)),
            "~ a = jsonencode(\n    ~ {\n          a = 1\n        ~ b = 2 -> 3\n      }\n  )\n",
        );
        shows(None, Some(&Value::from("one\ntwo\n")), "+ a = <<-EOT\n      one\n      two\n  EOT\n");
    }

    #[test]
    fn nested_blocks_are_drawn_as_blocks() {
        let rule =
            Block::builder().attribute("port", Attribute::optional(Type::Number)).build().expect("a block");
        let schema = Block::builder().block("a", NestedBlock::list(rule)).build().expect("a block");
        let ports = |ports: &[i32]| {
            let blocks =
                ports.iter().map(|port| Value::object([("port", Value::from(*port))]).expect("a block"));
            Value::list_of(Type::object([("port", Type::Number)]).expect("a type"), blocks).expect("a list")
        };
        let (before, after) = (ports(&[1]), ports(&[1, 2]));
        let attribute = DrawnAttribute { comment: comment("main.tf:1"), ..drawn(Some(&before), &after) };
        assert_eq!(
            draw_attributes(PLAIN, &[attribute], Some(&schema), &[], 0),
            "    a {    # main.tf:1\n        port = 1\n    }\n  + a {\n      + port = 2\n    }\n"
        );
        let none = ports(&[]);
        assert_eq!(draw_attributes(PLAIN, &[drawn(None, &none)], Some(&schema), &[], 0), "  + a = []\n");
    }
}
