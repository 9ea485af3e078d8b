//! The files of a configuration on the disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plantime_terraform::configuration::Files;
use plantime_terraform::plan::{Configuration, InputError};

use crate::files;
use crate::input::{self, Input};

/// A folder with a configuration.
pub(crate) struct Folder {
    pub(crate) folder: PathBuf,
    /// The maximum size of a file in bytes.
    pub(crate) limit: u64,
}

impl Files for Folder {
    fn entries(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.folder.join(folder)) else { return Vec::new() };
        let name = |entry: fs::DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.path().is_dir() { format!("{name}/") } else { name }
        };
        entries.filter_map(Result::ok).map(name).collect()
    }

    fn content(&self, path: &str) -> Option<Vec<u8>> {
        let path = self.folder.join(path);
        // A device such as `/dev/zero` never ends, and a pipe waits for who writes it.
        if !fs::metadata(&path).is_ok_and(|metadata| metadata.is_file()) {
            return None;
        }
        Input::File(path).read(self.limit).ok()
    }

    fn listed(&self, path: &str) {
        files::protect(self.folder.join(path));
    }
}

/// The endings of files with a configuration.
const ENDINGS: [&str; 4] = [".tf", ".tf.json", ".tofu", ".tofu.json"];

/// The files of the root module in a folder.
pub(crate) fn inputs(folder: &Path) -> Vec<Input> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let is_read = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        ENDINGS.iter().any(|ending| name.ends_with(ending)) && path.is_file()
    };
    paths.filter(is_read).map(Input::File).collect()
}

/// What messages write before the names of the files of a folder.
pub(crate) fn prefix(folder: &Path) -> String {
    match folder.display().to_string().trim_end_matches('/') {
        "." => String::new(),
        folder => format!("{folder}/"),
    }
}

/// The configuration in a folder, for checks. Without a plan, declarations that are wrong count as far as they go.
pub(crate) fn configuration(
    folder: &Path,
    limit: u64,
    has_plan: bool,
) -> Result<Configuration, Vec<InputError>> {
    let shown = folder.display().to_string();
    if let Err(error) = fs::read_dir(folder) {
        return Err(vec![InputError::input(shown, input::reason(&error))]);
    }
    if inputs(folder).is_empty() {
        return Err(vec![InputError::input(shown, "no *.tf files")]);
    }
    let prefix = prefix(folder);
    let files = Folder { folder: folder.to_owned(), limit };
    let read = if has_plan { Configuration::open } else { Configuration::open_tolerantly };
    read(Arc::new(files), &prefix).map_err(|problems| problems.into_iter().map(InputError::from).collect())
}
