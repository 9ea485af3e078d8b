//! Links of pages: a page is written to a folder, and names files relative to the one that the command runs in.

use std::path::{Component, Path, PathBuf};

/// What links of a page begin with that lead to a file.
const RELATIVE: &[u8] = b"href=\"./";

/// Makes the links of a page that is written to another folder lead to the same files. All text of a page has its quotes escaped, so
/// only links have these bytes.
pub(crate) struct Relinked {
    /// What takes the place of `./`, escaped.
    base: String,
    /// The end of what was passed on, as far as a link may begin in it.
    pending: Vec<u8>,
}

impl Relinked {
    /// For a page at this path; `None` where links lead to the right files as they are.
    pub(crate) fn to(page: &Path) -> Option<Relinked> {
        let here = std::env::current_dir().ok()?.canonicalize().ok()?;
        let folder = page.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let base = relative(&folder.canonicalize().ok()?, &here);
        (!base.is_empty()).then(|| Relinked { base, pending: Vec::new() })
    }

    /// The bytes to write for these bytes of the page.
    pub(crate) fn pass(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.pending.extend_from_slice(bytes);
        let mut out = Vec::with_capacity(self.pending.len());
        let mut rest = self.pending.as_slice();
        while let Some(at) = find(rest) {
            let (before, link) = rest.split_at(at);
            out.extend_from_slice(before);
            out.extend_from_slice(b"href=\"");
            out.extend_from_slice(self.base.as_bytes());
            rest = link.get(RELATIVE.len()..).unwrap_or_default();
        }
        // The beginning of a link may come next.
        let kept = (1..RELATIVE.len())
            .rev()
            .find(|length| rest.ends_with(RELATIVE.get(..*length).unwrap_or_default()));
        let (written, kept) = rest.split_at(rest.len().saturating_sub(kept.unwrap_or_default()));
        out.extend_from_slice(written);
        self.pending = kept.to_vec();
        out
    }

    /// What is left at the end of the page.
    pub(crate) fn end(self) -> Vec<u8> {
        self.pending
    }
}

/// Where a relative link begins.
fn find(bytes: &[u8]) -> Option<usize> {
    bytes.windows(RELATIVE.len()).position(|window| window == RELATIVE)
}

/// The way from one folder to another, as the beginning of a link: `../`; empty for the same folder.
fn relative(from: &Path, to: &Path) -> String {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (from.components().collect(), to.components().collect());
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = from.iter().skip(common).map(|_| "../".to_owned());
    let down =
        to.iter().skip(common).map(|part| format!("{}/", escaped(&PathBuf::from(part).to_string_lossy())));
    up.chain(down).collect()
}

/// The name of a folder in a link.
fn escaped(name: &str) -> String {
    let mut out = String::new();
    for byte in name.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_same_files_from_another_folder() {
        for (from, to, expected) in [
            ("/a/b", "/a/b", ""),
            ("/a/b/site/x", "/a/b", "../../"),
            ("/a/site", "/a/b c", "../b%20c/"),
            ("/", "/a", "a/"),
        ] {
            assert_eq!(relative(Path::new(from), Path::new(to)), expected);
        }
        let page = b"<a href=\"./main.tf#L1\">./main.tf</a> <a href=\"#e\"> href=&quot;./ <a href=\"/x\"><a href=\"./";
        let expected = b"<a href=\"../main.tf#L1\">./main.tf</a> <a href=\"#e\"> href=&quot;./ <a href=\"/x\"><a href=\"../";
        for size in 1..page.len() {
            let mut relinked = Relinked { base: "../".to_owned(), pending: Vec::new() };
            let mut out: Vec<u8> = page.chunks(size).flat_map(|piece| relinked.pass(piece)).collect();
            out.extend(relinked.end());
            assert_eq!(out, expected, "{size}");
        }
    }
}
