//! Plans, states and provider schemas.

use plantime_schema::ProviderSchemas;
use plantime_terraform::plan::{Obligations, Plan, State};

use crate::{INPUT, alone, in_proportion};

const NETWORK: &[u8] = include_bytes!("../../examples/network/provider-schemas.json");

fn start(text: &[u8]) -> String {
    String::from_utf8_lossy(text).chars().take(200).collect()
}

/// Text of about 64 kB.
fn filled(open: &str, item: impl Fn(usize) -> String, close: &str) -> String {
    let mut items = String::new();
    for i in 0.. {
        if items.len() > INPUT {
            break;
        }
        items.push_str(if i > 0 { "," } else { "" });
        items.push_str(&item(i));
    }
    format!("{open}{items}{close}")
}

fn plans() -> Vec<String> {
    let plan = |rest: &str| format!("{{\"format_version\":\"1.2\",\"resource_changes\":[],{rest}");
    let changes = |item: &str| {
        let open = "{\"format_version\":\"1.2\",\"resource_changes\":[";
        filled(open, |_| item.to_owned(), "]}")
    };
    let part = |ty: &str, open: &str, item: &str, close: &str| {
        let head = "{\"format_version\":\"1.2\",\"resource_changes\":[{\"mode\":\"managed\",\"provider_name\":\
                    \"registry.terraform.io/example/aws\",\"type\":\"";
        filled(
            &format!("{head}{ty}\",\"change\":{{\"after\":{open}"),
            |_| item.to_owned(),
            &format!("{close}}}}}]}}"),
        )
    };
    let vpc = "{\"mode\":\"managed\",\"provider_name\":\"registry.terraform.io/example/aws\",\"type\":\"aws_db_instance\",\
               \"change\":{\"after\":{},\"before\":{}}}";
    vec![
        changes("{\"change\":{}}"),
        changes("{\"change\":{\"after\":{}}}"),
        changes("{\"change\":{\"after\":[0],\"before\":[0]}}"),
        changes("{\"change\":{\"actions\":[\"\"]}}"),
        changes("{\"change\":{\"replace_paths\":[[\"a\"]]}}"),
        changes(vpc),
        filled(&plan("\"resource_drift\":["), |_| "{\"change\":{}}".to_owned(), "]}"),
        filled(&plan("\"output_changes\":{"), |i| format!("\"{i}\":{{}}"), "}}"),
        filled(&plan("\"variables\":{"), |i| format!("\"{i}\":{{}}"), "}}"),
        filled(&plan("\"variables\":{"), |i| format!("\"{i}\":{{\"value\":[{{}}]}}"), "}}"),
        filled(&plan("\"checks\":["), |_| "{}".to_owned(), "]}"),
        filled(&plan("\"checks\":[{\"instances\":["), |_| "{}".to_owned(), "]}]}"),
        filled(&plan("\"relevant_attributes\":["), |_| "{}".to_owned(), "]}"),
        filled(&plan("\"relevant_attributes\":[{\"attribute\":["), |_| "0".to_owned(), "]}]}"),
        filled(&plan("\"configuration\":{\"root_module\":{\"resources\":["), |_| "{}".to_owned(), "]}}}"),
        filled(
            &plan("\"configuration\":{\"root_module\":{\"module_calls\":{"),
            |i| format!("\"{i}\":{{\"module\":{{}}}}"),
            "}}}}",
        ),
        part("aws_vpc", "[", "[]", "]"),
        part("aws_vpc", "[", "{}", "]"),
        part("aws_vpc", "[", "1e8000", "]"),
        part("aws_security_group", "{\"ingress\":[", "{}", "]}"),
        part("aws_security_group", "{\"ingress\":[", "{\"cidr_blocks\":[0]}", "]}"),
        part("aws_db_instance", "{\"tags\":{\"a\":[", "0", "]}}"),
        part("aws_instance", "{\"after\":[", "null", "]}"),
        filled(
            "{\"format_version\":\"1.2\",\"resource_changes\":[{\"change\":{\"after\":{},\"after_unknown\":[",
            |_| "true".to_owned(),
            "]}}]}",
        ),
        filled(
            "{\"format_version\":\"1.2\",\"resource_changes\":[{\"change\":{\"after\":[],\"after_sensitive\":[",
            |_| "true".to_owned(),
            "]}}]}",
        ),
    ]
}

