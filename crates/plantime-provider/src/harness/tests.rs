//! Faults of a provider that the harness finds, each with all that is reported. Those that the kit does not let a provider
//! commit are made by changing its answers on their way.

use plantime::value;
use plantime::{Path, Refinement, Result, Type, Value, View};
use plantime_schema::{Attribute, AttributeType, Schema};
use prost::Message;

use super::client::Tamper;
use super::*;
use crate::message::calls;
use crate::{
    Call, Change, DataSource, Diagnostic, EphemeralResource, Function, Opened, Outcome, Parameter, Plan,
    Resource, Signature, schema, wire, with_attributes,
};

/// What a provider does wrong; nothing for a name that is not here.
#[derive(Clone, Copy)]
struct Faulty(&'static str);

impl Faulty {
    fn is(self, fault: &str) -> bool {
        self.0 == fault
    }
}

impl Resource for Faulty {
    fn schema(&self) -> Schema {
        let schema = schema().version(1).required("cidr", Type::String).optional("name", Type::String);
        let schema = schema.optional("password", Type::String).sensitive("password");
        let schema = schema
            .optional("tags", Type::set(Type::String).unwrap_or(Type::Dynamic))
            .computed("id", Type::String);
        let schema = schema.optional_computed("label", Type::String);
        if self.is("schema_with_a_contradiction") {
            let mut both = Attribute::new(AttributeType::Plain(Type::String));
            (both.required, both.computed) = (true, true);
            return schema.attribute("both", both).build();
        }
        schema.build()
    }

    fn facts(&self) -> Vec<(&'static str, Refinement)> {
        vec![("id", Refinement::prefix("vpc-").and_not_null())]
    }

    fn replaced_by(&self) -> Vec<&'static str> {
        vec!["cidr"]
    }

    async fn validate(&self, config: Value) -> Outcome<Vec<Diagnostic>> {
        let name = config.get_attr("name")?;
        let is_wrong =
            self.is("refuses_unknown") && matches!(name.view(), View::Unknown(_)) || name == Value::from("");
        let error = || Diagnostic::error("The name is empty").at(Path::new().attr("name"));
        Ok(is_wrong.then(error).into_iter().collect())
    }

    async fn plan(&self, change: Change, mut plan: Plan, _: Call) -> Outcome<Plan> {
        let set = |plan: &mut Plan, name, value| {
            plan.planned = with_attributes(&plan.planned, [(name, value)])?;
            Outcome::Ok(())
        };
        let is_update = !change.is_create() && !change.is_delete();
        match self.0 {
            "planned_value_differs" if !change.is_delete() => set(&mut plan, "name", Value::from("NETWORK"))?,
            "unknown_where_configured" if !change.is_delete() => {
                set(&mut plan, "name", Value::unknown(Type::String))?
            }
            "prior_ignored" if is_update => set(&mut plan, "label", Value::unknown(Type::String))?,
            "replacement_of_nothing" if is_update => plan.requires_replace.push(Path::new().attr("zone")),
            "deletion_planned_as_change" if change.is_delete() => plan.planned = change.prior,
            "panics_on_unknown" if !change.is_delete() => {
                let cidr = change.config.get_attr("cidr")?;
                assert!(!matches!(cidr.view(), View::Unknown(_)), "the range is not known");
            }
            "plan_changes_its_mind" if change.is_create() => {
                let early = matches!(change.config.get_attr("cidr")?.view(), View::Unknown(_));
                set(&mut plan, "label", Value::from(if early { "early" } else { "late" }))?;
            }
            _ => {}
        }
        Ok(plan)
    }

    async fn create(&self, planned: Value, call: Call) -> Outcome<Value> {
        call.set_private("etag", serde_json::json!("w/1"));
        assert!(!self.is("panics"), "no such region");
        if self.is("fails") {
            return Err("There is no room".into());
        }
        let id = if self.is("refinement_broken") { "net-1" } else { "vpc-1" };
        let label = planned.get_attr("label")?;
        let label = if label.is_wholly_known() { label } else { Value::from("default") };
        let state = with_attributes(&planned, [("id", Value::from(id)), ("label", label)])?;
        Ok(match self.0 {
            "unknown_after_apply" => with_attributes(&state, [("id", Value::unknown(Type::String))])?,
            "applied_value_differs" => with_attributes(&state, [("name", Value::from("other"))])?,
            "set_member_lost" => with_attributes(&state, [("tags", Value::set(["a"])?)])?,
            "secret_shown" => {
                let password = planned.get_attr("password")?;
                let text = format!("root:{}@vpc-1", password.as_str().unwrap_or_default());
                with_attributes(&state, [("label", Value::from(text))])?
            }
            "secret_in_error" => {
                let password = planned.get_attr("password")?;
                let text = format!("cannot log in with {}", password.as_str().unwrap_or_default());
                return Err(text.into());
            }
            _ => state,
        })
    }

    async fn read(&self, state: Value, call: Call) -> Outcome<Option<Value>> {
        Ok(match self.0 {
            "private_state_lost" => {
                call.set_private("etag", serde_json::Value::Null);
                Some(state)
            }
            "read_changes_type" => Some(with_attributes(&state, [("cidr", Value::list(["10.0.0.0/8"])?)])?),
            "gone_after_apply" => None,
            "read_differs" => Some(with_attributes(&state, [("name", Value::null(Type::String))])?),
            _ => Some(state),
        })
    }

    async fn import(&self, id: String, _: Call) -> Outcome<Value> {
        let id = if self.is("import_without_id") { Value::null(Type::String) } else { Value::from(id) };
        let empty = self.schema().block().empty_value()?;
        let known = [("cidr", "10.0.0.0/8"), ("name", "net"), ("label", "default")];
        let known = known.into_iter().map(|(name, text)| (name, Value::from(text)));
        let tags = Value::set(["a", "b"])?;
        Ok(with_attributes(&empty, known.chain([("id", id), ("tags", tags)]))?)
    }

    fn upgrade(&self, _: i64, mut state: serde_json::Value) -> Outcome<serde_json::Value> {
        if let Some(object) = state.as_object_mut() {
            let name = object.remove("title").filter(|_| !self.is("upgrade_loses"));
            object.insert("name".to_owned(), name.unwrap_or_default());
            if self.is("upgrade_loses") {
                object.remove("label");
            }
        }
        Ok(state)
    }
}

