//! Functions: results, errors, what they load, and the bounds of their evaluation.

use plantime_ytt::Package;

use crate::checks::soon;

/// Returns the error of a package, if any; fails where the evaluation takes long.
fn error_of(schema: &str) -> Option<String> {
    let package = Package::new().template("s.yml", &format!("#@data/values-schema\n---\n{schema}"));
    soon(|| package.data_values().err().map(|error| error.to_string()))
}

/// Returns what a rule with a function found in the value 5.
fn found(function: &str) -> Option<String> {
    let error = error_of(&format!("#@schema/validation (\"rule\", {function})\nfoo: 5\n"))?;
    Some(error.split_once("found: ").map_or("", |(_, found)| found).trim_end().to_owned())
}

#[test]
fn only_true_passes_and_an_error_is_what_was_found() {
    assert_eq!(found("lambda v: v == 5"), None);
    for result in ["None", "False", "1", "(True, \"x\")", "v"] {
        assert_eq!(found(&format!("lambda v: {result}")).as_deref(), Some(""), "{result}");
    }
    assert_eq!(found("lambda v: v > 9 or fail(\"{} is small\".format(v))").as_deref(), Some("5 is small"));
    assert_eq!(found("lambda v: 1 // (v - 5)").as_deref(), Some("floored division by zero"));
    assert_eq!(found("lambda a, b: True").as_deref(), Some("function lambda missing 1 argument (b)"));
}

#[test]
fn a_guard_decides_whether_rules_are_evaluated() {
    let schema = |guard: &str| format!("#@schema/validation min=9, when={guard}\nfoo: 5\non_: true\n");
    assert_eq!(error_of(&schema("lambda v: v > 5")), None);
    assert_eq!(error_of(&schema("lambda v, ctx: not ctx.root[\"on_\"]")), None);
    assert!(error_of(&schema("lambda v, ctx: ctx.parent[\"on_\"]")).unwrap().contains("found: value < 9"));
    let error = error_of(&schema("lambda v: 1")).unwrap();
    assert_eq!(error, "Validating final data values:\nValidating foo: want when= to be bool, got int");
}

#[test]
fn functions_come_from_the_file_and_from_files_that_it_loads() {
    let schema = "#@ load(\"rules.star\", small=\"is_small\")\n#@ def even(v):\n#@   return v % 2 == 0 or fail(\"odd\")\n\
                  #@ end\n#@data/values-schema\n---\n#@schema/validation (\"even\", even), (\"small\", small)\nfoo: 5\n";
    let rules =
        "LIMIT = 3\ndef is_small(v):\n  return v < LIMIT or fail(\"not below {}\".format(LIMIT))\nend\n";
    let package = Package::new().template("schema.yml", schema).template("rules.star", rules);
    let error = package.data_values().unwrap_err().to_string();
    assert!(error.contains("- must be: even (by: schema.yml:7)\n      found: odd"), "{error}");
    assert!(error.contains("found: not below 3"), "{error}");
}

#[test]
fn templates_of_schemas_and_values_are_evaluated() {
    let schema = "#@data/values-schema\n---\nlist:\n- 0\nport: #@ 80 + 1\n";
    let values =
        "#@data/values\n---\nlist:\n#@ for i in range(3):\n- #@ i * 2\n#@ end\n#@ if/end False:\nport: 1\n";
    let package = Package::new().template("s.yml", schema).template("v.yml", values);
    assert_eq!(package.data_values().unwrap(), "list:\n- 0\n- 2\n- 4\nport: 81\n");
    let error = package
        .template("w.yml", "#@data/values\n---\n#@ def f(a):\n#@   return a.b\n#@ end\nport: #@ f(5)\n");
    assert_eq!(
        error.data_values().unwrap_err().to_string(),
        "Overlaying data values (in following order: s.yml, v.yml, w.yml):\n  Templating file 'w.yml': \n- int has no .b \
         field or method\n    in f\n      w.yml:4 | #@   return a.b\n    in <toplevel>\n      w.yml:6 | port: #@ f(5)"
            .replace("s.yml, ", "")
    );
}