fn states() -> Vec<String> {
    let open = "{\"format_version\":\"1.0\",\"values\":{\"root_module\":{\"resources\":[";
    let outputs = "{\"format_version\":\"1.0\",\"values\":{\"outputs\":{";
    vec![
        filled(open, |_| "{}".to_owned(), "]}}}"),
        filled(open, |_| "{\"mode\":\"data\"}".to_owned(), "]}}}"),
        filled(open, |_| "{\"mode\":\"data\",\"values\":{}}".to_owned(), "]}}}"),
        filled(outputs, |i| format!("\"{i}\":{{}}"), "}}}"),
    ]
}

fn schemas() -> Vec<String> {
    let attributes = "{\"provider_schemas\":{\"p\":{\"resource_schemas\":{\"r\":{\"block\":{\"attributes\":{";
    let blocks = "{\"provider_schemas\":{\"p\":{\"resource_schemas\":{\"r\":{\"block\":{\"block_types\":{";
    vec![
        filled("{\"provider_schemas\":{", |i| format!("\"{i}\":{{}}"), "}}"),
        filled("{\"provider_schemas\":{},\"more\":[", |_| "{}".to_owned(), "]}"),
        filled("{\"provider_schemas\":{\"p\":{\"resource_schemas\":{", |i| format!("\"{i}\":{{}}"), "}}}}"),
        filled("{\"provider_schemas\":{\"p\":{\"functions\":{", |i| format!("\"{i}\":{{}}"), "}}}}"),
        filled(
            "{\"provider_schemas\":{\"p\":{\"functions\":{\"f\":{\"parameters\":[",
            |_| "{}".to_owned(),
            "]}}}}}",
        ),
        filled(
            "{\"provider_schemas\":{\"p\":{\"resource_identity_schemas\":{",
            |i| format!("\"{i}\":{{}}"),
            "}}}}",
        ),
        filled(attributes, |i| format!("\"{i}\":{{\"type\":\"bool\"}}"), "}}}}}}}"),
        filled(
            attributes,
            |i| format!("\"{i}\":{{\"nested_type\":{{\"nesting_mode\":\"set\"}}}}"),
            "}}}}}}}",
        ),
        filled(blocks, |i| format!("\"{i}\":{{\"nesting_mode\":\"set\"}}"), "}}}}}}}"),
    ]
}

#[test]
fn hostile_plans_and_schemas_are_read_in_proportion() {
    let _alone = alone();
    let none = ProviderSchemas::new();
    let network = ProviderSchemas::from_json(NETWORK).unwrap();
    for schema in network.providers.values().flat_map(|provider| provider.resource_schemas.values()) {
        // Worked out once, when it is first asked for.
        assert!(schema.implied_type().is_ok());
    }
    for text in plans() {
        let text = text.as_bytes();
        let too_long = Plan::read(text, &none).is_err_and(|error| error.is_limit());
        assert_eq!(too_long, text.windows(6).any(|part| part == b"1e8000"), "{}", start(text));
        in_proportion("a plan", text, || Plan::read(text, &none));
        in_proportion("a plan with schemas", text, || Plan::read(text, &network));
    }
    for text in states() {
        in_proportion("a state", text.as_bytes(), || State::read(text.as_bytes(), &network));
    }
    for text in schemas() {
        let text = text.as_bytes();
        assert!(ProviderSchemas::from_json(text).is_ok(), "{}", start(text));
        in_proportion("schemas", text, || ProviderSchemas::from_json(text));
        let read = ProviderSchemas::from_json(text).unwrap();
        for schema in read.providers.values().flat_map(|provider| provider.resource_schemas.values()) {
            in_proportion("an implied type", text, || schema.implied_type().cloned());
        }
    }
    let open = "{\"format_version\":\"1.0\",\"plan\":\"p\",\"rules\":\"r\",\"sha256\":\"\",\"obligations\":[";
    let obligations = filled(open, |_| "{}".to_owned(), "]}");
    in_proportion("obligations", obligations.as_bytes(), || Obligations::read(obligations.as_bytes()));
}

