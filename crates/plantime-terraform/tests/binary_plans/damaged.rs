//! What is no binary plan, is damaged, or unpacks to too much, is an error that says so.

use std::io::{Cursor, Read as _, Write as _};
use std::time::Instant;

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Plan, example};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// A plan of the bundled example, as Terraform 1.15.5 wrote it.
const NETWORK: &[u8] = include_bytes!("network.tfplan");

fn error_of(bytes: &[u8]) -> String {
    Plan::read_binary(bytes, &ProviderSchemas::new()).unwrap_err().to_string()
}

/// A zip archive of these files.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A file inside the archive of the example.
fn file(name: &str) -> Vec<u8> {
    let mut content = Vec::new();
    ZipArchive::new(Cursor::new(NETWORK)).unwrap().by_name(name).unwrap().read_to_end(&mut content).unwrap();
    content
}

#[test]
fn the_bundled_plan_is_the_same_from_both_files() {
    let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS).unwrap();
    let binary = Plan::read_binary(NETWORK, &schemas).unwrap();
    let json = Plan::read(example::PLAN, &schemas).unwrap();
    assert!(Plan::is_binary(NETWORK) && !Plan::is_binary(example::PLAN));
    assert_eq!(crate::recorded::differences(&json, &binary), Vec::<String>::new());
    assert!(binary.configuration_files.contains_key("tfconfig/m-/main.tf"));
    assert!(binary.notes.is_empty());
    // What the provider promised is in the binary plan alone.
    let id = |plan: &Plan| {
        let change = plan.resource_changes.iter().find(|change| &*change.type_name == "aws_subnet").unwrap();
        change.change.after.as_ref().unwrap().at("id").unwrap().to_string()
    };
    assert_eq!(id(&json), "(known after apply)");
    assert_ne!(id(&binary), "(known after apply)");
}

#[test]
fn what_is_no_binary_plan_is_named() {
    assert_eq!(error_of(b"PLAN"), "not a plan: neither JSON nor a zip archive");
    assert!(
        error_of(b" {\"remote_plan_format\": 1, \"run_id\": \"run-1\"}").contains("stored in HCP Terraform")
    );
    assert!(error_of(b"{\"meta\": {}, \"encrypted_data\": \"\"}").contains("encrypted by OpenTofu"));
    assert_eq!(
        error_of(&archive(&[("a", b"b")])),
        "not a plan: it is a zip archive without the file `tfplan`"
    );
    let version = error_of(&archive(&[("tfplan", b"\x08\x04")]));
    assert_eq!(version, "binary plans of version 4 are not supported, expected 3");
    assert_eq!(
        error_of(&archive(&[("tfplan", b"\x08\x03\x1a\x02\x08\x01")])),
        "the plan file is damaged: its plan is no message of the expected form"
    );
    assert!(error_of(&NETWORK[..NETWORK.len() / 2]).starts_with("the plan file is damaged"));
}

#[test]
fn what_unpacks_to_too_much_is_refused_before_it_is_unpacked() {
    let started = Instant::now();
    let zeros = vec![0; 1 << 26];
    let plan: &[u8] = b"\x08\x03";
    for bomb in
        [archive(&[("tfplan", &zeros)]), archive(&[("tfplan", plan), ("tfconfig/m-/main.tf", &zeros)])]
    {
        assert!(bomb.len() < 1 << 18);
        let error = Plan::read_binary(&bomb, &ProviderSchemas::new()).unwrap_err();
        assert!(error.is_limit(), "{error}");
    }
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

/// Content of which a 200th is left when it is packed: less than zeros, and far more than of any plan.
#[test]
fn a_field_that_packs_unlike_any_plan_is_refused() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut field = b"\x08\x03\xf2\x3e\x80\x80\x80\x08".to_vec();
    while field.len() < (1 << 24) + 8 {
        field.extend([0; 1 << 12].iter().enumerate().map(|(place, zero)| match place {
            0..16 => u8::try_from(random.below(256)).unwrap(),
            _ => *zero,
        }));
    }
    let packed = archive(&[("tfplan", &field)]);
    let ratio = field.len() / packed.len();
    assert!((70..200).contains(&ratio), "{ratio}");
    let error = Plan::read_binary(&packed, &ProviderSchemas::new()).unwrap_err();
    assert!(error.is_limit(), "{error}");
}

/// Numbers that look random, and are the same every time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(limit).unwrap()).unwrap()
    }
}

/// Whatever the bytes are, reading ends, and ends with a plan or an error.
#[test]
fn damaged_plans_are_plans_or_errors() {
    let (plan, state) = (file("tfplan"), file("tfstate"));
    let schemas = ProviderSchemas::from_json(example::PROVIDER_SCHEMAS).unwrap();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut plans, mut errors) = (0, 0);
    for round in 0..1500 {
        let (mut plan, mut state) = (plan.clone(), state.clone());
        for _ in 0..=random.below(3) {
            let damaged = if round % 8 == 0 { &mut state } else { &mut plan };
            let place = random.below(damaged.len());
            match random.below(4) {
                0 => damaged.truncate(place),
                1 => damaged[place] ^= 1 << random.below(8),
                2 => damaged[place] = u8::try_from(random.below(256)).unwrap(),
                _ => damaged.insert(place, u8::try_from(random.below(256)).unwrap()),
            }
            if damaged.is_empty() {
                damaged.push(0);
            }
        }
        let bytes = archive(&[("tfplan", &plan), ("tfstate", &state)]);
        let known = if round % 2 == 0 { &schemas } else { &ProviderSchemas::new() };
        match Plan::read_binary(&bytes, known) {
            Ok(_) => plans += 1,
            Err(_) => errors += 1,
        }
    }
    assert!(plans > 100 && errors > 100, "{plans} plans, {errors} errors");
    for length in (0..NETWORK.len()).step_by(97) {
        let _ = Plan::read_binary(&NETWORK[..length], &schemas);
    }
}

/// Terraform takes the first of two files of one name.
#[test]
fn a_name_that_is_twice_in_the_archive_is_refused() {
    let plan = file("tfplan");
    let mut bytes = archive(&[
        ("tfplan", &plan),
        ("tfplaX", &plan),
        ("tfconfig/m-/main.tf", b""),
        ("tfconfig/m-/maiX.tf", b""),
    ]);
    assert!(Plan::read_binary(&bytes, &ProviderSchemas::new()).is_ok());
    for (from, to) in [("tfconfig/m-/maiX.tf", "tfconfig/m-/main.tf"), ("tfplaX", "tfplan")] {
        let mut twice = bytes.clone();
        for at in 0..bytes.len() - from.len() {
            if bytes[at..].starts_with(from.as_bytes()) {
                twice[at..at + to.len()].copy_from_slice(to.as_bytes());
            }
        }
        assert!(error_of(&twice).contains(&format!("two files {to:?}")), "{}", error_of(&twice));
    }
    // A list that a reader may find at another place, or may read to another end.
    let comment = [&bytes[..bytes.len() - 2], b"\x01\x00x"].concat();
    assert!(error_of(&comment).contains("usual form"));
    let end = bytes.len() - 22;
    bytes[end + 10] = 1;
    assert!(error_of(&bytes).contains("damaged"));
    let before = [b"PK\x03\x04", &archive(&[("tfplan", &plan)])[..]].concat();
    assert!(error_of(&before).contains("damaged"));
}
