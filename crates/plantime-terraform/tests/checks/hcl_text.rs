//! Texts of HCL: files, expressions and templates, in both syntaxes.

use plantime::source::Source;
use plantime_hcl::{Body, Expression, format};

use super::bounds;

/// Reading ends within its bounds, each problem has its place in the text, and what is accepted is formatted to a text that says the
/// same.
pub fn text(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let source = Source::new("main.tf", text);
    let body = bounds::read(input, || Body::parse(&source));
    match body {
        Ok(body) => {
            let formatted = bounds::read(input, || format(&source)).expect("what is read can be formatted");
            let again = Source::new("main.tf", formatted);
            let read = Body::parse(&again).expect("what is formatted can be read");
            assert_eq!(outline(&body), outline(&read), "{}", again.text());
        }
        Err(problems) => {
            for problem in problems.iter() {
                let span = problem.span();
                assert!(span.start <= span.end && span.end <= text.len(), "{problem}");
                assert!(!problem.summary().is_empty() && problem.to_text().lines().count() > 1);
            }
        }
    }
    let json = Source::new("main.tf.json", text);
    drop(bounds::read(input, || Body::parse(&json)));
    drop(bounds::read(input, || Expression::parse(text)));
    drop(bounds::read(input, || Expression::parse_template(Source::new("t.tftpl", text))));
}

/// The names, labels and nesting of a body, and what its expressions refer to.
fn outline(body: &Body) -> String {
    let arguments = body.arguments.iter().map(|argument| {
        let references: Vec<String> =
            argument.expression.references().iter().map(ToString::to_string).collect();
        format!("{} {references:?}", argument.name)
    });
    let blocks = body
        .blocks
        .iter()
        .map(|block| format!("{} {:?} {{{}}}", block.kind, block.labels, outline(&block.body)));
    arguments.chain(blocks).collect::<Vec<_>>().join("; ")
}
