//! The command `plantime`: checks plans against rules before they are applied.
//!
//! A thin shell: it reads files and writes reports; everything else is in the libraries.

mod args;
mod bundle;
mod clock;
mod document;
mod eval;
mod facts;
mod files;
mod fmt;
mod folder;
mod input;
mod links;
mod next;
mod no_plan;
mod output;
mod packs;
mod parallel;
mod progress;
mod proxy;
mod rules;
mod run;
mod show;
mod snippets;
mod test;
mod validate;
mod variables;
mod verify;
mod why;
mod words;

use std::process::ExitCode;

use clap::Parser;

/// A report on a large plan consists of many small allocations, made by several threads: the system's allocator takes about
/// a fifth more processor time for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Runs the subcommand that the command line names, and returns its exit status.
fn main() -> ExitCode {
    match args::Arguments::parse().command {
        args::Command::Catalogue(arguments) => facts::catalogue(&arguments),
        args::Command::Check(check) => run::check(&check),
        args::Command::Eval(arguments) => eval::eval(&arguments),
        args::Command::Fmt(arguments) => fmt::fmt(&arguments),
        args::Command::Validate(arguments) => validate::validate(&arguments),
        args::Command::Proxy(_) => proxy::proxy(),
        args::Command::Record(_) => proxy::record(),
        args::Command::Rules(arguments) => rules::rules(&arguments),
        args::Command::Show(arguments) => show::show(&arguments),
        args::Command::Test(arguments) => test::test(&arguments),
        args::Command::Verify(arguments) => verify::verify(&arguments),
        args::Command::Why(arguments) => why::why(&arguments),
    }
}
