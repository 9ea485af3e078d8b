//! The command `plantime`: checks plans against rules before they are applied.
//!
//! A thin shell: it reads files and writes reports; everything else is in the library.

mod args;
mod bundle;
mod input;
mod run;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let args::Command::Check(check) = args::Arguments::parse().command;
    run::check(&check)
}
