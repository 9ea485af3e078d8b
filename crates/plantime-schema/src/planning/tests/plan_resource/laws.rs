//! Planning is sound and monotone: on every configuration of a small universe, for every set of behaviours.

use super::*;

/// What a string of a configuration may be, with the ones that it may become.
fn strings() -> Vec<Value> {
    let refined = |refinement| Value::refined(Type::String, refinement).unwrap();
    let mut all = concretes();
    all.extend([unknown(), refined(Refinement::not_null()), refined(Refinement::prefix("x"))]);
    all
}

fn concretes() -> Vec<Value> {
    vec![null(), "".into(), "x".into(), "X".into(), "y".into()]
}

/// Sets of behaviours of the attributes of `flat`, each with whether a known configuration has a plan without *maybe*.
fn behaviours() -> Vec<(&'static str, Behaviours, bool)> {
    let promise = || Refinement::prefix("i-").and_not_null();
    let same = || Behaviour::new().suppress_with("case", |old, new| lower(old) == lower(new));
    let stored = || Behaviour::new().stored_as(|value| Ok(lower(value).into()));
    let path = |path: &str| path.parse().unwrap();
    let renamed = || Rule::not(Rule::at(path("name"), Rule::immutable()).unwrap()).unwrap();
    let is_x = |key: &str| Rule::at(path(key), Rule::equals("x")).unwrap();
    let force = || Behaviour::new().force_new();
    vec![
        ("sdk", Behaviours::sdk(), true),
        ("framework", Behaviours::framework(), true),
        ("force new", Behaviours::sdk().at("name", force()).at("zone", force()), true),
        ("suppress", Behaviours::sdk().at("name", same().force_new()).at("size", same()), true),
        (
            "stored",
            Behaviours::sdk().at("name", stored().force_new()).at("size", stored().default_value("X")),
            true,
        ),
        (
            "stored and suppressed",
            Behaviours::framework().at("size", stored().default_value("Y").suppress(Rule::starts_with("x"))),
            true,
        ),
        (
            "state for unknown",
            Behaviours::framework()
                .at("zone", Behaviour::new().default_value("x").force_new())
                .at("id", Behaviour::new().use_state_for_unknown().promise(promise())),
            true,
        ),
        (
            "if configured",
            Behaviours::framework()
                .at("size", Behaviour::new().default_value("x").force_new_if_configured())
                .at("zone", Behaviour::new().use_non_null_state_for_unknown()),
            true,
        ),
        ("computed force new", Behaviours::framework().at("zone", force()).at("id", force()), false),
        (
            "condition",
            Behaviours::framework().at("name", Behaviour::new().force_new_if(Rule::starts_with("x"))),
            true,
        ),
        (
            "customized",
            Behaviours::sdk()
                .at("zone", force())
                .customize(CustomizeDiff::set_new("zone", ["name"], |read| Ok(read[0].clone())).unwrap())
                .customize(CustomizeDiff::computed_if("id", renamed()))
                .customize(CustomizeDiff::force_new_if("size", is_x("name")).unwrap()),
            true,
        ),
        (
            "customized under a condition",
            Behaviours::framework()
                .at("id", Behaviour::new().promise(promise()))
                .customize(CustomizeDiff::when(
                    is_x("size"),
                    [
                        CustomizeDiff::set_new("zone", ["size", "name"], |read| {
                            Ok(read
                                .iter()
                                .map(|value| value.as_str().unwrap_or("-"))
                                .collect::<String>()
                                .into())
                        })
                        .unwrap(),
                        CustomizeDiff::force_new_if_change("name", Rule::starts_with("x")).unwrap(),
                        CustomizeDiff::validate(Rule::at(path("name"), Rule::one_of(["x", "y"])).unwrap()),
                    ],
                ))
                .customize(CustomizeDiff::validate(renamed())),
            true,
        ),
        (
            "rules",
            Behaviours::sdk()
                .at("name", Behaviour::new().validate(RuleSet::new([Rule::one_of(["x", "y"])])))
                .at(
                    "size",
                    Behaviour::new().conflicts_with([path("zone")]).default_with(|| Ok(Some("y".into()))),
                )
                .at("zone", Behaviour::new().at_least_one_of([path("zone"), path("name")])),
            true,
        ),
    ]
}

