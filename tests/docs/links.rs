//! Links from one document to another lead to files that are there.

use std::path::Path;

use super::sources;

fn documents() -> Vec<String> {
    let root = sources::names_in(".").into_iter();
    let mut pages =
        sources::names_in("docs").into_iter().map(|name| format!("docs/{name}")).collect::<Vec<_>>();
    for name in sources::names_in("crates") {
        pages.push(format!("crates/{name}/README.md"));
        if sources::names_in(&format!("crates/{name}")).iter().any(|inner| inner == "docs") {
            let docs = format!("crates/{name}/docs");
            pages.extend(sources::names_in(&docs).into_iter().map(|page| format!("{docs}/{page}")));
        }
    }
    root.chain(pages).filter(|name| name.ends_with(".md")).collect()
}

/// The anchor of a heading, as the sites that show Markdown make it.
fn anchor(heading: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || c == ' ' || c == '-' || c == '_';
    heading.to_lowercase().chars().filter(|c| kept(*c)).collect::<String>().replace(' ', "-")
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let (mut count, mut broken) = (0, Vec::new());
    for document in documents() {
        let text = sources::text(&document);
        let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for target in targets.filter(|target| !target.contains("://")) {
            count += 1;
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let folder = Path::new(&document).parent().unwrap();
            let file = if file.is_empty() { document.clone().into() } else { folder.join(file) };
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&file);
            let is_heading =
                |text: &str| text.lines().any(|line| anchor(line.trim_start_matches('#').trim()) == heading);
            if !path.exists() || !heading.is_empty() && !is_heading(&std::fs::read_to_string(&path).unwrap())
            {
                broken.push(format!("{document}: {target}"));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
    assert!(count > 10, "only {count} links were found");
}
