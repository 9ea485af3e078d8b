//! Many plans in one run.

use serde_json::Value;

use crate::{DATA, check, has, has_not};

fn network(count: usize, more: &[&str]) -> Vec<String> {
    let mut arguments = vec![format!("{DATA}/plan.json"); count];
    arguments.extend(["--schemas".to_owned(), format!("{DATA}/provider-schemas.json")]);
    arguments.extend(["--rules".to_owned(), format!("{DATA}/rules.hcl")]);
    arguments.extend(more.iter().map(ToString::to_string));
    arguments
}

fn run(count: usize, more: &[&str]) -> crate::Run {
    let arguments = network(count, more);
    check(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn all_are_told_and_summed_up() {
    let run = run(40, &[]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    assert_eq!(run.out.matches("plan.json · ").count(), 40);
    has(&run.out, " in 40 plans, ");
    // Addresses of several plans are not the same resources.
    has_not(&run.out, "Most wanted");
}

#[test]
fn json_that_is_written_in_parts_is_one_document() {
    for count in [1, 3] {
        let run = run(count, &["--format", "json", "no-such-plan.json"]);
        let report: Value = serde_json::from_str(&run.out).expect("JSON");
        assert!(run.out.starts_with("{\n  \"format_version\": "), "{}", run.out);
        let plans = report["plans"].as_array().expect("plans");
        assert_eq!(plans.len(), count);
        assert!(plans.iter().all(|plan| *plan == plans[0]));
        assert_eq!(report["errors"][0]["input"], "no-such-plan.json");
        let passed = |plan: &Value| plan["summary"]["pass"].as_u64().expect("a count");
        assert_eq!(passed(&report), plans.iter().map(passed).sum::<u64>());
        // Written the way that it is written as a whole.
        let parts = run.out.lines().filter(|line| line.starts_with("    {") || line.starts_with("    }"));
        assert_eq!(parts.count(), 2 * count + 2);
    }
    let run = check(&["no-such-plan.json", "--rules", &format!("{DATA}/rules.hcl"), "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(report["plans"], Value::Array(Vec::new()));
}

/// The most memory that a run has at once, in kB.
#[cfg(target_os = "linux")]
fn peak(count: usize) -> u64 {
    use std::process::Stdio;

    let arguments = network(count, &[]);
    let mut child = crate::command(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
        .stdout(Stdio::null())
        .spawn()
        .expect("the command starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("the command ends").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        peak = peak.max(line.trim().trim_end_matches(" kB").parse().unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    peak
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_their_number() {
    let (few, many) = (peak(60), peak(480));
    assert!(few > 1000, "the memory was not seen: {few} kB");
    assert!(many < few + few / 4 + 2000, "{few} kB with 60 plans, {many} kB with 480");
}
