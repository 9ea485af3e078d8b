//! Behaviours that no provider may declare, each with its error.

use super::*;

#[test]
fn a_behaviour_for_what_is_not_there_is_an_error() {
    let error = |path: &str| {
        let behaviours = Behaviours::sdk().at(path, Behaviour::new());
        plan_resource(&flat(), &behaviours, &none(), &v!({"name": "a"})).unwrap_err().to_string()
    };
    assert_eq!(error("nane"), "no attribute or block type is named \"nane\"; did you mean \"name\"?");
    assert_eq!(error("name.x"), "name: it has no nested attributes");
}

/// Every illegal combination of the SDK, with its text.
#[test]
fn behaviours_are_checked_for_all_that_no_provider_may_declare() {
    let paths = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<_>>();
    let any = |names: &[&str], behaviour: Behaviour| {
        let names = paths(names);
        behaviour
            .conflicts_with(names.clone())
            .exactly_one_of(names.clone())
            .at_least_one_of(names.clone())
            .required_with(names)
    };
    let rules = || RuleSet::new([Rule::NotNull]);
    let schema = block(
        r#"{"attributes": {
                "req": {"type": "string", "required": true}, "opt": {"type": "string", "optional": true},
                "made": {"type": "string", "computed": true}, "both": {"type": "string", "optional": true, "computed": true},
                "none": {"type": "string"}, "two": {"type": "string", "optional": true, "required": true},
                "three": {"type": "string", "computed": true, "required": true},
                "once": {"type": "string", "optional": true, "write_only": true},
                "never": {"type": "string", "computed": true, "write_only": true},
                "list": {"type": ["list", "string"], "optional": true}, "Up": {"type": "string", "optional": true},
                "Old": {"type": "string", "optional": true, "deprecated": true}},
            "block_types": {
                "many": {"nesting_mode": "list", "block": {"attributes": {"x": {"type": "string", "optional": true}}}},
                "map": {"nesting_mode": "map", "block": {}},
                "one": {"nesting_mode": "single", "min_items": 1, "max_items": 1, "block": {}}}}"#,
    );
    let behaviours = Behaviours::sdk()
        .at("req", any(&["opt"], Behaviour::new().default_value("x")))
        .at("opt", any(&["opt", "req", "gone", "many[1].x", "many.x", "many[0].x"], Behaviour::new()))
        .at(
            "both",
            Behaviour::new()
                .default_value("x")
                .default_with(|| Ok(None))
                .promise(Refinement::number_at_least(1)),
        )
        .at(
            "made",
            any(&["opt"], Behaviour::new().default_with(|| Ok(None)))
                .suppress_with("s", |_, _| true)
                .stored_as(|value| Ok(value.clone()))
                .validate(rules()),
        )
        .at("once", Behaviour::new().default_value("x").force_new())
        .at("list", Behaviour::new().default_value(1).validate(rules()).stored_as(|value| Ok(value.clone())))
        .at("many", Behaviour::new().default_value(1).validate(rules()))
        .at("Up", Behaviour::new().use_state_for_unknown().validate(RuleSet::new([Rule::min(1)])))
        .at("gone", Behaviour::new())
        .customize(CustomizeDiff::set_new("opt", [], |_| Ok("x".into())).unwrap())
        .customize(CustomizeDiff::when(Rule::NotNull, [CustomizeDiff::set_new_computed("gone")]));
    let errors: Vec<String> = behaviours.check(&schema).iter().map(ToString::to_string).collect();
    let many = "configuration block reference";
    let mut want = vec![
        "no attribute or block type is named \"gone\"; did you mean \"none\"?".to_owned(),
        "Up: Field name may only contain lowercase alphanumeric characters & underscores.".to_owned(),
        "Up: the state is used for computed attributes of the framework only".to_owned(),
        "both: the promise does not fit the type string".to_owned(),
        "list: Default is not valid for lists or sets".to_owned(),
        "list: StateFunc is called for primitive types only".to_owned(),
        "list: ValidateFunc and ValidateDiagFunc are not yet supported on lists or sets.".to_owned(),
        "list: the default does not fit: list of string required, but have number".to_owned(),
        "made: ConflictsWith is for configurable attributes,there's nothing to configure on computed-only field".to_owned(),
        "made: ExactlyOneOf is for configurable attributes,there's nothing to configure on computed-only field".to_owned(),
        "made: AtLeastOneOf is for configurable attributes,there's nothing to configure on computed-only field".to_owned(),
        "made: DefaultFunc is for configurable attributes,there's nothing to configure on computed-only field".to_owned(),
        "made: DiffSuppressFunc is for suppressing differences between config and state representation. There is no config \
         for computed-only field, nothing to compare."
            .to_owned(),
        "made: StateFunc is extraneous, value should just be changed before setting on computed-only field".to_owned(),
        "made: ValidateFunc is for validating user input, there's nothing to validate on computed-only field".to_owned(),
        "many: ValidateFunc and ValidateDiagFunc are not yet supported on lists or sets.".to_owned(),
        "many: a default is for attributes, not for blocks".to_owned(),
        "map: TypeMap with Elem *Resource not supported,use TypeList/TypeSet with Elem *Resource or TypeMap with Elem *Schema"
            .to_owned(),
        "never: WriteOnly cannot be set with Computed".to_owned(),
        "never: WriteOnly must be set with either Required or Optional".to_owned(),
        "none: One of optional, required, or computed must be set".to_owned(),
        "once: WriteOnly cannot be set with ForceNew".to_owned(),
        "once: Default cannot be set with WriteOnly".to_owned(),
        "one: MaxItems and MinItems are only supported on lists or sets".to_owned(),
        "req: Default cannot be set with Required".to_owned(),
        "req: ConflictsWith cannot be set with Required".to_owned(),
        "req: ExactlyOneOf cannot be set with Required".to_owned(),
        "req: AtLeastOneOf cannot be set with Required".to_owned(),
        "three: Cannot be both Required and Computed".to_owned(),
        "two: Optional or Required must be set, not both".to_owned(),
        "ConflictsWith: opt cannot reference self (opt)".to_owned(),
        "SetNew only operates on computed keys - opt is not one".to_owned(),
        "SetNewComputed: invalid key: gone".to_owned(),
    ];
    for field in ["ConflictsWith", "ExactlyOneOf", "AtLeastOneOf", "RequiredWith"] {
        want.push(format!("{field}: opt cannot contain Required attribute (req)"));
        want.push(format!("{field}: opt references unknown attribute (gone) at part (gone)"));
        want.push(format!("{field}: opt {many} (many[1].x) can only use the .0. index for TypeList and MaxItems: 1 configuration blocks"));
        want.push(format!(
            "{field}: opt {many} (many.x) can only be used with TypeList and MaxItems: 1 configuration blocks"
        ));
    }
    let mut found = errors;
    found.sort();
    want.sort();
    let missing: Vec<&String> = want.iter().filter(|text| !found.contains(text)).collect();
    let more: Vec<&String> = found.iter().filter(|text| !want.contains(text)).collect();
    // The one for the rule that cannot read the type is the engine's.
    assert!(
        missing.is_empty() && more.len() == 1 && more[0].starts_with("Up: "),
        "missing {missing:#?}, more {more:#?}"
    );
    let computed = Behaviours::sdk().at("both", Behaviour::new().default_value("x")).check(&schema);
    assert!(computed.iter().any(|error| error.to_string() == "both: Default must be nil if computed"));
    let framework = Behaviours::framework().at("opt", Behaviour::new().default_value("x")).check(&schema);
    let once = Behaviours::sdk().at("once", Behaviour::new().default_with(|| Ok(None))).check(&schema);
    assert!(once.iter().any(|error| error.to_string() == "once: DefaultFunc cannot be set with WriteOnly"));
    let secret = r#"{"attributes": {"list": {"type": ["list", "string"], "optional": true, "write_only": true},
        "map": {"type": ["map", "string"], "optional": true, "write_only": true}}, "block_types": {"key": {"nesting_mode": "set",
        "block": {"block_types": {"part": {"nesting_mode": "list", "block": {"attributes":
        {"x": {"type": "string", "optional": true, "write_only": true}}}}}}}}}"#;
    let texts: Vec<String> =
        Behaviours::sdk().check(&block(secret)).iter().map(ToString::to_string).collect();
    let expected = [
        "key: Set Block type cannot contain WriteOnly attributes",
        "list: WriteOnly is not valid for lists or sets",
        "map: WriteOnly is not valid for maps",
    ];
    assert_eq!(texts, expected);
    assert_eq!(framework[0].to_string(), "opt: Attribute \"opt\" must be computed when using default.");
    assert!(Behaviours::sdk().at("name", Behaviour::new().force_new()).check(&flat()).is_empty());
}
