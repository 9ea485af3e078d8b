//! Functions that read files: `file`, `fileset`, digests of files.

use std::collections::BTreeMap;
use std::sync::Arc;

use plantime::Value;
use plantime_terraform::configuration::{Configuration, Files, Inputs};

use crate::fixtures::{files, outputs, problems};

/// Files of which some are not there.
struct SomeFiles(Arc<BTreeMap<String, Vec<u8>>>);

impl Files for SomeFiles {
    fn entries(&self, folder: &str) -> Vec<String> {
        self.0.entries(folder)
    }

    fn content(&self, path: &str) -> Option<Vec<u8>> {
        self.0.content(path)
    }

    fn is_complete(&self) -> bool {
        false
    }
}

#[test]
fn what_a_file_that_the_caller_does_not_have_holds_is_unknown() {
    let expressions = [
        "fileexists(\"x.txt\")",
        "try(file(\"x.txt\"), \"default\")",
        "can(file(\"x.txt\"))",
        "can(filesha256(\"x.txt\"))",
        "can(filebase64(\"x.txt\"))",
        "length(fileset(\".\", \"*.txt\"))",
        "try(templatefile(\"x.txt\", {}), \"none\")",
    ];
    let outputs: String = expressions
        .iter()
        .enumerate()
        .map(|(i, expression)| format!("output \"o{i}\" {{ value = {expression} }}\n"))
        .collect();
    let text = format!(
        "{outputs}output \"here\" {{ value = [fileexists(\"main.tf\"), length(file(\"main.tf\")) > 0] }}\n"
    );
    let embedded = SomeFiles(files(&[("main.tf", &text)]));
    let configuration = Configuration::read(Arc::new(embedded)).unwrap();
    let inputs = Inputs::new();
    let evaluation = configuration.evaluate(&inputs);
    assert_eq!(format!("{:?}", evaluation.problems()), "[]");
    for (i, expression) in expressions.iter().enumerate() {
        let value = evaluation.output(&format!("o{i}")).unwrap();
        assert!(!value.is_known(), "{expression}: {value:?}");
    }
    let here = evaluation.output("here").unwrap();
    assert_eq!(here, Value::tuple([Value::from(true), Value::from(true)]).unwrap());
}

/// What Terraform 1.11.4 answers for the patterns, in a folder with these files.
#[test]
fn patterns_of_file_sets_mean_what_they_mean_in_terraform() {
    let names = [
        ".hid",
        "a",
        "ab",
        "a1.txt",
        "b.txt",
        "x}.txt",
        "c]d",
        "lf",
        "sub/a1.txt",
        "sub/x.txt",
        "sub/deep/y.txt",
        "{sub/q",
    ];
    let error = ["ERR"];
    let unknown = ["unknown"];
    let cases: &[(&str, &[&str])] = &[
        ("", &[]),
        ("***", &[".hid", "a", "a1.txt", "ab", "b.txt", "c]d", "lf", "main.tf", "x}.txt"]),
        ("**/y.txt", &["sub/deep/y.txt"]),
        ("**/{sub/a1,x}.txt", &error),
        ("**/[a", &error),
        ("*/x.txt", &["sub/x.txt"]),
        // Whether the error is hidden depends on the order of the search.
        ("*/{a", &unknown),
        ("*[", &[]),
        ("*{a,}", &["a"]),
        ("../root/a", &[]),
        ("/a", &["a"]),
        ("?", &["a"]),
        ("[!a].txt", &[]),
        ("[^a].txt", &["b.txt"]),
        ("[a", &error),
        ("[ab].txt", &["b.txt"]),
        ("[b-a]b", &[]),
        ("\\\\a", &["a"]),
        ("\\\\s*/x.txt", &["sub/x.txt"]),
        ("a*", &["a", "a1.txt", "ab"]),
        ("a**", &["a", "a1.txt", "ab"]),
        ("a*{b,}", &["ab"]),
        ("a/b", &[]),
        ("a[-]", &error),
        ("a[0-9].txt", &["a1.txt"]),
        ("a[]", &error),
        ("a[a-]", &error),
        ("a\\\\", &error),
        ("a{,b}", &["ab"]),
        ("a{b}", &["ab"]),
        ("a{}", &[]),
        ("a{}b", &["ab"]),
        ("c[\\\\]]d", &["c]d"]),
        ("c\\\\]d", &["c]d"]),
        ("l*", &["lf"]),
        ("nosuch/[a", &[]),
        ("sub", &[]),
        ("sub/**/x.txt", &["sub/x.txt"]),
        ("sub/../a", &["a"]),
        ("sub/[a", &error),
        ("{[ab],x}", &["a"]),
        ("{a,[b}", &error),
        ("{a,b", &error),
        ("{a\\\\,b}", &[]),
        ("{ab,a[}", &error),
        ("{a[,ab}", &error),
        ("{lf,a}", &["a", "lf"]),
        ("{sub/a1,x}.txt", &error),
        ("sub/**", &["sub/a1.txt", "sub/deep/y.txt", "sub/x.txt"]),
        ("{a,{b,c}}", &unknown),
    ];
    let outputs: String = (0..)
        .zip(cases)
        .map(|(i, (pattern, _))| {
            format!("output \"o{i}\" {{ value = try(fileset(\".\", \"{pattern}\"), [\"ERR\"]) }}\n")
        })
        .collect();
    let mut texts: Vec<(&str, &str)> = names.iter().map(|name| (*name, "")).collect();
    texts.push(("main.tf", &outputs));
    let configuration = Configuration::read(files(&texts)).unwrap();
    let inputs = Inputs::new();
    let evaluation = configuration.evaluate(&inputs);
    for (i, (pattern, expected)) in (0..).zip(cases) {
        let found = evaluation.output(&format!("o{i}")).unwrap();
        let found: Vec<String> = match found.is_known() {
            false => vec!["unknown".to_owned()],
            true => found.to_string().split('"').skip(1).step_by(2).map(str::to_owned).collect(),
        };
        assert_eq!(found, *expected, "{pattern}");
    }
}