/// What the harness reports of a whole life: upgrade, update, replacement, import, deletion.
fn life(fault: &'static str, tamper: Option<Tamper>, protocol: Protocol) -> Result<Report> {
    let mut harness = Harness::new(Provider::new("demo").resource("demo_vpc", Faulty(fault)));
    (harness.tamper, harness.protocol) = (tamper, protocol);
    let config = value!({ "cidr": "10.0.0.0/8", "name": "net", "password": "hunter2!", "tags": ["a", "b"] })?;
    let other = with_attributes(&config, [("cidr", Value::from("10.1.0.0/16"))])?;
    let life = harness.resource("demo_vpc").refuse(value!({ "cidr": "10.0.0.0/8", "name": "" })?);
    let life = if fault.starts_with("upgrade") {
        life.upgrade(
            0,
            serde_json::json!({ "cidr": "10.0.0.0/8", "title": "net", "label": "l", "id": "vpc-1" }),
        )
    } else {
        life.apply(config).import_except("vpc-1", &["password"]).apply(other)
    };
    Ok(life.run())
}

/// Checks what is reported of a fault, over both protocols: a life that comes to an end and these violations, in this order.
/// A violation that an earlier one brings about may stand in between.
#[track_caller]
fn check(fault: &'static str, tamper: Option<Tamper>, expected: &[&str]) {
    for protocol in [Protocol::V6, Protocol::V5] {
        let report = life(fault, tamper, protocol);
        assert!(report.is_ok(), "{report:?}");
        let texts: Vec<String> =
            report.iter().flat_map(|report| report.violations().iter().map(ToString::to_string)).collect();
        let mut rest = texts.iter();
        for line in expected {
            assert!(rest.any(|text| text == line), "no {line:?} in\n{}", texts.join("\n"));
        }
        assert!(!texts.is_empty() || expected.is_empty());
        assert!(!texts.join("\n").contains("hunter2"), "{texts:?}");
    }
}

