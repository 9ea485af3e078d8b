//! The fuzz targets share their checks with the ordinary tests of the crate, which replay `seeds/`.

#[path = "../../tests/checks/mod.rs"]
pub mod checks;
