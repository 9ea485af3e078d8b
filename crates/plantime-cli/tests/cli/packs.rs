//! Packs of rules, the choice of rules, and folders of plans.

use serde_json::{Value as Json, json};

use super::around::plan;
use super::{Run, check, file, has, run};

fn rule(name: &str, more: &str) -> String {
    format!("rule \"{name}\" {{\n  {more}\n  resource = \"x_y\"\n  attribute \"n\" {{ max = 5 }}\n}}\n")
}

/// A pack of three rules; its folder.
fn pack(name: &str) -> String {
    let text = "name        = \"basics\"\nversion     = \"1.2.0\"\ndescription = \"What everyone needs\"\nplantime    = \">= 0.1.0\"\n";
    let manifest = file(&format!("packs/{name}/pack.hcl"), text);
    file(
        &format!("packs/{name}/a.hcl"),
        rule(
            "a",
            "id = \"NET-1\"\n  tags = [\"cis\"]\n  description = \"Small | fine\"\n  severity = \"low\"",
        ),
    );
    file(&format!("packs/{name}/b.hcl"), rule("b", "tags = [\"cis\", \"cost\"]") + &rule("c", ""));
    file(&format!("packs/{name}/b.test.hcl"), "no rules");
    manifest.trim_end_matches("/pack.hcl").to_owned()
}

/// The names of the rules with an answer.
fn asked(run: &Run) -> Vec<String> {
    let json: Json = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{} {}", run.out, run.err));
    let answers = json["plans"][0]["answers"].as_array().expect("answers");
    answers.iter().map(|answer| answer["rule"].as_str().unwrap_or("").to_owned()).collect()
}

#[test]
fn a_pack_is_a_folder_of_rules_with_a_name_and_a_version() {
    let (pack, plan) = (pack("good"), plan("packs/plan.json", &[("x_y.a", 9)], &[]));
    let more = file("packs/more.hcl", rule("d", ""));
    assert_eq!(asked(&check(&[&plan, "--pack", &pack, "--format", "json"])), ["a", "b", "c"]);
    assert_eq!(
        asked(&check(&[&plan, "--pack", &pack, "--rules", &more, "--format", "json"])),
        ["d", "a", "b", "c"]
    );
    // A folder of rules that is a pack can be given with --rules too.
    assert_eq!(asked(&check(&[&plan, "--rules", &pack, "--format", "json"])), ["a", "b", "c"]);

    let text = run(&["rules", "--pack", &pack]);
    assert_eq!((text.status, text.err.as_str()), (0, ""));
    assert_eq!(
        text.out,
        "basics 1.2.0: What everyone needs (3 rules)\n\
         \x20 NET-1        a                        low       [cis]  Small | fine\n\
         \x20 -            b                        error     [cis, cost]\n\
         \x20 -            c                        error    \n"
    );
    has(
        &run(&["rules", "--pack", &pack, "--format", "markdown"]).out,
        "| NET-1 | a | low | cis | Small \\| fine |\n",
    );
    let listed: Json =
        serde_json::from_str(&run(&["rules", "--pack", &pack, "--format", "json"]).out).expect("JSON");
    assert_eq!(listed["packs"][0]["version"], "1.2.0");
    assert_eq!(listed["packs"][0]["rules"][1]["tags"], json!(["cis", "cost"]));
}

