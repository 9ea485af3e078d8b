//! The library and the command do not depend on what providers need.

#![allow(missing_docs, clippy::expect_used)]

use std::process::Command;

fn dependencies(package: &str) -> String {
    let arguments =
        ["tree", "--offline", "--edges", "normal,build", "--prefix", "none", "--package", package];
    let cargo =
        Command::new(env!("CARGO")).args(arguments).arg("--all-features").output().expect("cargo runs");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    String::from_utf8(cargo.stdout).expect("the tree is text")
}

#[test]
fn neither_library_nor_command_pulls_the_network() {
    for package in ["plantime", "plantime-cli"] {
        let tree = dependencies(package);
        for line in tree.lines() {
            let name = line.split(' ').next().unwrap_or_default();
            let network = ["tokio", "tonic", "rustls", "hyper", "h2", "prost", "rcgen"].contains(&name);
            assert!(!network, "{package} pulls {line}");
        }
    }
    assert!(dependencies("plantime-provider").contains("tokio-rustls "));
}
