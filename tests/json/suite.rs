//! Verdicts and data of others.

use std::fs;
use std::path::{Path, PathBuf};

use plantime::{Number, Type, Value, json};

/// The files of a folder of real data, by name; none where the data is not there.
fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let named = std::env::var_os("PLANTIME_REAL").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/real/dev");
    let folder = named.unwrap_or(beside).join(folder);
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: there is no {} (PLANTIME_REAL names another folder)", folder.display());
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file());
    let mut files: Vec<(String, Vec<u8>)> =
        paths.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), read(&path))).collect();
    files.sort_unstable();
    files
}

fn read(path: &Path) -> Vec<u8> {
    let bytes = fs::read(path).expect("a readable file");
    if path.extension().is_none_or(|extension| extension != "gz") {
        return bytes;
    }
    crate::packed::bytes(bytes.as_slice())
}

/// `y_` must be read, `n_` must not, `i_` may. Strictly, a property that comes twice is refused.
#[test]
fn the_verdicts_are_those_of_the_test_suite() {
    let mut count = 0;
    for (name, text) in files("json-test-suite/parsing") {
        let (strict, lenient) = (json::from_slice(&text), json::lenient::from_slice(&text));
        match name.as_bytes().first() {
            Some(b'y') => {
                let twice = name.contains("duplicated_key");
                assert_eq!(strict.is_ok(), !twice, "{name}: {strict:?}");
                assert!(lenient.is_ok(), "{name}: {lenient:?}");
            }
            // What is not UTF-8 is no JSON; cty takes it for text.
            Some(b'n') => assert!(strict.is_err(), "{name}: {strict:?}"),
            _ => assert!(strict.is_err() || lenient == strict, "{name}"),
        }
        count += 1;
    }
    println!("{count} verdicts");
}

#[test]
fn what_is_read_and_written_reads_as_the_same() {
    for folder in ["json-roundtrip", "json-test-suite/transform", "json-canonicalization/input"] {
        for (name, text) in files(folder) {
            let Ok(value) = json::from_slice(&text) else { continue };
            let written = json::to_vec(&value).expect("what is read is known");
            assert_eq!(json::from_slice(&written).as_ref(), Ok(&value), "{name}");
            let open = json::to_vec_as(&value, &Type::Dynamic).expect("what is read is known");
            assert_eq!(json::from_slice_as(&open, &Type::Dynamic).as_ref(), Ok(&value), "{name}");
        }
    }
}

/// Each line: 16, 32 and 64 bits of the nearest floating point number, and the text.
#[test]
fn numbers_are_the_nearest_floating_point_numbers_of_their_text() {
    let mut count = 0;
    for (name, text) in files("parse-number") {
        for line in String::from_utf8(text).expect("it is text").lines() {
            let mut parts = line.split(' ');
            let (Some(bits), Some(digits)) = (parts.nth(2), parts.next()) else { continue };
            let Ok(bits) = u64::from_str_radix(bits, 16) else { continue };
            let number = match digits.parse::<Number>() {
                Ok(number) => number,
                Err(error) if error.is_limit() => continue,
                Err(_) => continue,
            };
            // Negative zero is zero here.
            let wanted = f64::from_bits(bits);
            assert_eq!(number.to_f64(), wanted, "{name}: {digits}");
            if let Ok(value) = json::from_slice(digits.as_bytes()) {
                assert_eq!(value, Value::from(number), "{name}: {digits}");
                count += 1;
            }
        }
    }
    println!("{count} numbers");
}

/// Columns: source, form C, form D, form KC, form KD. The first three are the same string here.
#[test]
fn strings_are_in_the_form_c_of_unicode() {
    let mut count = 0;
    for version in ["15.0.0", "16.0.0", "17.0.0"] {
        for (name, text) in files(&format!("unicode/{version}")) {
            if !name.starts_with("NormalizationTest") {
                continue;
            }
            for line in String::from_utf8(text).expect("it is text").lines() {
                let line = line.split('#').next().unwrap_or_default();
                let columns: Vec<Option<String>> = line.split(';').take(3).map(characters).collect();
                let [Some(source), Some(composed), Some(decomposed)] = columns.as_slice() else { continue };
                for form in [source, composed, decomposed] {
                    let escaped: String = form.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
                    for text in [format!("\"{form}\""), format!("\"{escaped}\"")] {
                        let value = json::from_slice(text.as_bytes()).expect("it is a string");
                        assert_eq!(value.as_str(), Ok(composed.as_str()), "{version}: {line}");
                    }
                }
                count += 1;
            }
        }
    }
    println!("{count} lines of normalisation");
}

fn characters(column: &str) -> Option<String> {
    let codes = column.trim().split(' ');
    codes.map(|code| char::from_u32(u32::from_str_radix(code, 16).ok()?)).collect()
}