/// Folders without end, as links to a folder around them make them; reads of `closed` are counted.
struct EndlessFolders(std::sync::atomic::AtomicUsize, String);

impl Files for EndlessFolders {
    fn entries(&self, folder: &str) -> Vec<String> {
        if folder.starts_with("closed") {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        let name = "a".repeat(60);
        ["main.tf", "self/", "rootl/", "closed/", &name].map(str::to_owned).to_vec()
    }

    fn content(&self, path: &str) -> Option<Vec<u8>> {
        (path == "main.tf").then(|| self.1.clone().into_bytes())
    }
}

#[test]
fn a_file_set_takes_no_longer_than_its_pattern_and_reads_no_folder_that_it_cannot_reach() {
    let patterns = [
        ("*a".repeat(40) + "b", Some(0)),
        ("**/".repeat(15) + "nope/*", None),
        ("{a,a}".repeat(24) + "b", Some(0)),
        ("*".repeat(30) + "b", Some(0)),
        ("self/*.tf".to_owned(), Some(1)),
        ("**/x".to_owned(), None),
    ];
    for (pattern, expected) in patterns {
        let text = format!("output \"o\" {{ value = length(fileset(\".\", \"{pattern}\")) }}\n");
        let files = Arc::new(EndlessFolders(0.into(), text));
        let start = std::time::Instant::now();
        let configuration = Configuration::read(files.clone()).unwrap();
        let inputs = Inputs::new();
        let found = configuration.evaluate(&inputs).output("o").unwrap();
        match expected {
            Some(count) => {
                assert_eq!(found, Value::from(count), "{pattern}");
                assert_eq!(files.0.load(std::sync::atomic::Ordering::Relaxed), 0, "{pattern}");
            }
            // Terraform follows the links until the system stops.
            None => assert!(!found.is_known(), "{pattern}: {found:?}"),
        }
        assert!(start.elapsed().as_secs() < 20, "{pattern}: {:?}", start.elapsed());
    }
}

#[test]
fn digests_of_files_are_those_of_their_bytes() {
    let decomposed = "e\u{301}";
    outputs(
        &[
            (
                "main.tf",
                "output \"o\" { value = filesha256(\"d.txt\") }\noutput \"m\" { value = filemd5(\"d.txt\") }\n",
            ),
            ("d.txt", decomposed),
        ],
        &[
            // printf 'e\xcc\x81' | sha256sum
            ("o", "\"bf12767b0f2a56b2190075bae8169f656e3ce8d6357d4aff184bc6c7ea48f9f6\""),
            ("m", "\"5526861fbb1e71a1bda6ac364310a807\""),
        ],
    );
}

#[test]
fn a_folder_is_no_file() {
    let text = "output \"o\" { value = [can(fileexists(\"sub\")), can(fileexists(\".\")), fileexists(\"sub/x\"), fileexists(\"sub/y\")] }\n";
    outputs(&[("main.tf", text), ("sub/x", "")], &[("o", "[false, false, true, false]")]);
    let found = problems("output \"o\" { value = fileexists(\".\") }\n");
    assert!(found.len() == 1 && found[0].contains("\".\" is a directory, not a file"), "{found:?}");
}

#[test]
fn functions_of_the_language_have_their_results() {
    let expressions = [
        ("textencodebase64(\"Hello World\", \"UTF-16LE\")", "\"SABlAGwAbABvACAAVwBvAHIAbABkAA==\""),
        ("textdecodebase64(\"SABlAGwAbABvACAAVwBvAHIAbABkAA==\", \"UTF-16LE\")", "\"Hello World\""),
        ("textdecodebase64(textencodebase64(\"é\", \"UTF-16BE\"), \"UTF-16BE\")", "\"é\""),
        ("pathexpand(\"/a\")", "\"/a\""),
        ("startswith(pathexpand(\"~/a\"), \"~\")", "unknown(bool, notnull())"),
        ("ephemeralasnull(\"x\")", "\"x\""),
        ("ephemeralasnull({ a = var.token })", "object{\"a\": null(string)}"),
        ("length(plantimestamp())", "20"),
        ("plantimestamp() == null", "false"),
        ("basename(\"a/b.txt\")", "\"b.txt\""),
        ("dirname(\"a/b.txt\")", "\"a\""),
        ("timecmp(\"2020-01-01T00:00:00Z\", \"2020-01-01T01:00:00+01:00\")", "0"),
        ("startswith(base64gzip(\"x\"), \"H4sI\")", "true"),
    ];
    let outputs: String = expressions
        .iter()
        .enumerate()
        .map(|(i, (expression, _))| format!("output \"o{i}\" {{ value = {expression} }}\n"))
        .collect();
    let text = format!(
        "variable \"token\" {{\n  type = string\n  ephemeral = true\n  default = \"t\"\n}}\n{outputs}"
    );
    let configuration = Configuration::read(files(&[("main.tf", &text)])).unwrap();
    let inputs = Inputs::new();
    let evaluation = configuration.evaluate(&inputs);
    assert_eq!(format!("{:?}", evaluation.problems()), "[]");
    for (i, (expression, expected)) in expressions.iter().enumerate() {
        let value = evaluation.output(&format!("o{i}")).unwrap();
        assert_eq!(format!("{:?}", value.unmark_deep().0), *expected, "{expression}");
    }
}
