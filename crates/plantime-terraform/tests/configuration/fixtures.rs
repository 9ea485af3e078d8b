//! Configurations in memory, for the tests of this program.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime_terraform::configuration::{Configuration, Inputs};

/// The files of a configuration, in memory.
pub(crate) fn files(texts: &[(&str, &str)]) -> Arc<BTreeMap<String, Vec<u8>>> {
    Arc::new(texts.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect())
}

/// The outputs of a configuration that has no problem.
#[track_caller]
pub(crate) fn outputs(texts: &[(&str, &str)], expected: &[(&str, &str)]) {
    let configuration = Configuration::read(files(texts)).unwrap_or_else(|problems| panic!("{problems}"));
    let inputs = Inputs::new();
    let evaluation = configuration.evaluate(&inputs);
    assert_eq!(format!("{:?}", evaluation.problems()), "[]");
    for (name, expected) in expected {
        let value = evaluation.output(name).unwrap_or_else(|| panic!("no output {name}"));
        assert_eq!(value.to_string(), *expected, "{name}");
    }
}

/// The problems of a configuration.
#[track_caller]
pub(crate) fn problems(text: &str) -> Vec<String> {
    let configuration = match Configuration::read(files(&[("main.tf", text)])) {
        Ok(configuration) => configuration,
        Err(problems) => return problems.iter().map(ToString::to_string).collect(),
    };
    let inputs = Inputs::new();
    configuration.evaluate(&inputs).problems().iter().map(ToString::to_string).collect()
}

/// The calls of a module in `./net` from a root module: one call, and one with an instance for each entry of
/// `local.keyed`.
pub(crate) const MODULE_CALLS: &str = r#"module "net" {
  source = "./net"
  given  = x_vpc.main.id
}
module "many" {
  source   = "./net"
  for_each = local.keyed
  given    = each.value
}
"#;
