//! Reading and evaluating a configuration, beside parsing its files.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime_terraform::configuration::{Configuration, Files, Inputs};

use super::work::Work;

/// The files of the example plan's configuration.
const FILES: [(&str, &str); 7] = [
    ("main.tf", include_str!("../../../crates/plantime-terraform/examples/network/config/step2/main.tf")),
    (
        "variables.tf",
        include_str!("../../../crates/plantime-terraform/examples/network/config/step2/variables.tf"),
    ),
    (
        "outputs.tf",
        include_str!("../../../crates/plantime-terraform/examples/network/config/step2/outputs.tf"),
    ),
    (
        "versions.tf",
        include_str!("../../../crates/plantime-terraform/examples/network/config/step2/versions.tf"),
    ),
    (
        "user-data.sh.tftpl",
        include_str!("../../../crates/plantime-terraform/examples/network/config/step2/user-data.sh.tftpl"),
    ),
    (
        "modules/bucket/main.tf",
        include_str!(
            "../../../crates/plantime-terraform/examples/network/config/step2/modules/bucket/main.tf"
        ),
    ),
    (
        "modules/flow_logs/main.tf",
        include_str!(
            "../../../crates/plantime-terraform/examples/network/config/step2/modules/flow_logs/main.tf"
        ),
    ),
];

/// So many times: the aim is at most three times the instructions of the parser.
pub fn configuration(n: usize) -> Work {
    let files = FILES.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
    let files: Arc<dyn Files> = Arc::new(BTreeMap::from(files));
    Work::each(n, move |_| {
        let configuration = Configuration::read(Arc::clone(&files)).ok();
        let inputs = Inputs::new();
        configuration.map(|configuration| configuration.evaluate(&inputs).problems().len())
    })
    .beside_with(
        "hcl_edit::structure::Body",
        Work::each(n, |_| {
            let texts = FILES.iter().filter(|(name, _)| name.ends_with(".tf"));
            texts.filter_map(|(_, text)| text.parse::<hcl_edit::structure::Body>().ok()).collect::<Vec<_>>()
        }),
    )
}
