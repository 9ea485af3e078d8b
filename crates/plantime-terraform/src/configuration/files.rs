//! The files of a configuration, as the caller gives them.

use std::collections::{BTreeMap, BTreeSet};

use super::tree::manifest;

/// A file system that the caller gives. The library reads no files itself.
///
/// Paths are relative to the folder of the root module and have `/` between folders: `main.tf`, `modules/net/main.tf`,
/// `../shared/main.tf`. The root folder is the empty path.
///
/// A map from paths to contents is the simplest:
///
/// ```
/// use std::collections::BTreeMap;
/// use plantime_terraform::configuration::Files;
///
/// let files = BTreeMap::from([("net/main.tf".to_owned(), b"locals {}".to_vec())]);
/// assert_eq!(files.entries(""), ["net/"]);
/// assert_eq!(files.entries("net"), ["main.tf"]);
/// assert_eq!(files.content("net/main.tf").unwrap(), b"locals {}");
/// assert!(files.content("main.tf").is_none() && files.is_complete());
/// ```
pub trait Files: Send + Sync {
    /// The names of what is in a folder, in any order. The name of a folder ends with `/`.
    fn entries(&self, folder: &str) -> Vec<String>;

    /// The content of the file at a path; `None` if there is no such file.
    fn content(&self, path: &str) -> Option<Vec<u8>>;

    /// Whether these files are all that exist: a file that has no content here does not exist. If not, the results of
    /// `file`, `fileexists` and `fileset` for such a file are unknown: a binary plan has the files of the configuration
    /// inside, and no other files.
    ///
    /// [Example](Files)
    fn is_complete(&self) -> bool {
        true
    }

    /// Told the path of each file that `fileset` finds: results depend on it though its content may never be asked for.
    /// Who writes files can keep clear of it, as of what is read.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use std::sync::{Arc, Mutex};
    /// use plantime_terraform::configuration::{Configuration, Files, Inputs};
    ///
    /// struct Watched(BTreeMap<String, Vec<u8>>, Mutex<Vec<String>>);
    ///
    /// impl Files for Watched {
    ///     fn entries(&self, folder: &str) -> Vec<String> { self.0.entries(folder) }
    ///     fn content(&self, path: &str) -> Option<Vec<u8>> { self.0.content(path) }
    ///     fn listed(&self, path: &str) { self.1.lock().unwrap().push(path.to_owned()) }
    /// }
    ///
    /// let text = "output \"names\" { value = fileset(\"d\", \"*.txt\") }\n";
    /// let files = [("main.tf", text), ("d/a.txt", ""), ("d/b.json", "")];
    /// let files = files.map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
    /// let files = Arc::new(Watched(BTreeMap::from(files), Mutex::default()));
    /// let configuration = Configuration::read(files.clone()).unwrap();
    /// assert!(configuration.evaluate(&Inputs::new()).output("names").is_some());
    /// assert_eq!(*files.1.lock().unwrap(), ["d/a.txt"]);
    /// ```
    fn listed(&self, _path: &str) {}
}

impl Files for BTreeMap<String, Vec<u8>> {
    fn entries(&self, folder: &str) -> Vec<String> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let below = self.range(prefix.clone()..).map_while(|(path, _)| path.strip_prefix(&prefix));
        let names: BTreeSet<String> = below
            .map(|rest| match rest.split_once('/') {
                Some((name, _)) => format!("{name}/"),
                None => rest.to_owned(),
            })
            .collect();
        names.into_iter().collect()
    }

    fn content(&self, path: &str) -> Option<Vec<u8>> {
        self.get(path).cloned()
    }
}

/// The files inside a binary plan: those of the configuration, without what it reads by `file` and the like.
pub(crate) struct EmbeddedFiles(BTreeMap<String, Vec<u8>>);

impl Files for EmbeddedFiles {
    fn entries(&self, folder: &str) -> Vec<String> {
        self.0.entries(folder)
    }

    fn content(&self, path: &str) -> Option<Vec<u8>> {
        self.0.content(path)
    }

    fn is_complete(&self) -> bool {
        false
    }
}

/// The files inside a binary plan, at the paths that the calls of their modules name; `None` if there are none.
pub(crate) fn embedded_files(embedded: &BTreeMap<String, String>) -> Option<EmbeddedFiles> {
    let mut files = BTreeMap::new();
    if let Some(modules) = embedded.get("tfconfig/modules.json") {
        let manifest = format!("{{\"Modules\": {modules}}}");
        files.insert(".terraform/modules/modules.json".to_owned(), manifest.into_bytes());
    }
    let folders = manifest(&files);
    let mut is_empty = true;
    for (path, text) in embedded {
        let Some((key, name)) = path.strip_prefix("tfconfig/m-").and_then(|path| path.split_once('/')) else {
            continue;
        };
        let folder = match key {
            "" => "",
            key => folders.get(key).map_or(key, String::as_str),
        };
        files.insert(joined(folder, name), text.as_bytes().to_vec());
        is_empty = false;
    }
    (!is_empty).then_some(EmbeddedFiles(files))
}

/// Joins a folder and a path that is relative to it; removes each `.` and, where possible, each `..`.
pub(super) fn joined(folder: &str, relative: &str) -> String {
    let is_absolute = relative.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    let before = if is_absolute { "" } else { folder };
    let is_rooted = is_absolute || folder.starts_with('/');
    for part in before.split('/').chain(relative.split('/')) {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => drop(parts.pop()),
                _ if is_rooted => {}
                _ => parts.push(".."),
            },
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    if is_rooted { format!("/{path}") } else { path }
}

/// The folder that a path is in.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn paths_are_joined_and_simplified() {
        for (folder, relative, expected) in [
            ("", "./m", "m"),
            ("", ".", ""),
            ("a/b", "../c", "a/c"),
            ("a", "../../c", "../c"),
            ("..", "../c", "../../c"),
            ("", "../c/./d//e", "../c/d/e"),
            ("a", "/x/../y", "/y"),
            ("/r", "../..", "/"),
        ] {
            assert_eq!(joined(folder, relative), expected, "{folder} {relative}");
        }
    }
}
