//! Reading and checking many plans with two threads, against one.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{CheckOptions, Configuration, Plan, RulesFile, check};

use super::plans::{PLAN, SCHEMAS};
use super::time::median;

const RULES: &str = include_str!("../../../crates/plantime-terraform/examples/network/rules.hcl");
const CONFIGURATION: &str =
    include_str!("../../../crates/plantime-terraform/examples/network/config/step2/main.tf");

/// Prints how much faster two threads are, and what one is slowed down by the other. Wall time.
pub fn print(plans: usize, pairs: usize) {
    let against = against();
    let one_plan = || {
        let plan = Plan::read(PLAN, &against.schemas).expect("the plan is readable");
        black_box(check("plan.json", &plan, &against).expect("the rules fit the plan"));
    };
    let many = |count: usize| (0..count).for_each(|_| one_plan());
    many(plans.min(20));
    let (mut faster, mut slower) = (Vec::new(), Vec::new());
    for _ in 0..pairs {
        let alone = seconds(|| many(plans));
        faster.push(alone / seconds(|| two_threads(plans, &one_plan)));
        slower.push(beside_another(plans, &one_plan, &many) / alone);
    }
    for (what, figures) in [
        ("two threads are so many times faster than one", faster),
        ("one thread takes so many times as long while another runs", slower),
    ] {
        let least = figures.iter().copied().fold(f64::INFINITY, f64::min);
        let most = figures.iter().copied().fold(0.0, f64::max);
        println!(
            "{what}: {:.2} (median of {pairs}, {least:.2} to {most:.2}); {plans} plans",
            median(figures)
        );
    }
}

fn seconds(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn two_threads(plans: usize, one_plan: &(impl Fn() + Sync)) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while next.fetch_add(1, Ordering::Relaxed) < plans {
                    one_plan();
                }
            });
        }
    });
}

/// How long one thread takes while another does the same without end.
fn beside_another(plans: usize, one_plan: &(impl Fn() + Sync), many: &impl Fn(usize)) -> f64 {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                one_plan();
            }
        });
        let spent = seconds(|| many(plans));
        done.store(true, Ordering::Relaxed);
        spent
    })
}

fn against() -> CheckOptions {
    let source = |name: &str, text: &str| Source::new(name, text);
    CheckOptions {
        schemas: ProviderSchemas::from_json(SCHEMAS).expect("the example schemas are readable"),
        rules: RulesFile::read(source("rules.hcl", RULES))
            .unwrap_or_else(|_| unreachable!("the rules are readable")),
        configuration: Configuration::read([source("main.tf", CONFIGURATION)]).ok(),
        show_values: false,
        facts: Default::default(),
    }
}
