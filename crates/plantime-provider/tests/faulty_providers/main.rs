//! Providers with a fault in their author's code: each is found when the provider is built, or by the harness, in a text that names the
//! place. Of a diagnostic, summary and detail name it: a host shows no path of what the configuration does not have.

#![allow(missing_docs, clippy::expect_used, clippy::unwrap_used, clippy::panic)]

mod built;
mod lived;
mod made;

use plantime_provider::Provider;

use built::BUILT;
use lived::LIVED;
use made::*;

#[test]
fn a_provider_without_faults_is_clean() {
    assert_eq!(lived(GOOD), [""; 0]);
    let provider = demo().resource("demo_x", GOOD).data_source("demo_d", GIVEN).function("f", First(one));
    let provider = provider.ephemeral_resource("demo_e", GIVEN).resource("demo", GOOD);
    assert_eq!(built(provider), [""; 0]);
    assert_eq!(built(Provider::new("google-beta").resource("google_vpc", GOOD)), [""; 0]);
    assert_eq!((read_data(GIVEN), opened(GIVEN)), (Vec::new(), Vec::new()));
}

#[test]
fn each_faulty_provider_is_found_in_a_text_that_names_the_place() {
    let mut missed = Vec::new();
    for (name, find, expected) in BUILT.iter().chain(LIVED) {
        let found = find();
        // What a host shows of a diagnostic is its summary and detail.
        let shown =
            |text: &String| text.split_once("error: ").map_or(text.clone(), |(_, shown)| shown.to_owned());
        let is_found = found.iter().any(|text| shown(text).contains(expected));
        if !is_found {
            missed.push(format!("{name}: no {expected:?} in {found:#?}"));
        }
        let text = found.join("\n");
        let shows = text.contains("hunter2!") || text.contains("hunter3!");
        assert!(!shows, "{name}: {text}");
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    assert!(BUILT.len() + LIVED.len() >= 80);
}
