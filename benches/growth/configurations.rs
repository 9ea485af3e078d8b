//! Rows of reading HCL.

use plantime::source::Source;
use plantime_hcl::{Body, Expression, Scope, format};

use crate::Growth::{self, Linear};
use crate::rows::{row, work};
use crate::{Row, Work};

/// Reads a text that is right.
fn parsed(make: fn(usize) -> String) -> impl Fn(usize) -> Work {
    move |count| {
        work(Source::new("main.tf", make(count)), |source| Body::parse(source).expect("the text is right"))
    }
}

/// Reads a text that is wrong.
fn refused(text: String) -> Work {
    work(Source::new("main.tf", text), |source| Body::parse(source).expect_err("the text is wrong"))
}

const fn hcl(name: &'static str, growth: Growth, size: usize, make: fn(usize) -> Work) -> Row {
    row(name, growth, size, make)
}

/// The rows.
pub(crate) const ROWS: &[Row] = &[
    hcl("hcl/operators", Linear, 2_000, |n| parsed(|n| format!("a = 1{}\n", " + 1".repeat(n)))(n)),
    hcl("hcl/one_line", Linear, 2_000, |n| parsed(|n| format!("a = [{}]\n", "var.a, \"b\", ".repeat(n)))(n)),
    hcl("hcl/keys", Linear, 2_000, |n| {
        parsed(|n| (0..n).map(|i| format!("a{i} = {{ k = {i}, k = 2 }}\n")).collect())(n)
    }),
    hcl("hcl/heredocs", Linear, 2_000, |n| {
        parsed(|n| (0..n).map(|i| format!("a{i} = <<-E\n  x ${{1}}\n  E\n")).collect())(n)
    }),
    hcl("hcl/problems", Linear, 2_000, |n| refused("a = [1 2]\nb {\n  c = 'd'\n}\n".repeat(n))),
    hcl("hcl/never_closed", Linear, 2_000, |n| refused("a = b[1\n".repeat(n))),
    hcl("hcl/format", Linear, 1_000, |n| {
        let text: String = (0..n).map(|i| format!("a {{\nb{i}=[1,2] # c\n\n}}\n")).collect();
        work(Source::new("main.tf", text), |source| format(source).expect("the text is right"))
    }),
    hcl("hcl/evaluated_operators", Linear, 2_000, |n| {
        let text = format!("false{}", " || 1 == 2".repeat(n));
        let expression = Expression::parse(&text).expect("the text is right");
        work(expression, |expression| {
            let variables = std::collections::BTreeMap::<String, plantime::Value>::new();
            expression.evaluate(&Scope::new(&variables)).expect("it has a value")
        })
    }),
];
