//! The kinds of HCL expressions in words, for messages; and reading the text of a heredoc.

use hcl_edit::expr::Expression;
use hcl_edit::template::HeredocTemplate;

/// The kind of an expression for messages, such as `a number`.
pub(super) fn expression_kind(expression: &Expression) -> &'static str {
    match expression {
        Expression::Null(_) => "null",
        Expression::Bool(_) => "a bool",
        Expression::Number(_) => "a number",
        Expression::String(_) => "a text",
        Expression::Array(_) => "a list",
        Expression::Object(_) => "an object",
        Expression::StringTemplate(_) | Expression::HeredocTemplate(_) => "a template",
        _ => "an expression",
    }
}

/// The text of a heredoc; `None` if it contains templates.
pub(super) fn literal(heredoc: &HeredocTemplate) -> Option<String> {
    let mut heredoc = heredoc.clone();
    heredoc.dedent();
    let mut text = String::new();
    for element in heredoc.template.iter() {
        text.push_str(element.as_literal()?.as_str());
    }
    Some(text)
}