#[test]
fn a_provider_without_faults_is_clean() -> Result<()> {
    for protocol in [Protocol::V6, Protocol::V5] {
        let report = life("", None, protocol)?;
        assert_eq!(report.violations(), [], "{report}");
        assert!(report.calls() > 20);
        assert_eq!(life("upgrade", None, protocol)?.violations(), []);
    }
    Ok(())
}

/// Changes the state of an answer.
fn with_state<A: Message + Default>(
    answer: Vec<u8>,
    of: fn(&mut A) -> &mut Option<crate::message::DynamicValue>,
    change: fn(&Value) -> Value,
) -> Vec<u8> {
    let schema = Faulty("").schema();
    let (Ok(mut answer), Ok(ty)) = (A::decode(answer.as_slice()), schema.implied_type()) else {
        return Vec::new();
    };
    let state = of(&mut answer);
    let changed = wire::decode(state.as_ref(), ty).map(|state| change(&state));
    *state = changed.and_then(|state| wire::encode(&state, &state.ty())).ok();
    answer.encode_to_vec()
}

/// Writes a test for each fault: its name, how an answer is changed on its way, and what is reported.
macro_rules! faults {
    ($(fn $name:ident($($tamper:expr)?) => [$($expected:literal),* $(,)?];)*) => {
        $(#[test]
        fn $name() {
            #[allow(unused_mut, unused_assignments)]
            let mut tamper: Option<Tamper> = None;
            $(tamper = Some($tamper);)?
            check(stringify!($name), tamper, &[$($expected),*]);
        })*

        /// The faults above, and what is said of each.
        const FAULTS: &[(&str, &[&str])] = &[$((stringify!($name), &[$($expected),*])),*];
    };
}

