//! Plans in JSON, from resources in few words.

use plantime::source::Source;
use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{CheckOptions, Plan, PlanReport, RulesFile, TestVerdict, check};

/// A resource of a plan.
#[derive(Clone)]
pub(crate) struct Resource {
    pub(crate) address: String,
    pub(crate) actions: &'static str,
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) unknown: String,
    pub(crate) sensitive: String,
    /// The expressions of the configuration, in JSON.
    pub(crate) expressions: String,
    /// Further properties of the resource in the configuration, each with a comma before it.
    pub(crate) configured: String,
}

/// A resource that is created with these values.
pub(crate) fn created(address: &str, after: &str) -> Resource {
    Resource {
        address: address.to_owned(),
        actions: r#"["create"]"#,
        before: "null".to_owned(),
        after: after.to_owned(),
        unknown: "{}".to_owned(),
        sensitive: "{}".to_owned(),
        expressions: "{}".to_owned(),
        configured: String::new(),
    }
}

impl Resource {
    pub(crate) fn unknown(mut self, unknown: &str) -> Resource {
        self.unknown = unknown.to_owned();
        self
    }

    pub(crate) fn sensitive(mut self, sensitive: &str) -> Resource {
        self.sensitive = sensitive.to_owned();
        self
    }

    pub(crate) fn changed(mut self, actions: &'static str, before: &str) -> Resource {
        (self.actions, self.before) = (actions, before.to_owned());
        self
    }

    /// The argument `name` refers to `to`.
    pub(crate) fn refers(mut self, name: &str, to: &str) -> Resource {
        let address = to.rsplit_once('.').map_or(to, |(address, _)| address);
        self.expressions = format!(r#"{{"{name}": {{"references": ["{to}", "{address}"]}}}}"#);
        self
    }

    pub(crate) fn configured(mut self, more: &str) -> Resource {
        self.configured = format!(", {more}");
        self
    }

    fn parts(&self) -> (String, String, String, String) {
        let bare = self.address.split('[').next().unwrap();
        let parts: Vec<&str> = bare.split('.').collect();
        let (mode, ty, name) = match parts.as_slice() {
            ["data", ty, name] => ("data", *ty, *name),
            [ty, name] => ("managed", *ty, *name),
            _ => panic!("{}", self.address),
        };
        let index = match self.address.split_once('[') {
            Some((_, key)) => format!(r#", "index": {}"#, key.trim_end_matches(']')),
            None => String::new(),
        };
        (mode.to_owned(), ty.to_owned(), name.to_owned(), index)
    }

    fn change(&self) -> String {
        let (mode, ty, name, index) = self.parts();
        let Resource { address, actions, before, after, unknown, sensitive, .. } = self;
        let address = address.replace('"', "\\\"");
        format!(
            r#"{{"address": "{address}", "mode": "{mode}", "type": "{ty}", "name": "{name}"{index}, "provider_name": "p", "change": {{
            "actions": {actions}, "before": {before}, "after": {after}, "after_unknown": {unknown}, "before_sensitive": {{}},
            "after_sensitive": {sensitive}}}}}"#
        )
    }

    fn configuration(&self) -> String {
        let (mode, ty, name, _) = self.parts();
        let prefix = if mode == "data" { "data." } else { "" };
        let (expressions, more) = (&self.expressions, &self.configured);
        format!(
            r#"{{"address": "{prefix}{ty}.{name}", "mode": "{mode}", "type": "{ty}", "name": "{name}", "expressions": {expressions}{more}}}"#
        )
    }
}

/// A plan of these resources. `more` are further properties of the plan, `root` of its root module; each with a comma before it.
pub(crate) fn plan(resources: &[Resource], more: &str, root: &str) -> String {
    let changes: Vec<String> = resources.iter().map(Resource::change).collect();
    let configured: Vec<String> = resources.iter().map(Resource::configuration).collect();
    format!(
        r#"{{"format_version": "1.2", "terraform_version": "1.11.4", "resource_changes": [{}],
        "configuration": {{"root_module": {{"resources": [{}]{root}}}}}{more}}}"#,
        changes.join(", "),
        configured.join(", ")
    )
}

/// The report of rules on a plan.
pub(crate) fn report(rules: &str, plan: &str) -> PlanReport {
    report_with(rules, plan, true)
}

/// The report of rules on a plan; `show_values` says whether values of which nothing says that they are not sensitive are shown.
pub(crate) fn report_with(rules: &str, plan: &str, show_values: bool) -> PlanReport {
    let schemas = ProviderSchemas::new();
    let read = Plan::read(plan.as_bytes(), &schemas).unwrap_or_else(|error| panic!("{error}\n{plan}"));
    let rules =
        RulesFile::read(Source::new("rules.hcl", rules)).unwrap_or_else(|problems| panic!("{problems:?}"));
    let against =
        CheckOptions { rules, schemas, configuration: None, show_values, facts: Default::default() };
    check("plan.json", &read, &against).unwrap_or_else(|problems| panic!("{problems:?}\n{plan}"))
}

/// The answer of the rules on a plan as a whole: `fail` if one fails, else `undetermined` if one is, else `pass`; `none` if none is
/// asked.
pub(crate) fn answer(rules: &str, plan: &str) -> &'static str {
    let report = report(rules, plan);
    let answers = report.checked.iter().flat_map(|checked| &checked.answers);
    let words = answers.map(|answer| match &answer.verdict {
        TestVerdict::Pass => "pass",
        TestVerdict::Fail(_) => "fail",
        TestVerdict::Undetermined(_) => "undetermined",
        _ => "none",
    });
    let words: Vec<&str> = words.collect();
    let order = ["fail", "undetermined", "pass", "none"];
    order.into_iter().find(|word| words.contains(word)).unwrap_or("none")
}
