//! The laws of the lattice, by brute force over a small universe, and the text form.

mod elements;
mod languages;
mod laws;
mod multiples;
mod numbers;
mod ranges;
mod structure;
mod syntax;
mod universe;
mod words;
