//! References to files and their lines, in links and in SARIF.

/// A file name as a relative reference: everything but unreserved characters and slashes is percent-encoded.
fn uri(file: &str) -> String {
    let mut uri = String::with_capacity(file.len());
    for byte in file.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

/// The place of a file as SARIF has it: a relative reference, or the URI of a file whose name begins at the root.
pub(super) fn artifact_uri(file: &str) -> String {
    let uri = uri(file);
    match uri.strip_prefix('/') {
        // 3.4.4 of SARIF 2.1.0: a relative reference is resolved against a base, which one with a slash would replace.
        Some(absolute) => format!("file:///{}", absolute.trim_start_matches('/')),
        None => uri,
    }
}

/// A reference to a line of a file, relative to the page that has it: `./main.tf#L12`. Whatever the name of the file is, it names
/// no other host and no scheme.
pub(in crate::plan) fn line_reference(file: &str, line: usize) -> String {
    let uri = uri(file);
    // Two slashes would begin the name of a host.
    match uri.strip_prefix('/') {
        Some(absolute) => format!("/{}#L{line}", absolute.trim_start_matches('/')),
        None => format!("./{uri}#L{line}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_a_file_whatever_its_name_is() {
        for (file, expected) in [
            ("main.tf", "./main.tf#L3"),
            ("modules/net work/a#b.tf", "./modules/net%20work/a%23b.tf#L3"),
            ("/root/main.tf", "/root/main.tf#L3"),
            ("//evil.example/x", "/evil.example/x#L3"),
            ("\\\\evil\\x", "/evil/x#L3"),
            ("javascript:alert(1)", "./javascript%3Aalert%281%29#L3"),
            ("\"><script>", "./%22%3E%3Cscript%3E#L3"),
            ("https://evil.example/", "./https%3A//evil.example/#L3"),
        ] {
            assert_eq!(line_reference(file, 3), expected);
        }
    }

    #[test]
    fn a_file_at_the_root_has_a_uri_of_its_own() {
        assert_eq!(artifact_uri("a b/main.tf"), "a%20b/main.tf");
        assert_eq!(artifact_uri("/tmp/a rule.hcl"), "file:///tmp/a%20rule.hcl");
        assert_eq!(artifact_uri("//evil.example/x"), "file:///evil.example/x");
    }
}