faults! {
    fn schema_with_a_contradiction() => [
        "GetProviderSchema of demo_vpc: error: The provider demo is not built right: demo_vpc: both: cannot set both Computed and Required. This is a bug of the provider. Please report it to its authors.",
    ];
    fn planned_value_differs() => [
        "PlanResourceChange (create) of demo_vpc: .name: planned value cty.StringVal(\"NETWORK\") does not match config value cty.StringVal(\"net\")",
        "PlanResourceChange (replacement) of demo_vpc: .name: planned value cty.StringVal(\"NETWORK\") does not match config value cty.StringVal(\"net\")",
    ];
    fn unknown_where_configured() => [
        "PlanResourceChange (create) of demo_vpc: .name: planned value cty.UnknownVal(cty.String) does not match config value cty.StringVal(\"net\")",
        "ApplyResourceChange (create) of demo_vpc: .name: error: Provider returned invalid result object after apply: After the apply operation, the provider still indicated an unknown value for demo_vpc.name. All values must be known after apply, so this is always a bug in the provider and should be reported in the provider's own repository. The other known object values are saved in the state.",
    ];
    fn prior_ignored() => [
        "PlanResourceChange (nothing changed) of demo_vpc: .label: is planned to change although nothing changed: the difference never ends",
    ];
    fn replacement_of_nothing() => [
        "PlanResourceChange (nothing changed) of demo_vpc: .zone: requires replacement, but there is no such attribute",
        "PlanResourceChange (unknown values) of demo_vpc: .zone: requires replacement, but there is no such attribute",
        "PlanResourceChange (update) of demo_vpc: .zone: requires replacement, but there is no such attribute",
    ];
    fn deletion_planned_as_change() => [
        "PlanResourceChange (delete) of demo_vpc: the plan of a deletion is not null",
    ];
    fn refuses_unknown() => [
        "ValidateResourceConfig (unknown values) of demo_vpc: .name: error: The name is empty",
    ];
    fn panics_on_unknown() => [
        "PlanResourceChange (unknown values) of demo_vpc: error: The provider panicked: the range is not known: This is a bug of the provider. Please report it to its authors.",
    ];
    fn plan_changes_its_mind() => [
        "PlanResourceChange (values known later) of demo_vpc: .label: was cty.StringVal(\"early\"), but now cty.StringVal(\"late\")",
    ];
    fn panics() => [
        "ApplyResourceChange (create) of demo_vpc: error: The provider panicked: no such region: This is a bug of the provider. Please report it to its authors.",
        "ApplyResourceChange (replacement) of demo_vpc: error: The provider panicked: no such region: This is a bug of the provider. Please report it to its authors.",
    ];
    fn fails() => [
        "ApplyResourceChange (create) of demo_vpc: error: There is no room",
        "ApplyResourceChange (replacement) of demo_vpc: error: There is no room",
    ];
    fn refinement_broken() => [
        "ApplyResourceChange (create) of demo_vpc: .id: error: Provider produced inconsistent result after apply: When applying changes to demo_vpc, provider \"demo\" produced an unexpected new value: .id: final value cty.StringVal(\"net-1\") does not conform to planning placeholder cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull(\"vpc-\").NewValue(). This is a bug in the provider, which should be reported in the provider's own issue tracker.",
        "ApplyResourceChange (create) of demo_vpc: .id: final value cty.StringVal(\"net-1\") does not conform to planning placeholder cty.UnknownVal(cty.String).Refine().NotNull().StringPrefixFull(\"vpc-\").NewValue()",
    ];
    fn applied_value_differs() => [
        "ApplyResourceChange (create) of demo_vpc: .name: error: Provider produced inconsistent result after apply: When applying changes to demo_vpc, provider \"demo\" produced an unexpected new value: .name: was cty.StringVal(\"net\"), but now cty.StringVal(\"other\"). This is a bug in the provider, which should be reported in the provider's own issue tracker.",
        "ApplyResourceChange (create) of demo_vpc: .name: was cty.StringVal(\"net\"), but now cty.StringVal(\"other\")",
    ];
    fn set_member_lost() => [
        "ApplyResourceChange (create) of demo_vpc: .tags: error: Provider produced inconsistent result after apply: When applying changes to demo_vpc, provider \"demo\" produced an unexpected new value: .tags: planned set element cty.StringVal(\"b\") does not correlate with any element in actual. This is a bug in the provider, which should be reported in the provider's own issue tracker.",
        "ApplyResourceChange (create) of demo_vpc: .tags: planned set element cty.StringVal(\"b\") does not correlate with any element in actual",
    ];
    fn secret_shown() => [
        "ApplyResourceChange (create) of demo_vpc: .label: shows content of a sensitive attribute, and is not sensitive itself",
        "PlanResourceChange (nothing changed) of demo_vpc: .label: shows content of a sensitive attribute, and is not sensitive itself",
        "PlanResourceChange (unknown values) of demo_vpc: .label: shows content of a sensitive attribute, and is not sensitive itself",
    ];
    fn secret_in_error() => [
        "ApplyResourceChange (create) of demo_vpc: error: cannot log in with (sensitive)",
        "ApplyResourceChange (create) of demo_vpc: a diagnostic shows content of a sensitive attribute",
        "ApplyResourceChange (replacement) of demo_vpc: error: cannot log in with (sensitive)",
    ];
    fn gone_after_apply() => [
        "ReadResource of demo_vpc: the object is gone right after it was applied",
        "ReadResource of demo_vpc: the object that was imported does not exist",
    ];
    fn read_differs() => [
        "ReadResource of demo_vpc: .name: is another value than the one that was just applied",
        "PlanResourceChange (nothing changed) of demo_vpc: .name: is planned to change although nothing changed: the difference never ends",
    ];
    fn import_without_id() => [
        "ImportResourceState of demo_vpc: .id: is null: nothing tells which object was imported",
        "ImportResourceState of demo_vpc: .id: is another value than the one that was applied",
    ];
    fn upgrade_loses() => [
        "UpgradeResourceState (version 0) of demo_vpc: .label: was stored, and is null after the upgrade",
    ];
    fn unknown_after_apply() => [
        "ApplyResourceChange (create) of demo_vpc: .id: error: Provider returned invalid result object after apply: After the apply operation, the provider still indicated an unknown value for demo_vpc.id. All values must be known after apply, so this is always a bug in the provider and should be reported in the provider's own repository. The other known object values are saved in the state.",
        "ApplyResourceChange (replacement) of demo_vpc: .id: error: Provider returned invalid result object after apply: After the apply operation, the provider still indicated an unknown value for demo_vpc.id. All values must be known after apply, so this is always a bug in the provider and should be reported in the provider's own repository. The other known object values are saved in the state.",
    ];
    fn read_changes_type() => [
        "ReadResource of demo_vpc: .cidr: error: Provider produced invalid object: Provider \"demo\" produced an invalid value during refresh for demo_vpc: .cidr: string is required, but this is list(string). This is a bug in the provider, which should be reported in the provider's own issue tracker.",
    ];
    fn private_state_lost() => [
        "ReadResource of demo_vpc: the private state is lost",
    ];
    fn deletion_leaves_a_state(|method, answer| match method {
        "ApplyResourceChange" => with_state::<calls::ApplyResponse>(answer, |answer| &mut answer.new_state, |state| {
            if state.is_null() { Faulty("").schema().block().empty_value().unwrap_or_else(|_| state.clone()) } else { state.clone() }
        }),
        _ => answer,
    }) => [
        "ApplyResourceChange (delete) of demo_vpc: the deletion leaves a state",
    ];
    fn nothing_imported(|method, answer| match method {
        "ImportResourceState" => Vec::new(),
        _ => answer,
    }) => [
        "ImportResourceState of demo_vpc: 0 objects were imported, not one",
    ];
    fn answer_is_garbage(|method, answer| match method {
        "PlanResourceChange" => vec![0xff; 9],
        _ => answer,
    }) => [
        "PlanResourceChange of demo_vpc: the answer is not a message of this method",
    ];
}

