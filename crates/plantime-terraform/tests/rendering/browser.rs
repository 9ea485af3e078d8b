//! Pages in a browser: folding and filtering work, nothing is said on the console, and no request is made.
//!
//! The browser is `$PLANTIME_CHROMIUM`, else a Chromium or Chrome on the path; without one these tests are skipped.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Colour, Plan, RenderStyle, example};
use serde_json::{Value as Json, json};

/// What begins the line that the driver writes to the console at its end.
const DONE: &str = "plantime-page: ";

/// No window is narrower; a narrower page is shown in a frame.
const WINDOW: u32 = 520;

/// Uses the page as a reader does, and says what it found.
const DRIVER: &str = r##"
addEventListener("load", () => setTimeout(() => {
  const entries = Array.from(document.querySelectorAll(".entry"));
  const visible = () => entries.filter((entry) => entry.getClientRects().length > 0);
  const open = () => entries.filter((entry) => entry.open).length;
  const filter = document.getElementById("filter");
  const search = (text) => { filter.value = text; filter.dispatchEvent(new Event("input")); };
  const found = { all: entries.length, visible: visible().length, open: open() };
  found.ready = performance.getEntriesByType("navigation")[0].domComplete;
  document.getElementById("close").click();
  found.openAfterFold = open();
  entries[0].querySelector("summary").click();
  found.openAfterOne = open();
  document.getElementById("open").click();
  found.openAfterUnfold = open();
  search("AWS_vpc main");
  found.filtered = visible().length;
  found.rightlyFiltered = visible().every((entry) => {
    const text = entry.textContent.toLowerCase();
    return text.includes("aws_vpc") && text.includes("main");
  });
  found.count = document.getElementById("count").textContent;
  search("no such text");
  found.filteredAway = visible().length;
  search("");
  found.visibleAgain = visible().length;
  const box = Array.from(document.querySelectorAll("[data-kind]"))
    .find((box) => entries.some((entry) => entry.dataset.entryKind === box.dataset.kind));
  box.click();
  found.ofKind = entries.filter((entry) => entry.dataset.entryKind === box.dataset.kind).length;
  found.visibleWithoutKind = visible().length;
  box.click();
  const links = Array.from(document.querySelectorAll("a[href]"));
  found.links = links.length;
  found.broken = links.map((link) => link.getAttribute("href"))
    .filter((href) => href.startsWith("#") ? !document.getElementById(href.slice(1)) : !/^\.?\/[^\/]/.test(href));
  found.small = links.filter((link) => link.getClientRects().length > 0 && link.getBoundingClientRect().height < 8).length;
  found.fits = document.documentElement.scrollWidth <= innerWidth;
  found.width = innerWidth;
  found.requests = performance.getEntriesByType("resource").map((entry) => entry.name);
  console.log("plantime-page: " + JSON.stringify(found));
}, 0));
"##;

/// The browser, if there is one.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("PLANTIME_CHROMIUM") {
        return Some(named.into());
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
    let paths = std::env::split_paths(&folders).flat_map(|folder| names.map(|name| folder.join(name)));
    let found = paths.into_iter().find(|path| path.is_file());
    if found.is_none() {
        println!("skipped: no Chromium on the path (PLANTIME_CHROMIUM names one)");
    }
    found
}