#[test]
fn what_is_wrong_with_a_pack_is_said() {
    let (good, plan) = (pack("twice"), plan("packs/wrong.json", &[("x_y.a", 9)], &[]));
    let fails = |packs: &[&str], expected: &str| {
        let packs: Vec<&str> = packs.iter().flat_map(|pack| ["--pack", pack]).collect();
        for run in [check(&[&[&*plan][..], &packs].concat()), run(&[&["rules"], &packs[..]].concat())] {
            assert_eq!((run.status, run.out.as_str()), (2, ""), "{}", run.out);
            has(&run.err, expected);
        }
    };
    fails(&["/no/such/pack"], "no such folder: a pack is a folder with pack.hcl and rules files");
    fails(&[&good, &good], "a second pack with the name `basics`");
    let folder = |name: &str, text: &str| {
        let manifest = file(&format!("packs/{name}/pack.hcl"), text);
        file(&format!("packs/{name}/a.hcl"), rule(name, ""));
        manifest.trim_end_matches("/pack.hcl").to_owned()
    };
    fails(
        &[&folder("w1", "name = \"x\"\nplantime = \">= 99.0\"\n")],
        "the pack needs plantime 99.0 at least; this is ",
    );
    fails(&[&folder("w2", "version = \"1\"\n")], "w2/pack.hcl:1:1: the pack has no `name`");
    fails(&[&folder("w3", "nam = \"x\"\n")], "unknown argument `nam`; the nearest is `name`");
    fails(
        &[&folder("w4", "name = \"x\"\nversion = \"one\"\n")],
        "\"one\" is no version: expected one such as \"1.2.0\"",
    );
    fails(
        &[&folder("w5", "name = \"x\"\nplantime = \"~> 1\"\n")],
        "`plantime` takes the least version, such as \">= 0.1.0\"",
    );
    fails(
        &[&folder("w6", "name = \"x\"\nrule \"r\" {\n}\n")],
        "a pack has no blocks: rule stands beside it, in a rules file",
    );
    let no_manifest = file("packs/w7/a.hcl", rule("r", ""));
    fails(
        &[no_manifest.trim_end_matches("/a.hcl")],
        "no pack.hcl: a folder of rules without one goes with --rules",
    );
    let no_rules = file("packs/w8/pack.hcl", "name = \"x\"\n");
    fails(&[no_rules.trim_end_matches("/pack.hcl")], "the pack has no rules files");
}

#[test]
fn rules_are_chosen_by_id_tag_and_name() {
    let (pack, plan) = (pack("choose"), plan("packs/choose.json", &[("x_y.a", 9)], &[]));
    let with = |more: &[&str]| check(&[&[&*plan, "--pack", &pack, "--format", "json"], more].concat());
    for (more, expected) in [
        (&["--select", "NET-*"][..], &["a"][..]),
        (&["--select", "cis"], &["a", "b"]),
        (&["--select", "c,NET-1"], &["a", "c"]),
        (&["--select", "c", "--select", "b"], &["b", "c"]),
        (&["--skip-rules", "c*"], &[]),
        (&["--skip-rules", "cost"], &["a", "c"]),
        (&["--select", "cis", "--skip-rules", "NET-1"], &["b"]),
    ] {
        let run = with(more);
        match expected {
            [] => has(&run.err, "no rule is left: every rule is left out"),
            expected => assert_eq!(asked(&run), expected, "{more:?}"),
        }
    }
    // That rules are left out is said, quietly too.
    has(
        &check(&[&plan, "--pack", &pack, "--select", "c", "--quiet"]).out,
        "# 2 rules are left out (--select, --skip-rules)",
    );
    for option in ["--select", "--skip-rules"] {
        let run = with(&[option, "NET1"]);
        assert_eq!(run.status, 2);
        has(&run.err, "no rule has the id, tag or name `NET1`; the nearest is `NET-1`");
    }
}

#[test]
fn a_folder_of_plans_is_its_plans() {
    let first = plan("packs/plans/b.json", &[("x_y.a", 1)], &[]);
    plan("packs/plans/a.json", &[("x_y.a", 9)], &[]);
    std::fs::copy(super::TFPLAN, first.replace("b.json", "c.tfplan")).expect("a binary plan");
    file("packs/plans/readme.md", "no plan");
    let rules = file("packs/of-plans.hcl", rule("r", ""));
    let folder = first.trim_end_matches("/b.json");
    let run = check(&[folder, "--rules", &rules]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let order: Vec<Option<usize>> =
        ["plans/a.json", "plans/b.json", "plans/c.tfplan"].iter().map(|name| run.out.find(name)).collect();
    assert!(order.is_sorted() && order[0].is_some(), "{order:?}");
    has(&run.out, "in 3 plans");
    let empty = file("packs/empty/readme.md", "");
    let run = check(&[empty.trim_end_matches("/readme.md"), "--rules", &rules]);
    assert_eq!(run.status, 2);
    has(&run.err, "packs/empty: no *.json or *.tfplan files");
    let configuration = file("packs/configuration/main.tf", "");
    let run = check(&[configuration.trim_end_matches("/main.tf"), &first, "--rules", &rules]);
    assert_eq!(run.status, 2);
    has(&run.err, "a configuration and no plan");
}