#[test]
fn endless_functions_end_in_an_error() {
    let function = |body: &str| {
        format!("#@ def f(v):\n{body}#@   return True\n#@ end\n#@schema/validation (\"rule\", f)\nfoo: 5\n")
    };
    for body in [
        "#@   while True:\n#@     v += 1\n#@   end\n",
        "#@   return f(v)\n",
        "#@   l = [1]\n#@   while True:\n#@     l = l + l\n#@   end\n",
        "#@   l = []\n#@   while True:\n#@     l.append(l)\n#@   end\n",
        "#@   l = []\n#@   while True:\n#@     l = [l]\n#@   end\n",
        "#@   t = ()\n#@   while True:\n#@     t = (t,)\n#@   end\n",
        "#@   d = {}\n#@   while True:\n#@     d[len(d)] = \"x\" * 31\n#@   end\n",
        "#@   s = \"ab\"\n#@   while True:\n#@     s = s + s\n#@   end\n",
        "#@   n = 3\n#@   while True:\n#@     n = n * n\n#@   end\n",
        "#@   g = lambda: 1\n#@   while True:\n#@     g = (lambda h: lambda: h)(g)\n#@   end\n",
        "#@   return [x for x in range(1000000000)] == 1\n",
        "#@   return \"x\" * 1000000000 == 1\n",
        "#@   return sorted(range(2000000)) == 1\n",
    ] {
        let error = error_of(&function(body)).unwrap();
        assert!(
            ["steps", "memory", "deeply", "bits"].iter().any(|word| error.contains(word)),
            "{body}: {error}"
        );
    }
}

#[test]
fn sequences_of_keys_may_be_ranges_and_methods_are_keys_of_their_own() {
    let schema = "#@schema/validation one_not_null=range(1, 3)\nfoo:\n  1: a\n  #@schema/nullable\n  2: b\n";
    assert_eq!(error_of(schema), None);
    let bound = "#@ load(\"@ytt:struct\", \"struct\")\n#@ def f(n):\n#@   return n\n#@ end\n#@ a = struct.bind(1, f)\n\
                 #@ b = struct.bind(2, f)\n#@ d = {a: 1, b: 2}\n#@data/values-schema\n---\nfoo: #@ len(d) * 10 + d[a]\n";
    assert_eq!(Package::new().template("s.yml", bound).data_values().unwrap(), "foo: 21\n");
}

#[test]
fn many_names_keys_and_fields_take_time_in_proportion() {
    let names = (0..40_000).fold(String::new(), |names, i| names + &format!("#@ v{i} = {i}\n"));
    assert_eq!(error_of(&format!("{names}foo: 5\n")), None);
    let emptied = "#@ d = {}\n#@ for i in range(20000):\n#@   d[i] = i\n#@ end\n#@ for i in range(20000):\n#@   d.popitem()\n#@ end\n\
                   foo: 5\n";
    assert_eq!(error_of(emptied), None);
}

#[test]
fn values_that_contain_themselves_are_shown_and_compared() {
    let schema =
        "#@ l = []\n#@ l.append(l)\n#@schema/validation (\"rule\", lambda v: fail(str(l)))\nfoo: 5\n";
    assert!(error_of(schema).unwrap().contains("[[["));
    let schema = "#@ l = []\n#@ l.append(l)\n#@ m = []\n#@ m.append(m)\n#@schema/validation (\"r\", lambda v: l == m)\nfoo: 5\n";
    assert!(error_of(schema).unwrap().contains("recursion depth"));
    let nested = format!(
        "#@schema/validation (\"rule\", lambda v: {}v{})\nfoo: 5\n",
        "(".repeat(50_000),
        ")".repeat(50_000)
    );
    assert!(error_of(&nested).unwrap().contains("nested too deeply"));
}