/// Faults of what is no resource.
struct Other(&'static str);

impl DataSource for Other {
    fn schema(&self) -> Schema {
        schema()
            .required("name", Type::String)
            .computed("zones", Type::list(Type::String).unwrap_or(Type::Dynamic))
            .build()
    }

    async fn read(&self, config: Value, _: Call) -> Outcome<Value> {
        let zones =
            if self.0 == "unknown" { Value::unknown(Type::list(Type::String)?) } else { Value::list(["a"])? };
        let name = if self.0 == "changed" { Value::from("other") } else { config.get_attr("name")? };
        Ok(with_attributes(&config, [("zones", zones), ("name", name)])?)
    }
}

impl EphemeralResource for Other {
    fn schema(&self) -> Schema {
        schema().required("role", Type::String).computed("token", Type::String).sensitive("token").build()
    }

    async fn open(&self, config: Value, call: Call) -> Outcome<Opened> {
        call.set_private("lease", serde_json::json!(1));
        let token = if self.0 == "unknown" { Value::unknown(Type::String) } else { Value::from("t") };
        let opened = Opened::new(with_attributes(&config, [("token", token)])?);
        Ok(opened.renew_in(std::time::Duration::from_secs(60)))
    }

    async fn renew(&self, call: Call) -> Outcome<Option<std::time::Duration>> {
        if self.0 == "forgets" {
            call.set_private("lease", serde_json::Value::Null);
        }
        Ok(None)
    }

    async fn close(&self, call: Call) -> Outcome<()> {
        assert_eq!(call.private("lease"), Some(serde_json::json!(1)), "the lease is not there");
        Ok(())
    }
}

impl Function for Other {
    fn signature(&self) -> Signature {
        Signature::new(Type::String, "Doubles").parameter(Parameter::new("text", Type::String).unknown())
    }

    async fn call(&self, arguments: Vec<Value>) -> std::result::Result<Value, (String, Option<usize>)> {
        let [text] = arguments.as_slice() else { return Err(("one argument".to_owned(), None)) };
        let wrong = |error: plantime::Error| (error.to_string(), Some(0));
        match text.view() {
            View::String(text) => Ok(Value::from(format!("{text}{text}"))),
            _ if self.0 == "unsound" => Value::unknown(Type::String).assume_string_prefix("x").map_err(wrong),
            _ => Ok(Value::unknown(Type::String)),
        }
    }
}

fn texts(report: &Report) -> Vec<String> {
    report.violations().iter().map(ToString::to_string).collect()
}

/// What is said of a provider whose data source, ephemeral resource or function has a fault.
fn other_faults(fault: &'static str) -> Result<Vec<String>> {
    let provider = Provider::new("demo").data_source("demo_zones", Other(fault));
    let provider = provider.ephemeral_resource("demo_token", Other(fault)).function("double", Other(fault));
    let harness = Harness::new(provider);
    let reports = [
        harness.schemas(),
        harness.data_source("demo_zones", value!({ "name": "n" })?),
        harness.ephemeral_resource("demo_token", value!({ "role": "r" })?),
        harness.function("double", &[Value::from("ab")]),
    ];
    Ok(reports.iter().flat_map(texts).collect())
}

#[test]
fn faults_of_data_sources_ephemeral_resources_and_functions() -> Result<()> {
    let run = other_faults;
    assert_eq!(run("")?, [""; 0]);
    assert_eq!(
        run("unknown")?,
        [
            "ReadDataSource of demo_zones: .zones: error: Provider produced invalid object: Provider \"demo\" produced a value for data.demo_zones that is not wholly known: .zones is unknown. This is a bug in the provider, which should be reported in the provider's own issue tracker.",
            "OpenEphemeralResource of demo_token: .token: error: Provider produced invalid ephemeral resource instance: Provider \"demo\" produced a value for demo_token that is not wholly known: .token is unknown. This is a bug in the provider, which should be reported in the provider's own issue tracker.",
        ]
    );
    let changed = "ReadDataSource of demo_zones: .name: result cty.StringVal(\"other\") does not match config value cty.StringVal(\"n\")";
    assert_eq!(run("changed")?, [changed]);
    let bug = "This is a bug of the provider. Please report it to its authors.";
    let forgets = run("forgets")?;
    assert_eq!(forgets[0], "RenewEphemeralResource of demo_token: the private state is lost");
    assert!(
        forgets[1].starts_with("CloseEphemeralResource of demo_token: error: The provider panicked: "),
        "{forgets:?}"
    );
    assert!(forgets[1].ends_with(bug) && forgets.len() == 2, "{forgets:?}");
    let unsound = "CallFunction (argument 0 unknown) of double: the result cannot become the one for the known argument [0]";
    assert_eq!(run("unsound")?, [unsound]);
    Ok(())
}

#[test]
fn what_the_provider_does_not_have_is_named() -> Result<()> {
    let harness = Harness::new(Provider::new("demo"));
    let report = harness.resource("demo_none").apply(value!({})?).run();
    assert_eq!(texts(&report), ["GetProviderSchema of demo_none: the provider has no schema of this name"]);
    assert_eq!(
        texts(&harness.function("none", &[])),
        ["GetFunctions of none: the provider has no function of this name"]
    );
    assert_eq!(
        report.to_string(),
        format!("1 violation in {} calls\n{}", report.calls(), report.violations()[0])
    );
    Ok(())
}

/// Each fault has its row, with a part of what is said of it.
#[test]
fn the_readme_lists_the_faults() -> Result<()> {
    let readme = include_str!("../../README.md");
    let table = readme.split("| seeded fault | the harness says |\n|---|---|\n").nth(1).expect("a table");
    let rows =
        table.lines().map_while(|line| line.strip_prefix("| ")?.strip_suffix("` |")?.split_once(" | `"));
    let rows: Vec<(&str, &str)> = rows.collect();
    let seeded = FAULTS
        .iter()
        .map(|(name, said)| (name.replace('_', " "), said.iter().map(ToString::to_string).collect()));
    let mut faults: Vec<(String, Vec<String>)> = seeded.collect();
    for (title, fault) in [
        ("result of a data source unknown", "unknown"),
        ("data source changes its configuration", "changed"),
        ("result of an ephemeral resource unknown", "unknown"),
        ("ephemeral resource forgets", "forgets"),
        ("function unsound", "unsound"),
    ] {
        faults.push((title.to_owned(), other_faults(fault)?));
    }
    assert_eq!(rows.len(), faults.len());
    for (title, said) in faults {
        let (_, shown) =
            rows.iter().find(|(name, _)| *name == title).unwrap_or_else(|| panic!("no row {title:?}"));
        let (is_whole, shown) = shown.strip_suffix('…').map_or((true, *shown), |shown| (false, shown));
        let is_said = |line: &String| {
            let (_, text) = line.split_once(": ").expect("the call comes first");
            if is_whole {
                text == shown || text.ends_with(&format!(": {shown}"))
            } else {
                text.starts_with(shown)
            }
        };
        assert!(said.iter().any(is_said), "{title}: {shown:?} is not in {said:?}");
    }
    Ok(())
}