fn priors() -> Vec<Value> {
    let of =
        |name: &str, size: Value, zone: Value| v!({"id": "i-1", "name": name, "size": size, "zone": zone});
    vec![
        none(),
        of("x", "x".into(), "x".into()),
        of("y", null(), "y".into()),
        of("X", "y".into(), null()),
        of("x", "".into(), "".into()),
    ]
}

/// Holds of a plan and the plan for a configuration that is the same or more known.
fn holds(less: &Result<Planned, PlanError>, more: &Result<Planned, PlanError>) -> Result<(), String> {
    let (less, more) = match (less, more) {
        (Err(PlanError::Input(error)), _) | (_, Err(PlanError::Input(error))) => {
            return Err(error.to_string());
        }
        (Err(_), Err(_)) => return Ok(()),
        (Err(_), Ok(_)) => return Err("an error goes away".to_owned()),
        (Ok(less), Err(_)) if less.obligations.is_empty() => {
            return Err("an error without obligation".to_owned());
        }
        (Ok(_), Err(_)) => return Ok(()),
        (Ok(less), Ok(more)) => (less, more),
    };
    if !refines(&less.value, &more.value) {
        return Err(format!("{} is not among {}", more.value, less.value));
    }
    match (less.replaces(), more.replaces()) {
        (Replaces::Yes, Replaces::Yes) | (Replaces::No, Replaces::No) | (Replaces::Maybe(_), _) => {}
        (less, more) => return Err(format!("{less:?}, then {more:?}")),
    }
    match less.warnings.iter().find(|warning| !more.warnings.contains(warning)) {
        Some(warning) => Err(format!("the warning goes away: {warning}")),
        None => Ok(()),
    }
}

#[test]
fn knowing_more_makes_no_plan_less_known_or_different() {
    let (all, block) = (strings(), flat());
    let narrower: Vec<Vec<usize>> =
        all.iter().map(|a| (0..all.len()).filter(|b| refines(a, &all[*b])).collect()).collect();
    let count = all.len();
    let place = |name: usize, size: usize, zone: usize| (name * count + size) * count + zone;
    let (mut tried, mut decided) = (0, 0);
    for (title, behaviours, has_no_maybe) in behaviours() {
        for prior in priors() {
            let mut plans = Vec::new();
            for name in &all {
                for size in &all {
                    for zone in &all {
                        let config = v!({"name": name.clone(), "size": size.clone(), "zone": zone.clone()});
                        let planned = plan_resource(&block, &behaviours, &prior, &config);
                        if let Ok(planned) = &planned
                            && config.is_wholly_known()
                        {
                            assert!(planned.obligations.is_empty(), "{title}: {prior} {config}");
                            assert!(
                                !is_maybe(planned) || !has_no_maybe,
                                "{title}: {prior} {config} {planned:?}"
                            );
                        }
                        plans.push(planned);
                    }
                }
            }
            for a in 0..plans.len() {
                let (name, size, zone) = (a / (count * count), a / count % count, a % count);
                for n in &narrower[name] {
                    for s in &narrower[size] {
                        for z in &narrower[zone] {
                            let b = place(*n, *s, *z);
                            tried += 1;
                            decided += usize::from(plans[b].is_ok());
                            if let Err(wrong) = holds(&plans[a], &plans[b]) {
                                panic!(
                                    "{title}, prior {prior}: name {} size {} zone {} | name {} size {} zone {}: {wrong}",
                                    all[name], all[size], all[zone], all[*n], all[*s], all[*z]
                                );
                            }
                        }
                    }
                }
            }
        }
    }
    println!("{tried} pairs of plans, {decided} with a plan");
    assert!(decided > 50_000, "{decided} of {tried}");
}

