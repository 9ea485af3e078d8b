//! Pages in HTML: what is in a plan is content and nothing else, and no request is made.

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Colour, Plan, RenderStyle, example};
use serde_json::json;

fn page(plan: &Plan, schemas: &ProviderSchemas, name: &str) -> String {
    let mut out = Vec::new();
    plan.render_html(&mut out, name, schemas, RenderStyle::new(Colour::Never), None).unwrap();
    String::from_utf8(out).unwrap()
}

fn example_page() -> String {
    let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS).unwrap();
    page(&Plan::read(example::PLAN, &schemas).unwrap(), &schemas, "network")
}

/// The tags of a page, without style and script.
fn tags(page: &str) -> Vec<&str> {
    let (before_style, rest) = page.split_once("<style>").unwrap();
    let (_, rest) = rest.split_once("</style>").unwrap();
    let (body, rest) = rest.split_once("<script>").unwrap();
    let (_, end) = rest.split_once("</script>").unwrap();
    [before_style, body, end]
        .into_iter()
        .flat_map(|part| part.split('<').skip(1).map(|tag| tag.split_once('>').unwrap().0))
        .collect()
}

#[test]
fn a_page_makes_no_request() {
    let page = example_page();
    for tag in tags(&page) {
        assert!(!tag.contains("src=") && !tag.contains("href=") && !tag.starts_with("link"), "{tag}");
    }
    let style = page.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
    assert!(!style.contains("url(") && !style.contains("@import"));
    assert!(page.contains("default-src 'none'"));
    assert!(
        page.contains("<li>aws_vpc.main.id: ") && page.contains("Values that unknown attributes depend on")
    );
    assert!(page.contains("(known after apply)") && page.contains("data-entry-kind=\"replace\""));
}

#[test]
fn names_and_values_are_content_only() {
    let evil = "</pre></details><script>alert(1)</script><img src=x onerror=alert(1)>\" onclick=\"x' <!-- &lt; \u{1b}";
    let change = json!({
        "actions": ["update"], "before": {(evil): evil, "m": {(evil): "1"}}, "after": {(evil): "x", "m": {(evil): evil}},
        "after_unknown": {}, "before_sensitive": {}, "after_sensitive": {}, "importing": {"id": evil},
    });
    let resource = json!({"address": evil, "previous_address": evil, "mode": "managed", "type": evil, "name": evil, "change": change,
        "deposed": evil});
    let plan = json!({
        "format_version": "1.2", "terraform_version": evil, "resource_changes": [resource], "resource_drift": [resource],
        "output_changes": {(evil): {"actions": ["create"], "before": null, "after": evil, "after_unknown": false,
            "before_sensitive": false, "after_sensitive": false}},
        "relevant_attributes": [{"resource": evil, "attribute": [evil]}], "errored": true,
    });
    let none = ProviderSchemas::new();
    let page = page(&Plan::read(plan.to_string().as_bytes(), &none).unwrap(), &none, evil);
    let known = [
        "h1", "h2", "details", "summary", "pre", "span", "p", "ul", "li", "div", "input", "label", "button",
        "output", "main", "header", "body", "head", "html", "meta", "title", "!doctype",
    ];
    for tag in tags(&page) {
        let name = tag.trim_start_matches('/').split([' ', '\n']).next().unwrap();
        assert!(known.contains(&name), "{tag}");
        let without_strings: String = tag.split('"').step_by(2).collect();
        assert!(
            !without_strings.contains("on")
                || ["button", "output", "span"].contains(&name)
                || !["onclick", "onerror"].iter().any(|event| without_strings.contains(event)),
            "{tag}"
        );
    }
    assert!(page.contains("&lt;/pre&gt;"));
    assert_eq!(page.matches("<details open").count(), page.matches("</details>").count());
    assert_eq!(page.matches("<details open").count(), 3);
}

/// The page of a check of the example, with rules in a file of this name, and the configuration beside it.
fn checked(rules_name: &str) -> String {
    use plantime::source::Source;
    use plantime_terraform::plan::{CheckOptions, Configuration, HtmlPage, RulesFile, check};

    let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS).unwrap();
    let plan = Plan::read(example::PLAN, &schemas).unwrap();
    let rules = RulesFile::read(Source::new(rules_name, example::RULES)).unwrap();
    let files =
        example::CONFIGURATION.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let files: std::collections::BTreeMap<String, Vec<u8>> = files.collect();
    let folder = rules_name.strip_suffix("rules.hcl").unwrap_or(rules_name);
    let configuration = Some(Configuration::open(std::sync::Arc::new(files), folder).unwrap());
    let options =
        CheckOptions { rules, schemas, configuration, show_values: false, facts: Default::default() };
    let mut page = HtmlPage::start("plantime check").into_bytes();
    check("plan.json", &plan, &options).unwrap().write_html(&mut page).unwrap();
    page.extend(HtmlPage::end("totals").into_bytes());
    String::from_utf8(page).unwrap()
}

