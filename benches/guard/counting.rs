//! Counting instructions of a bench under valgrind: what the programs that count share.

use std::hint::black_box;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What valgrind says it is; nothing where there is none.
pub fn valgrind() -> Option<String> {
    let output = Command::new("valgrind").arg("--version").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// How many instructions a run of this very program with these arguments takes.
pub fn whole(arguments: &[&str]) -> u64 {
    let output = under_valgrind(
        &["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"],
        arguments,
    );
    let text = String::from_utf8_lossy(&output.stderr);
    let count = text.lines().find_map(|line| line.split_once("refs:").map(|(_, count)| count));
    let digits: String = count.unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("{arguments:?}: nothing was counted:\n{text}"))
}

/// How many instructions such a run takes between its last calls of [`counting_begins`] and [`counting_ends`].
pub fn between(arguments: &[&str]) -> u64 {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("counted");
    let name = format!("{}-{}", std::process::id(), arguments.join("-").replace('/', "-"));
    std::fs::create_dir_all(&folder).expect("cargo's folder for such files can be written to");
    let out = format!("--callgrind-out-file={}", folder.join(&name).display());
    let ends = ["--zero-before=*counting_begins*", "--dump-before=*counting_ends*", "--dump-line=no"];
    under_valgrind(&[&["--tool=callgrind", out.as_str()][..], &ends].concat(), arguments);
    // One file for each call of the end, numbered from 1, and one for the rest of the run.
    let parts = (1..).map(|part| folder.join(format!("{name}.{part}")));
    let read: Vec<String> = parts.map_while(|part| taken(&part)).collect();
    let _ = std::fs::remove_file(folder.join(&name));
    let counted = read.iter().rev().find(|part| part.contains("counting_ends"));
    let count = counted.and_then(|part| part.lines().find_map(|line| line.strip_prefix("totals:")));
    let count = count.and_then(|count| count.trim().parse().ok());
    count.unwrap_or_else(|| panic!("{arguments:?}: nothing was counted between begin and end"))
}

/// What is in a file, which is then gone.
fn taken(file: &PathBuf) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    std::fs::remove_file(file).expect("a file of our own can be removed");
    Some(text)
}

/// Other code than below, as the compiler makes one function of two that are the same.
#[inline(never)]
pub fn counting_begins() {
    black_box(1_u8);
}

#[inline(never)]
pub fn counting_ends() {
    black_box(2_u16);
}

/// The environment lies on the stack and would move it: nearly nothing of it is passed on.
fn under_valgrind(options: &[&str], arguments: &[&str]) -> Output {
    let program = std::env::current_exe().expect("a program knows where it is");
    let kept = ["PATH", "LD_LIBRARY_PATH", "VALGRIND_LIB"].into_iter();
    let output = Command::new("valgrind")
        .env_clear()
        .envs(kept.filter_map(|name| Some((name, std::env::var_os(name)?))))
        .args(options)
        .arg(program)
        .args(arguments)
        .output()
        .expect("valgrind starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?} failed under valgrind:\n{text}");
    output
}

/// Does something with each item, as many at once as there are processors; the results in the order of the items.
pub fn spread<T: Sync, R: Send>(items: &[T], each: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let result = each(item);
                    results.lock().expect("no thread panics").push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panics");
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}