fn nested(nested: impl Into<NestedBlock>) -> Block {
    Block::builder().block("disk", nested).build().unwrap()
}

fn disk() -> Block {
    Block::builder()
        .attribute("name", Attribute::optional(Type::String))
        .attribute("zone", Attribute::optional_computed(Type::String))
        .attribute("id", Attribute::computed(Type::String))
        .build()
        .unwrap()
}

#[test]
fn knowing_more_of_blocks_makes_no_plan_less_known_or_different() {
    let force = || Behaviour::new().force_new();
    let promise = || Behaviour::new().promise(Refinement::prefix("d-").and_not_null());
    let lowered = || Behaviour::new().stored_as(|value| Ok(lower(value).into()));
    let sets = [
        ("force new", Behaviours::sdk().at("disk.name", force()).at("disk.id", promise())),
        (
            "framework",
            Behaviours::framework().at("disk.name", force()).at("disk.id", promise().use_state_for_unknown()),
        ),
        ("filled", Behaviours::sdk().at("disk.name", lowered().default_value("X").force_new())),
        ("number", Behaviours::sdk().at("disk", force())),
        ("blocks", Behaviours::framework().at("disk", force())),
        ("computed", Behaviours::framework().at("disk.zone", force())),
    ];
    let refined = |refinement| Value::refined(Type::String, refinement).unwrap();
    let names = [null(), "x".into(), "X".into(), unknown(), refined(Refinement::prefix("x").and_not_null())];
    let zones = [null(), "z".into(), unknown()];
    let items: Vec<Value> = names
        .iter()
        .flat_map(|name| zones.iter().map(move |zone| v!({"name": name.clone(), "zone": zone.clone()})))
        .collect();
    let narrower: Vec<Vec<usize>> =
        items.iter().map(|a| (0..items.len()).filter(|b| refines(a, &items[*b])).collect()).collect();
    let item = |id: &str, name: &str, zone: &str| v!({"id": id, "name": name, "zone": zone});
    let mut tried = 0;
    for block in [nested(NestedBlock::list(disk())), nested(NestedBlock::set(disk()))] {
        let is_set = block.block_types.get("disk").unwrap().nesting == crate::schema::Nesting::Set;
        let priors = [
            v!({}),
            v!({"disk": [item("1", "x", "z")]}),
            v!({"disk": [item("1", "x", "z"), item("2", "X", "z")]}),
            v!({"disk": [item("1", "x", "y"), item("2", "x", "z"), item("3", "y", "z")]}),
        ];
        for (title, behaviours) in &sets {
            for prior in &priors {
                let plan = |disks: Value| plan_resource(&block, behaviours, prior, &v!({"disk": disks}));
                let wholly = plan(Value::dynamic());
                let plans: Vec<Vec<_>> = items
                    .iter()
                    .map(|a| {
                        items.iter().map(|b| plan(Value::tuple([a.clone(), b.clone()]).unwrap())).collect()
                    })
                    .collect();
                for a in 0..items.len() {
                    for b in 0..items.len() {
                        if let Err(wrong) = holds(&wholly, &plans[a][b]) {
                            panic!(
                                "{title}, prior {prior}, unknown blocks | {} {}: {wrong}",
                                items[a], items[b]
                            );
                        }
                        for c in &narrower[a] {
                            for d in &narrower[b] {
                                // A join of sets may be less known for a more known operand (L3 names it), so sets are
                                // compared with what is wholly known.
                                let known = items[*c].is_wholly_known() && items[*d].is_wholly_known();
                                if is_set && !known {
                                    continue;
                                }
                                tried += 1;
                                if let Err(wrong) = holds(&plans[a][b], &plans[*c][*d]) {
                                    panic!(
                                        "{title}, prior {prior}: {} {} | {} {}: {wrong}",
                                        items[a], items[b], items[*c], items[*d]
                                    );
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    println!("{tried} pairs of plans of blocks");
    assert!(tried > 20_000, "{tried}");
}