/// A zip archive with a file `tfplan`: the start of a message, and about 16 MB that pack to a fiftieth.
fn bomb(start: &[u8], head: &[u8], block: usize) -> (Vec<u8>, usize) {
    use std::io::Write as _;

    let mut content = start.to_vec();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    while content.len() < 1 << 24 {
        content.extend_from_slice(head);
        let end = content.len() + block;
        for _ in 0..4 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            content.extend_from_slice(&state.to_le_bytes());
        }
        content.resize(end, 0);
    }
    content.truncate(start.len() + (1 << 24) / (head.len() + block) * (head.len() + block));
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.start_file("tfplan", zip::write::SimpleFileOptions::default()).unwrap();
    writer.write_all(&content).unwrap();
    (writer.finish().unwrap().into_inner(), content.len())
}

#[test]
fn what_a_plan_file_unpacks_to_is_not_held_in_memory() {
    let _alone = alone();
    for (what, start, head) in [
        ("resources that are none", &b"\x08\x03"[..], &b"\x1a\x80\x10"[..]),
        ("fields that no plan has", b"\x08\x03", b"\xf2\x3e\x80\x10"),
        ("a field that is too long", b"\x08\x03\x1a\x80\x80\x80\x80\x01", b""),
        ("another version", b"\x08\x04", b"\x1a\x80\x10"),
    ] {
        let (packed, size) = bomb(start, head, 2048);
        let ratio = size / packed.len();
        assert!((30..64).contains(&ratio), "{ratio}");
        let (read, _, peak) = crate::measured(|| Plan::read_binary(&packed, &ProviderSchemas::new()));
        // Nothing is left of fields that are skipped.
        match read {
            Ok(plan) => assert!(plan.resource_changes.is_empty() && what.starts_with("fields"), "{what}"),
            Err(_) => assert!(!what.starts_with("fields"), "{what}"),
        }
        println!("{what}: {size} bytes packed in {}, {peak} allocated", packed.len());
        assert!(peak < 1 << 20, "{what}: {peak}");
    }
}

/// A zip archive of a plan without changes, and of these files.
fn plan_with(files: &[(&str, &[u8])]) -> Vec<u8> {
    use std::io::Write as _;

    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in [("tfplan", &b"\x08\x03"[..])].iter().chain(files) {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A text of this length at least, of blocks of 2 KiB with 80 random digits each: it packs to about a fiftieth.
fn filler(open: &str, separator: &str, close: &str, length: usize) -> String {
    let (mut text, mut state) = (open.to_owned(), 0x9e37_79b9_7f4a_7c15_u64);
    while text.len() < length {
        for _ in 0..5 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text.push_str(&format!("{state:016x}"));
        }
        text.push_str(&"a".repeat(1968));
        text.push_str(separator);
    }
    text.truncate(text.len() - separator.len());
    text + close
}

/// The result of a binary plan with such a file: whether it is refused as too large, and how much was allocated at most.
fn refused(name: &str, content: &str) -> (bool, usize) {
    let packed = plan_with(&[(name, content.as_bytes())]);
    let ratio = content.len() / packed.len();
    assert!((30..64).contains(&ratio) || content.len() < 1 << 20, "{name}: {ratio}");
    let (read, _, peak) = crate::measured(|| Plan::read_binary(&packed, &ProviderSchemas::new()));
    println!("{name}: {} bytes packed in {}, {peak} allocated", content.len(), packed.len());
    match read {
        Ok(_) => (false, peak),
        Err(error) => {
            assert!(error.is_limit(), "{name}: {error}");
            (true, peak)
        }
    }
}

#[test]
fn no_file_of_a_plan_is_unpacked_to_more_than_100_mb() {
    const MB: usize = 1_000_000;
    let _alone = alone();
    let state = |mode: &str| {
        format!(
            "{{\"version\":4,\"resources\":[{{\"mode\":\"{mode}\",\"type\":\"a\",\"name\":\"b\",\"instances\":[{{\"attributes\":\""
        )
    };
    let (next, end) = ("\"},{\"attributes\":\"", "\"}]}]}");
    // What is skipped is not held, one long instance or many.
    let managed = state("managed");
    for separator in ["", next] {
        let (is_refused, peak) = refused("tfstate", &filler(&managed, separator, end, 24 * MB));
        assert!(!is_refused && peak < MB, "{peak}");
    }
    // Data sources are kept, up to a limit.
    for separator in ["", next] {
        let (is_refused, peak) = refused("tfstate", &filler(&state("data"), separator, end, 40 * MB));
        assert!(is_refused && peak < 100 * MB, "{peak}");
    }
    // Files that are not read are not unpacked.
    for name in ["tfstate-prev", "else"] {
        let (is_refused, peak) = refused(name, &filler("", "", "", 24 * MB));
        assert!(!is_refused && peak < MB, "{name}: {peak}");
    }
    // Schemas are kept, up to a limit: so many attributes with names of their own, the first in a block and so on.
    let mut attributes = Vec::new();
    for number in 0..200_000 {
        attributes.extend_from_slice(b"\x0a\x11\x0a\x07");
        attributes.extend_from_slice(format!("{number:07}").as_bytes());
        attributes.extend_from_slice(b"\x12\x06\"bool\"");
    }
    let mut schemas = attributes;
    for key in [b"\x12", b"\x0a", b"\x12", b"\x12", b"\x12", b"\x0a"] {
        let (mut length, mut head) = (schemas.len(), key.to_vec());
        while length > 127 {
            head.push(u8::try_from(length & 127).unwrap() | 128);
            length >>= 7;
        }
        head.push(u8::try_from(length).unwrap());
        schemas = [head, schemas].concat();
    }
    let packed = plan_with(&[("tfschemas", &schemas)]);
    let (read, _, peak) = crate::measured(|| Plan::read_binary(&packed, &ProviderSchemas::new()));
    let error = read.unwrap_err();
    println!("tfschemas: {} bytes packed in {}, {peak} allocated: {error}", schemas.len(), packed.len());
    assert!(error.is_limit() && peak < 100 * MB, "{peak}: {error}");
    // The configuration is kept, up to a limit.
    let (is_refused, peak) = refused("tfconfig/m-/main.tf", &filler("# ", "\n# ", "", 72 * MB));
    assert!(is_refused && peak < 100 * MB, "{peak}");
    let (is_refused, peak) = refused("tfconfig/m-/main.tf", &filler("# ", "\n# ", "", 60 * MB));
    assert!(!is_refused && peak < 100 * MB, "{peak}");
}

/// A field of a message with a number below 16.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let (mut bytes, mut length) = (vec![number << 3 | 2], content.len());
    while length > 127 {
        bytes.push(u8::try_from(length & 127).unwrap() | 128);
        length >>= 7;
    }
    bytes.push(u8::try_from(length).unwrap());
    [bytes, content.to_vec()].concat()
}