/// Opens a page in a window of this width and returns what the driver found. Fails if anything else is on the console.
fn opened(browser: &Path, name: &str, page: &str, width: u32) -> Json {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser").join(format!("{name}-{width}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("page.html");
    let (start, end) = page.rsplit_once("</body>").unwrap();
    let mut driven = format!("{start}<script>{DRIVER}</script></body>{end}");
    if width < WINDOW {
        let content = driven.replace('&', "&amp;").replace('"', "&quot;");
        driven = format!(
            "<!doctype html><title>frame</title><iframe style=\"width: {width}px; height: 800px; border: 0\" srcdoc=\"{content}\"></iframe>"
        );
    }
    std::fs::write(&file, driven).unwrap();
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--enable-logging=stderr"])
        .arg(format!("--window-size={},900", width.max(WINDOW)))
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg("--remote-debugging-port=0")
        .arg(format!("file://{}", file.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let errors = BufReader::new(child.stderr.take().unwrap());
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        for line in errors.lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    let (until, mut lines, mut found) = (Instant::now() + Duration::from_secs(60), Vec::new(), None);
    while found.is_none() {
        let Ok(line) = receive.recv_timeout(until.saturating_duration_since(Instant::now())) else { break };
        // `[…:INFO:CONSOLE(1)] "plantime-page: {…}", source: file:///… (1)`
        if let Some((_, rest)) = line.split_once(DONE) {
            let end = rest.rfind("\", source: ").unwrap();
            found = Some(serde_json::from_str(&rest[..end]).unwrap());
        }
        lines.push(line);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let console: Vec<&String> =
        lines.iter().filter(|line| line.contains("CONSOLE") && !line.contains(DONE)).collect();
    assert!(console.is_empty(), "{name}: {console:#?}");
    found.unwrap_or_else(|| panic!("{name}: the page said nothing: {lines:#?}"))
}

/// What has to hold of every page.
fn works(name: &str, found: &Json) {
    println!("{name}: {found}");
    let number = |key: &str| found[key].as_u64().unwrap();
    let all = number("all");
    assert!(all > 1, "{name}");
    for key in ["visible", "open", "openAfterUnfold", "visibleAgain"] {
        assert_eq!(number(key), all, "{name}: {key}");
    }
    assert_eq!((number("openAfterFold"), number("openAfterOne")), (0, 1), "{name}");
    assert!((1..all).contains(&number("filtered")), "{name}");
    assert_eq!(found["rightlyFiltered"], true, "{name}");
    assert_eq!(found["count"], format!("{} of {all}", number("filtered")), "{name}");
    assert_eq!(number("filteredAway"), 0, "{name}");
    assert!(number("ofKind") > 0, "{name}");
    assert_eq!(number("visibleWithoutKind"), all - number("ofKind"), "{name}");
    assert_eq!((&found["broken"], &found["small"]), (&json!([]), &json!(0)), "{name}");
    assert_eq!(found["links"].as_u64().unwrap() > 20, name.starts_with("check"), "{name}");
    if name.ends_with(" 400") {
        assert_eq!(found["width"], 400, "{name}");
    }
    assert_eq!(found["fits"], true, "{name}: the page is wider than its window");
    assert_eq!(found["requests"], json!([]), "{name}");
}

fn shown(plan: &Plan, schemas: &ProviderSchemas) -> String {
    let mut page = Vec::new();
    plan.render_html(&mut page, "a plan", schemas, RenderStyle::new(Colour::Never), None).unwrap();
    String::from_utf8(page).unwrap()
}

/// The page of a check of the example.
fn checked() -> String {
    use plantime::source::Source;
    use plantime_terraform::plan::{CheckOptions, HtmlPage, RulesFile, check};

    let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS).unwrap();
    let plan = Plan::read(example::PLAN, &schemas).unwrap();
    let rules = RulesFile::read(Source::new("rules.hcl", example::RULES)).unwrap();
    let against =
        CheckOptions { rules, schemas, configuration: None, show_values: false, facts: Default::default() };
    let mut page = HtmlPage::start("plantime check").into_bytes();
    check("plan.json", &plan, &against).unwrap().write_html(&mut page).unwrap();
    page.extend(HtmlPage::end("totals").into_bytes());
    String::from_utf8(page).unwrap()
}

#[test]
fn pages_fold_and_filter_without_a_request() {
    let Some(browser) = browser() else { return };
    let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS).unwrap();
    let plan = Plan::read(example::PLAN, &schemas).unwrap();
    let pages = [("show", shown(&plan, &schemas)), ("check", checked())];
    for (name, page) in pages {
        for width in [400, 1400] {
            works(&format!("{name} at {width}"), &opened(&browser, name, &page, width));
        }
    }
}

#[test]
fn a_plan_of_5000_resources_opens_in_3_seconds() {
    let Some(browser) = browser() else { return };
    let resource = |number: usize| {
        let kind = ["aws_vpc", "aws_subnet"][number % 2];
        let is_deleted = number.is_multiple_of(3);
        let after =
            json!({"name": format!("n{number}"), "tags": {"a": "b", "number": number}, "list": [1, 2, 3]});
        json!({"address": format!("{kind}.main[{number}]"), "mode": "managed", "type": kind, "name": "main", "index": number,
            "provider_name": "aws", "change": {"actions": [if is_deleted { "delete" } else { "create" }],
            "before": if is_deleted { after.clone() } else { Json::Null },
            "after": if is_deleted { Json::Null } else { after }, "after_unknown": {"id": true},
            "before_sensitive": {}, "after_sensitive": {}}})
    };
    let resources: Vec<Json> = (0..5000).map(resource).collect();
    let plan = json!({"format_version": "1.2", "resource_changes": resources});
    let none = ProviderSchemas::new();
    let plan = Plan::read(plan.to_string().as_bytes(), &none).unwrap();
    let page = shown(&plan, &none);
    // Others may use the machine too: one of three times is enough.
    let is_quick = (0..3).any(|_| {
        let found = opened(&browser, "large", &page, 1400);
        works("5000 resources", &found);
        assert_eq!(found["all"], 5000);
        found["ready"].as_f64().unwrap() < 3000.0
    });
    assert!(is_quick);
}