/// The targets of the links of a page.
fn links(page: &str) -> Vec<&str> {
    let links = tags(page).into_iter().filter(|tag| tag.starts_with("a href="));
    links.map(|tag| tag.split('"').nth(1).unwrap()).collect()
}

/// The configuration of the example, in a folder of this name.
fn configuration(folder: &str) -> plantime_terraform::plan::Configuration {
    let files =
        example::CONFIGURATION.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
    let files: std::collections::BTreeMap<String, Vec<u8>> = files.collect();
    plantime_terraform::plan::Configuration::open(std::sync::Arc::new(files), folder).unwrap()
}

#[test]
fn a_plan_links_to_the_lines_that_declare_its_resources() {
    let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS).unwrap();
    let plan = Plan::read(example::PLAN, &schemas).unwrap();
    let page = |folder: &str| {
        let mut out = Vec::new();
        let (style, configuration) = (RenderStyle::new(Colour::Never), configuration(folder));
        plan.render_html(&mut out, "network", &schemas, style, Some(&configuration)).unwrap();
        String::from_utf8(out).unwrap()
    };
    let named = page("infra/");
    let found = links(&named);
    for (address, place) in [
        ("aws_vpc.main", "infra/main.tf:20"),
        ("aws_subnet.main[&quot;app&quot;]", "infra/main.tf:36"),
        ("module.flow_logs.aws_s3_bucket.this", "infra/modules/flow_logs/main.tf:27"),
    ] {
        let (file, line) = place.rsplit_once(':').unwrap();
        let (_, rest) = named.split_once(&format!("<span class=\"b\">{address}</span>")).unwrap();
        let (summary, _) = rest.split_once("</summary>").unwrap();
        assert!(
            summary.contains(&format!("<a href=\"./{file}#L{line}\">{place}</a>")),
            "{address} {summary}"
        );
    }
    assert!(named.contains("Outputs</h2>"));
    assert!(found.len() > 20 && found.iter().all(|link| link.starts_with("./infra/")), "{found:?}");
    // Whatever the folder is called, the links lead to files.
    for folder in
        ["javascript:alert(1)/", "\"><script>alert(1)</script>/", "//evil.example/", "https://evil.example/"]
    {
        let hostile = page(folder);
        for link in links(&hostile) {
            let is_relative = link.starts_with("./") || link.starts_with('/') && !link.starts_with("//");
            assert!(is_relative && !link.contains(['<', '>', '"']), "{link}");
        }
        assert_eq!(tags(&hostile).len(), tags(&named).len(), "{folder}");
    }
}

#[test]
fn a_check_links_to_lines_of_rules_and_configuration() {
    let page = checked("policy/rules.hcl");
    let links = links(&page);
    let lines = |file: &str| links.iter().filter(|link| link.starts_with(file)).count();
    assert!(lines("./policy/rules.hcl#L") > 20 && lines("./policy/main.tf#L") > 3, "{:?}", &links[20..]);
    // What leads to a place on the page leads somewhere.
    for link in links.iter().filter_map(|link| link.strip_prefix('#')) {
        assert!(page.contains(&format!("<a id=\"{link}\"></a>")), "{link}");
    }
    assert!(page.contains("<summary>Rules</summary>"));
}

/// The name of a file is the name of a file, whatever it is.
#[test]
fn hostile_names_of_files_lead_nowhere_else() {
    for evil in [
        "\"></a><script>alert(1)</script>.hcl",
        "javascript:alert(1)",
        "//evil.example/rules.hcl",
        "\\\\evil.example\\rules.hcl",
        "https://evil.example/rules.hcl",
        " data:text/html,x",
        "a\u{1b}[31m\u{202e}.hcl",
    ] {
        let page = checked(evil);
        let links = links(&page);
        assert!(links.len() > 20);
        for link in links {
            let is_place = link.starts_with('#') || link.starts_with("./");
            assert!(is_place || (link.starts_with('/') && !link.starts_with("//")), "{link}");
            assert!(!link.contains(['<', '>', ' ', '\\']), "{link}");
        }
        assert_eq!(page.matches("<script>").count(), 1, "{evil}");
    }
}
