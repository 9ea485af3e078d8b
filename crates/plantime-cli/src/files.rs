//! The files that a run writes: never one that it reads, and whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use plantime_terraform::plan::InputError;

use crate::input::{self, Input};

/// The files that this run has read: those that options name, and those that the configuration leads to.
static READ: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Opens a file to read it; no output will overwrite it.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    protect(path.to_owned());
    Ok(file)
}

/// Keeps a file that this run depends on from being overwritten.
pub(crate) fn protect(path: PathBuf) {
    READ.lock().unwrap_or_else(PoisonError::into_inner).push(path);
}

/// The file among those that were read that an output would overwrite.
fn read_before(written: &Path) -> Option<PathBuf> {
    let written = Identity::of(written)?;
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |path: &&PathBuf| Identity::of(path).is_some_and(|other| other.is_same(&written));
    read.iter().find(is_same).cloned()
}

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

/// The maximum number of links that a path is followed through, as in Linux.
const LINKS: usize = 40;

/// The path with links resolved; for a file that does not exist yet, its folder with links resolved and the file's
/// name.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        // A link to what is not there yet.
        let Ok(target) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(target);
    }
    match (fs::canonicalize(folder_of(&path)), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// The folder that a path is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file that is being written under a temporary name, and moved to its place once it is complete. The file that was
/// there before stays until then, also if the run ends early.
pub(crate) struct Writing {
    name: String,
    file: File,
    /// From where to where it is moved; none for a device or a pipe, which is written in place.
    moved: Option<(PathBuf, PathBuf)>,
    /// Whether the file was read in order to be written anew.
    is_rewritten: bool,
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
                return Ok(Writing { name, file, moved: None, is_rewritten: false });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unusable(&error)),
        };
        let place = real(path);
        remove_abandoned(&place);
        let aside = place.with_file_name(format!("{}{}.new", beginning(&place), std::process::id()));
        let file = OpenOptions::new().write(true).create_new(true).open(&aside);
        let file = file.map_err(|error| unusable(&error))?;
        // Tells other runs that this one is at it; where files cannot be locked, they leave it alone.
        let _ = file.try_lock();
        let writing = Writing { name: name.clone(), file, moved: Some((aside, place)), is_rewritten: false };
        if let Some(permissions) = permissions {
            writing.file.set_permissions(permissions).map_err(|error| unusable(&error))?;
        }
        Ok(writing)
    }

    /// Appends bytes to the file.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), InputError> {
        self.file.write_all(bytes).map_err(|error| self.unusable(&error))
    }

    /// Moves the complete file to its place; an error if this run has read what is there.
    pub(crate) fn finish(mut self) -> Result<(), InputError> {
        let read =
            self.moved.as_ref().filter(|_| !self.is_rewritten).and_then(|(_, place)| read_before(place));
        if let Some(read) = read {
            let message = format!("the output would overwrite an input, {}", read.display());
            return Err(InputError::input(self.name.clone(), message));
        }
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

/// The beginning of the names under which a file is written before it is moved to its place.
fn beginning(place: &Path) -> String {
    format!(".{}.", place.file_name().unwrap_or_default().to_string_lossy())
}

/// The age from which on a file that nobody locks is abandoned: between being made and being locked it is younger.
const ABANDONED: Duration = Duration::from_secs(60);

/// Removes what runs that were killed while they wrote this file have left beside it.
fn remove_abandoned(place: &Path) {
    let beginning = beginning(place);
    let Ok(entries) = fs::read_dir(folder_of(place)) else { return };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(&beginning).and_then(|rest| rest.strip_suffix(".new"));
        let is_ours = process.is_some_and(|id| !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit()));
        let is_old = || {
            let changed = entry.metadata().ok().filter(fs::Metadata::is_file)?.modified().ok()?;
            Some(changed.elapsed().ok()? >= ABANDONED)
        };
        let is_free = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if is_ours && is_old() == Some(true) && is_free() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes a whole file with this content.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), InputError> {
    let mut writing = Writing::start(path)?;
    writing.write(text.as_bytes())?;
    writing.finish()
}

/// Writes a file with this content that is not there yet; an error if it is.
pub(crate) fn write_new(path: &Path, text: &str) -> Result<(), InputError> {
    let written = OpenOptions::new().write(true).create_new(true).open(path);
    let written = written.and_then(|mut file| {
        // What is written in part is taken away.
        file.write_all(text.as_bytes()).inspect_err(|_| drop(fs::remove_file(path)))
    });
    let name = path.display().to_string();
    written.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            InputError::input(name, "the file is there already, and is not overwritten")
        }
        _ => InputError::input(name, input::reason(&error)),
    })
}

/// Appends a text to a file, which is made if it is not there; an error if this run has read it.
pub(crate) fn append(path: &Path, text: &str) -> Result<(), InputError> {
    let name = path.display().to_string();
    if let Some(read) = read_before(path) {
        let message = format!("the output would overwrite an input, {}", read.display());
        return Err(InputError::input(name, message));
    }
    let appended = OpenOptions::new().append(true).create(true).open(path);
    let appended = appended.and_then(|mut file| file.write_all(text.as_bytes()));
    appended.map_err(|error| InputError::input(name, input::reason(&error)))
}

/// Writes a file that was read in order to be written anew.
pub(crate) fn rewrite(path: &Path, text: &str) -> Result<(), InputError> {
    let mut writing = Writing::start(path)?;
    writing.is_rewritten = true;
    writing.write(text.as_bytes())?;
    writing.finish()
}
