//! `plantime eval`.

use crate::{DATA, Run, run};

fn eval(arguments: &[&str]) -> Run {
    run(&[&["eval"], arguments].concat())
}

#[test]
fn an_expression_alone() {
    let run = eval(&["[for n in range(2) : n * 2]"]);
    assert_eq!(
        (run.out.as_str(), run.status),
        ("[0, 2]\n\ntype    tuple([number, number])\n", 0),
        "{}",
        run.err
    );
    let run = eval(&["upper(uuid())"]);
    let shape = "notnull(stringpattern(\"^[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$\"))\n";
    assert!(run.status == 0 && run.out.ends_with(shape), "{} {}", run.out, run.err);
    let run = eval(&["base64gzip(timestamp())"]);
    assert!(run.status == 0 && run.out.contains("H4sI"), "{} {}", run.out, run.err);
    let run = eval(&["1 +"]);
    assert_eq!((run.out.as_str(), run.status), ("", 2));
    assert!(run.err.contains("expression:1:"), "{}", run.err);
    let run = eval(&["aws_vpc.main"]);
    assert!(run.status == 2 && run.err.contains("Reference to unknown object"), "{}", run.err);
}

#[test]
fn an_expression_on_a_plan() {
    let (plan, schemas) = (format!("{DATA}/plan.json"), format!("{DATA}/provider-schemas.json"));
    let of_plan = ["--plan", &plan, "--schemas", &schemas];
    let run = eval(&[&["length(aws_subnet.main)"], &of_plan[..]].concat());
    assert!(run.status == 0 && run.out.ends_with("type    number\n"), "{} {}", run.out, run.err);
    let run = eval(&[&["\"net/${aws_vpc.main.id}\""], &of_plan[..]].concat());
    let expected = "\"net/${(known after apply)}\"\n\ntype    string\nknown   notnull(stringprefix(\"net/\"";
    assert!(run.out.starts_with(expected) && run.status == 0, "{} {}", run.out, run.err);
}

#[test]
fn an_expression_of_a_configuration() {
    let (plan, schemas) = (format!("{DATA}/plan.json"), format!("{DATA}/provider-schemas.json"));
    let config = format!("{DATA}/config/step2");
    let run = eval(&["keys(aws_subnet.main)", "--plan", &plan, "--schemas", &schemas, "--config", &config]);
    assert!(run.status == 0 && run.err.is_empty(), "{} {}", run.out, run.err);
    let run = eval(&["1", "--config", "/no/such/folder"]);
    assert!(run.status == 2 && run.err.contains("no such folder"), "{}", run.err);
}