/// A change that creates `a_b.c` with this value.
fn creation(address: &str, value: &[u8]) -> Vec<u8> {
    let change = [b"\x08\x01".to_vec(), field(2, &field(1, value))].concat();
    let provider = b"provider[\"registry.terraform.io/example/a\"]";
    field(3, &[field(13, address.as_bytes()), field(8, provider), field(9, &change)].concat())
}

/// So many bytes of which most are the same, and some are random between two bounds: they pack to about a sixtieth.
fn alike(byte: u8, bounds: std::ops::Range<u8>, length: usize) -> Vec<u8> {
    let (mut bytes, mut state) = (vec![byte; length], 0x9e37_79b9_7f4a_7c15_u64);
    for (place, byte) in bytes.iter_mut().enumerate().filter(|(place, _)| place % 2048 < 31) {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(place as u64 | 1);
        *byte = bounds.start + u8::try_from((state >> 33) % u64::from(bounds.end - bounds.start)).unwrap();
    }
    bytes
}

/// What is denser than any plan is refused before it takes much memory, though it packs as plans do.
#[test]
fn dense_content_is_refused_below_100_mb() {
    const MB: usize = 1_000_000;
    const LENGTH: usize = 1 << 20;
    let _alone = alone();
    let tuple = |items: Vec<u8>| {
        let count = u32::try_from(items.len()).unwrap().to_be_bytes();
        [b"\xdd", &count[..], &items].concat()
    };
    let text = |length: usize| {
        let count = u32::try_from(length).unwrap().to_be_bytes();
        [b"\xdb", &count[..], &alike(b'a', 32..127, length)].concat()
    };
    let numbers = creation("a_b.c", &tuple(alike(0, 0..128, LENGTH)));
    let empty = creation("a_b.c", &tuple(alike(0x80, 0..128, LENGTH)));
    let texts = creation("a_b.c", &text(LENGTH));
    let variable =
        field(2, &[field(1, b"v"), field(2, &field(1, &tuple(alike(0x90, 0..128, LENGTH))))].concat());
    let long = creation("a_b.c", &text(30 << 20));
    // One digit in two bytes, so that half of the bytes are alike.
    let digits = alike(b'0', b'1'..b'9' + 1, LENGTH / 2);
    let digits: String = digits.iter().flat_map(|digit| [char::from(*digit), ',']).collect();
    let data = format!("{{\"attributes\":[{digits}0]}}").into_bytes();
    let state = [
        b"{\"version\":4,\"resources\":[{\"mode\":\"data\",\"type\":\"a\",\"name\":\"b\",\"instances\":["
            .to_vec(),
        [&data[..], b","].concat().repeat(8),
        [&data[..], b"]}]}"].concat(),
    ]
    .concat();
    let mut most = 0;
    for (what, name, content) in [
        ("numbers", "tfplan", numbers.repeat(8)),
        ("empty objects", "tfplan", empty.repeat(8)),
        ("variables", "tfplan", variable.repeat(8)),
        ("texts", "tfplan", texts.repeat(56)),
        ("long texts", "tfplan", long.repeat(2)),
        ("data sources", "tfstate", state),
    ] {
        let packed = match name {
            "tfplan" => {
                let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
                writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
                std::io::Write::write_all(&mut writer, &[b"\x08\x03", &content[..]].concat()).unwrap();
                writer.finish().unwrap().into_inner()
            }
            name => plan_with(&[(name, &content)]),
        };
        let (read, _, peak) = crate::measured(|| Plan::read_binary(&packed, &ProviderSchemas::new()));
        let outcome = read.map(|_| ()).map_err(|error| error.to_string());
        println!("{what}: {} bytes packed in {}, {peak} allocated: {outcome:?}", content.len(), packed.len());
        assert!(outcome.unwrap_err().contains("far more than plans do"), "{what}");
        assert!(content.len() / packed.len() < 100 && peak < 100 * MB, "{what}: {peak}");
        most = most.max(peak);
    }
    println!("at most {most} bytes");
}

