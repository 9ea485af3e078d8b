//! The HTML around the entries of a page: one file that loads nothing else, readable without its script, in light and dark
//! mode, on a phone and in print.

use super::report::reference::line_reference;
use super::report::render::push_html;

/// The style of the page.
const STYLE: &str = include_str!("page/style.css");

/// The script of the page: folding and filtering. Everything is readable without it.
const SCRIPT: &str = include_str!("page/script.js");

/// Adds the beginning of a page, up to the place where its content begins. `kinds` are the kinds of entries that a reader
/// can choose from.
pub(super) fn push_head(out: &mut String, title: &str, kinds: &[&str]) {
    out.push_str(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n<title>",
    );
    push_html(out, title);
    out.push_str("</title>\n<style>\n");
    out.push_str(STYLE);
    out.push_str("</style>\n</head>\n<body>\n<header>\n<h1>");
    push_html(out, title);
    out.push_str("</h1>\n<div class=\"tools\" id=\"tools\" hidden>\n");
    out.push_str("<input type=\"search\" id=\"filter\" placeholder=\"Filter\" aria-label=\"Filter\">\n");
    for kind in kinds {
        out.push_str("<label><input type=\"checkbox\" checked data-kind=\"");
        push_html(out, kind);
        out.push_str("\"> ");
        push_html(out, kind);
        out.push_str("</label>\n");
    }
    out.push_str(
        "<button type=\"button\" id=\"open\">Unfold</button> <button type=\"button\" id=\"close\">Fold</button>\n\
         <output id=\"count\"></output>\n</div>\n</header>\n<main>\n",
    );
}

/// Adds the end of a page.
pub(super) fn push_foot(out: &mut String) {
    out.push_str("</main>\n<script>\n");
    out.push_str(SCRIPT);
    out.push_str("</script>\n</body>\n</html>\n");
}

/// Adds the beginning of an entry: a part that folds, with its kind and a summary, which is HTML already.
pub(super) fn push_entry(out: &mut String, kind: &str, summary: &str) {
    out.push_str("<details open class=\"entry\" data-entry-kind=\"");
    push_html(out, kind);
    out.push_str("\"><summary>");
    out.push_str(summary);
    out.push_str("</summary>\n<pre>");
}

/// Adds the end of an entry.
pub(super) fn push_entry_end(out: &mut String) {
    out.push_str("</pre></details>\n");
}

/// Adds a link with this text to `reference`.
pub(super) fn push_link(out: &mut String, text: &str, reference: &str) {
    out.push_str("<a href=\"");
    push_html(out, reference);
    out.push_str("\">");
    push_html(out, text);
    out.push_str("</a>");
}

/// Adds the place in the configuration that declares what an entry is about, `main.tf:12`, as a link relative to the page.
pub(super) fn push_place(out: &mut String, place: &str) {
    let (file, line) = place.rsplit_once(':').unwrap_or((place, ""));
    out.push_str(" <span class=\"soft\">(");
    push_link(out, place, &line_reference(file, line.parse().unwrap_or(1)));
    out.push_str(")</span>");
}
