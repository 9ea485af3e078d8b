//! Measurements of the project, each a program: `cargo bench --bench NAME`. BENCHMARKS.md tells what they say.