/// Ten thousand instances of one resource pack to far less than any other plan.
#[test]
fn many_instances_of_one_resource_are_read() {
    let _alone = alone();
    let attributes: Vec<u8> = (0..40)
        .flat_map(|number| {
            let name = format!("attribute_{number:02}");
            [
                &[0xa0 | 12][..],
                name.as_bytes(),
                if number % 4 == 0 { &b"\xd4\0\0"[..] } else { b"\xa9a little\n" },
            ]
            .concat()
        })
        .collect();
    let value = [b"\xde\0\x28", &attributes[..]].concat();
    let mut content = b"\x08\x03".to_vec();
    for number in 0..10_000 {
        content.extend(creation(&format!("a_b.c[{number}]"), &value));
    }
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.start_file("tfplan", zip::write::SimpleFileOptions::default()).unwrap();
    std::io::Write::write_all(&mut writer, &content).unwrap();
    let packed = writer.finish().unwrap().into_inner();
    let (read, _, peak) = crate::measured(|| Plan::read_binary(&packed, &ProviderSchemas::new()));
    println!("{} bytes packed in {}, {peak} allocated", content.len(), packed.len());
    assert!(content.len() / packed.len() > 64);
    assert_eq!(read.unwrap().resource_changes.len(), 10_000);
}

/// Variables are sensitive unless the configuration says otherwise: so it is parsed, which takes many times its bytes.
#[test]
fn a_long_configuration_is_not_parsed_for_its_variables() {
    use std::io::Write as _;

    let _alone = alone();
    // A variable `v`, an empty tuple.
    let plan = b"\x08\x03\x12\x17\x0a\x01v\x12\x12\x0a\x10\x92\xc4\x0c[\"tuple\",[]]\x90";
    for line in ["a=1\n", "a{}\n", "variable \"v\" {}\n", "a=[[[]]]\n"] {
        for length in [1 << 18, 1 << 19, 1 << 22] {
            let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
            let options =
                zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
            for (name, content) in
                [("tfplan", &plan[..]), ("tfconfig/m-/a.tf", line.repeat(length / line.len()).as_bytes())]
            {
                writer.start_file(name, options).unwrap();
                writer.write_all(content).unwrap();
            }
            let packed = writer.finish().unwrap().into_inner();
            let (read, _, peak) = crate::measured(|| Plan::read_binary(&packed, &ProviderSchemas::new()));
            let variables = read.map(|plan| plan.variables.len());
            println!("{line:?} in {length} bytes: {variables:?}, {peak} allocated");
            assert!(peak < 100_000_000, "{line:?}: {peak}");
        }
    }
}
