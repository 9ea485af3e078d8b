//! Every recorded root is evaluated, and its configured attributes are compared with the planned ones.

use plantime::{Path, View};
use plantime_terraform::plan::Mode;

use super::agreement::agreement;
use super::recorded::roots;

#[test]
fn recorded_roots_agree_with_their_plans() {
    let (mut count, mut failed) = (0, Vec::new());
    let (mut known_in_plan, mut agree, mut known, mut wrong) = (0_u64, 0_u64, 0_u64, Vec::new());
    let mut unknown = Vec::new();
    for root in roots() {
        count += 1;
        let Some(configuration) = root.read() else {
            failed.push(root.name.clone());
            continue;
        };
        let values = root.plan.planned_values();
        let inputs = root.inputs().known(&values);
        let evaluation = configuration.evaluate(&inputs);
        let problems = evaluation.problems();
        for problem in &problems {
            println!("{} {}: {problem}", if problem.is_warning() { "WARNING" } else { "ERROR" }, root.name);
        }
        if problems.iter().any(|problem| !problem.is_warning()) {
            failed.push(root.name.clone());
        }
        for change in root.plan.resource_changes.iter().filter(|change| change.mode == Mode::Managed) {
            let Some(after) = &change.change.after else { continue };
            let after = after.unmark_deep().0;
            let View::Object(planned) = after.view() else { continue };
            let Some(configured) = evaluation.resource(&change.address) else {
                println!("MISSING {}: {}", root.name, change.address);
                wrong.push(change.address.clone());
                continue;
            };
            let configured = configured.unmark_deep().0;
            let View::Object(configured) = configured.view() else { continue };
            let schema = root.schemas.resource(&change.provider_name, &change.type_name).unwrap();
            for (name, value) in configured.iter() {
                let is_configured = evaluation.origin(&change.address, &Path::new().attr(name)).is_some();
                let Some(planned) = planned.get(name).filter(|_| is_configured) else { continue };
                let is_stored = schema.block().attributes.get(name).is_none_or(|found| !found.write_only);
                if !planned.is_wholly_known() || !is_stored {
                    continue;
                }
                known_in_plan += 1;
                let found = agreement(value, planned);
                agree += u64::from(found.agrees);
                known += u64::from(found.agrees && found.is_known);
                let line = format!(
                    "{}: {}.{name}: configured {value:?}, planned {planned:?}",
                    root.name, change.address
                );
                if !found.agrees {
                    println!("WRONG {line}");
                    wrong.push(line);
                } else if !found.is_known {
                    println!("UNKNOWN {line}");
                    unknown.push(line);
                }
            }
        }
    }
    if count == 0 {
        return;
    }
    let share = |part: u64| 100.0 * part as f64 / known_in_plan.max(1) as f64;
    println!(
        "{count} roots, {} with errors: {failed:?}\n{known_in_plan} configured attributes that the plan knows: {agree} agree \
         ({:.2} %), {known} known ({:.2} %)",
        failed.len(),
        share(agree),
        share(known)
    );
    if std::env::var_os("ONLY").is_none() {
        assert!(
            count >= 140 && failed.is_empty(),
            "of {count}, with an error that Terraform does not give: {failed:#?}"
        );
        assert_eq!(agree, known_in_plan, "{wrong:#?}");
        assert!(known_in_plan >= 10_000 && share(known) >= 99.9, "{unknown:#?}");
    }
}
