//! Overlays of schemas and data values.

use plantime_ytt::Package;

use crate::checks::soon;

const SCHEMA: &str = "#@data/values-schema\n---\n#@schema/validation min=5\nnum: 5\nm:\n  k: 1\n  l: ''\nlist:\n- name: ''\n  size: 1\n";

/// Returns the final data values of documents of overlays.
fn of(documents: &[&str]) -> Result<String, String> {
    let mut package = Package::new().template("s.yml", SCHEMA);
    for (index, text) in documents.iter().enumerate() {
        let load = "#@ load('@ytt:overlay', 'overlay')\n";
        package = package.template(&format!("{index}.yml"), &format!("{load}#@data/values\n---\n{text}"));
    }
    package.data_values().map_err(|error| error.to_string())
}

/// Returns the last line of an error.
fn cause(documents: &[&str]) -> String {
    of(documents).unwrap_err().lines().last().unwrap().trim().to_owned()
}

#[test]
fn operations_change_the_nodes_that_match() {
    let two = "list:\n- {name: a, size: 2}\n- {name: b, size: 3}\n";
    let list = |text: &str| {
        let all = of(&[two, text]).unwrap();
        all.split("list:\n").nth(1).unwrap_or("").replace("- name: ", "").replace("\n  size: ", "")
    };
    assert_eq!(list("list:\n#@overlay/match by='name'\n- {name: b, size: 9}\n"), "a2\nb9\n");
    assert_eq!(list("list:\n#@overlay/match by=overlay.index(0)\n#@overlay/remove\n- {}\n"), "b3\n");
    assert_eq!(
        list(
            "list:\n#@overlay/match by=overlay.index(1)\n#@overlay/insert before=True, after=True\n- {name: c}\n"
        ),
        "a2\nc1\nb3\nc1\n"
    );
    assert_eq!(list("list:\n#@overlay/append\n- {name: c}\n"), "a2\nb3\nc1\n");
    assert_eq!(
        list("list:\n#@overlay/match by=overlay.subset({'size': 3})\n#@overlay/replace\n- {name: z}\n"),
        "a2\nz1\n"
    );
    assert_eq!(
        list("list:\n#@overlay/match by=lambda i, l, r: l['size'] > 1, expects=2\n- {size: 7}\n"),
        "a7\nb7\n"
    );
    // The default of the schema comes back at the end.
    assert_eq!(of(&["#@overlay/remove\nnum: 0\n"]).unwrap(), "m:\n  k: 1\n  l: \"\"\nlist: []\nnum: 5\n");
    assert!(of(&["#@overlay/replace via=lambda l, r: l + r\nnum: 2\n"]).unwrap().starts_with("num: 7\n"));
}

#[test]
fn the_number_of_matches_is_checked() {
    assert_eq!(cause(&["zz: 1\n"]), "Expected number of matched nodes to be 1, but was 0");
    assert_eq!(
        cause(&["#@overlay/match expects=0\nnum: 6\n"]),
        "Expected number of matched nodes to be 0, but was 1 (lines: s.yml:4)"
    );
    assert_eq!(
        cause(&["#@overlay/match expects='2+'\nnum: 6\n"]),
        "Expected number of matched nodes to be >= 2, but was 1 (lines: s.yml:4)"
    );
    assert!(of(&["#@overlay/match expects=[0, 1]\nnum: 6\n"]).unwrap().starts_with("num: 6\n"));
    // `when=` skips the node.
    assert!(of(&["#@overlay/match when=0\nnum: 6\n"]).unwrap().starts_with("num: 5\n"));
    assert!(
        cause(&["#@overlay/match missing_ok=True, expects=1\nnum: 6\n"]).contains("Expected only one of")
    );
    assert!(cause(&["#@overlay/match-child-defaults missing_ok=True\nm:\n  zz: 1\n"]).is_empty());
    assert_eq!(
        cause(&["#@overlay/assert via=lambda l, r: (l > 9, 'too small')\nnum: 6\n"]),
        "Expected via invocation to return true, but was false with message: too small"
    );
    assert_eq!(
        cause(&["#@overlay/remove\n#@overlay/replace\nnum: 6\n"]),
        "Expected to find only one overlay operation"
    );
}

#[test]
fn a_later_schema_adds_keys_and_keeps_rules_but_for_replaced_nodes() {
    let later = |text: &str| {
        let schema = format!("#@data/values-schema\n---\n{text}");
        let package = Package::new().template("s.yml", SCHEMA).template("t.yml", &schema);
        package.data_values().map_err(|error| error.to_string())
    };
    assert!(
        later("num: 3\n").unwrap_err().contains("from: t.yml:3\n    - must be: a value >= 5 (by: s.yml:3)")
    );
    assert!(later("#@overlay/replace\nnum: 3\n").unwrap().starts_with("num: 3\n"));
    assert!(later("#@overlay/match missing_ok=True\nz: 3\n").unwrap().ends_with("z: 3\n"));
}

#[test]
fn many_overlays_of_many_items_end() {
    let items = "- {name: a, size: 2}\n".repeat(3_000);
    let matching = "#@overlay/match by='name', expects='0+'\n- {name: b}\n".repeat(3_000);
    let error = soon(|| of(&[&format!("list:\n{items}"), &format!("list:\n{matching}")]).unwrap_err());
    assert!(error.contains("steps") || error.contains("memory") || error.contains("documents"), "{error}");
}

#[test]
fn an_array_that_is_merged_into_several_items_grows_once() {
    let schema = "#@data/values-schema\n---\napps:\n- id: ''\n  env:\n  - ''\n";
    let first = "#@data/values\n---\napps:\n- id: one\n- id: two\n";
    let second = "#@data/values\n#@ load('@ytt:overlay', 'overlay')\n---\napps:\n#@overlay/match by=overlay.all, expects='1+'\n- env:\n  - extra\n";
    let package = Package::new().template("s.yml", schema).template("v.yml", first).template("w.yml", second);
    let app = |id: &str| format!("- id: {id}\n  env:\n  - extra\n");
    assert_eq!(package.data_values().unwrap(), format!("apps:\n{}{}", app("one"), app("two")));
}
