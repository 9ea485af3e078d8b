//! The files that a run writes: never one that it reads, and whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use plantime_terraform::plan::InputError;

use crate::input::{self, Input};

/// The errors for output files that are also an input, or that two options name. `outputs` pairs each option with its
/// path. Compares paths, links and the files themselves, and opens nothing.
pub(crate) fn overwriting(inputs: &[Input], outputs: &[(&str, Option<&Path>)]) -> Vec<InputError> {
    let read: Vec<(String, Identity)> =
        inputs.iter().filter_map(|input| Some((input.name(), Identity::of(&input.path())?))).collect();
    let mut written: Vec<(&str, Identity)> = Vec::new();
    let mut errors = Vec::new();
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        let Some(identity) = Identity::of(path) else { continue };
        let name = path.display().to_string();
        if let Some((input, _)) = read.iter().find(|(_, other)| other.is_same(&identity)) {
            errors.push(InputError::input(name, format!("{option} would overwrite an input, {input}")));
        } else if let Some((other, _)) = written.iter().find(|(_, other)| other.is_same(&identity)) {
            errors.push(InputError::input(name, format!("{option} and {other} name the same file")));
        }
        written.push((option, identity));
    }
    errors
}

/// What distinguishes a file from others, whatever path leads to it.
struct Identity {
    /// The path without links.
    path: PathBuf,
    /// Where the system counts files: device and number.
    number: Option<(u64, u64)>,
}

impl Identity {
    /// The identity of the file at a path, existing or not. `None` for what is no file, such as a terminal or
    /// `/dev/null`: writing there destroys nothing.
    fn of(path: &Path) -> Option<Identity> {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => None,
            Ok(metadata) => Some(Identity { path: real(path), number: number(&metadata) }),
            Err(_) => Some(Identity { path: real(path), number: None }),
        }
    }

    /// Whether both are the same file.
    fn is_same(&self, other: &Identity) -> bool {
        self.path == other.path || (self.number.is_some() && self.number == other.number)
    }
}

/// The device and the number by which the system identifies the file.
#[cfg(unix)]
fn number(metadata: &fs::Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((metadata.dev(), metadata.ino()))
}

/// `None`: this system does not tell how it identifies the file.
#[cfg(not(unix))]
fn number(_: &fs::Metadata) -> Option<(u64, u64)> {
    None
}

/// The path with links resolved; for a file that does not exist yet, its folder with links resolved and the file's
/// name.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// A file that is being written under a temporary name, and moved to its place once it is complete. The file that was
/// there before stays until then, also if the run ends early.
pub(crate) struct Writing {
    name: String,
    file: File,
    /// From where to where it is moved; none for a device or a pipe, which is written in place.
    moved: Option<(PathBuf, PathBuf)>,
}

impl Writing {
    /// Creates the temporary file beside `path`; opens a device or pipe at `path` itself. An error if `path` is not
    /// writable.
    pub(crate) fn start(path: &Path) -> Result<Writing, InputError> {
        let name = path.display().to_string();
        let unusable = |error: &std::io::Error| InputError::input(name.clone(), input::reason(error));
        let permissions = match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => {
                // Nobody may write there: moving another file to its place would.
                OpenOptions::new().append(true).open(path).map_err(|error| unusable(&error))?;
                Some(metadata.permissions())
            }
            Ok(_) => {
                let file = OpenOptions::new().write(true).open(path).map_err(|error| unusable(&error))?;
                return Ok(Writing { name, file, moved: None });
            }
            Err(_) => None,
        };
        let place = real(path);
        let mut aside = std::ffi::OsString::from(".");
        aside.push(place.file_name().unwrap_or_default());
        aside.push(format!(".{}.new", std::process::id()));
        let aside = place.with_file_name(aside);
        let file = OpenOptions::new().write(true).create_new(true).open(&aside);
        let file = file.map_err(|error| unusable(&error))?;
        let writing = Writing { name: name.clone(), file, moved: Some((aside, place)) };
        if let Some(permissions) = permissions {
            writing.file.set_permissions(permissions).map_err(|error| unusable(&error))?;
        }
        Ok(writing)
    }

    /// Appends bytes to the file.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), InputError> {
        self.file.write_all(bytes).map_err(|error| self.unusable(&error))
    }

    /// Moves the complete file to its place.
    pub(crate) fn finish(mut self) -> Result<(), InputError> {
        let Some((aside, place)) = self.moved.take() else {
            return self.file.flush().map_err(|error| self.unusable(&error));
        };
        let moved = self.file.sync_all().and_then(|()| fs::rename(&aside, &place));
        moved.map_err(|error| {
            let _ = fs::remove_file(&aside);
            self.unusable(&error)
        })
    }

    /// The error for this file after an input or output error.
    fn unusable(&self, error: &std::io::Error) -> InputError {
        InputError::input(self.name.clone(), input::reason(error))
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        if let Some((aside, _)) = self.moved.take() {
            let _ = fs::remove_file(aside);
        }
    }
}

/// Writes a whole file with this content.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), InputError> {
    let mut writing = Writing::start(path)?;
    writing.write(text.as_bytes())?;
    writing.finish()
}
