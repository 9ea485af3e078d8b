//! Plans in which some content is sensitive, and what they look like with other content.

use serde_json::{Value as Json, json};

use crate::kind::{Declared, Kind};
use crate::plans::{self, Resource};
use crate::tree::Tree::{self, Array, Bool, Entries, Null, Number, Text, Unknown};

pub(crate) const TYPE: &str = "x_y";

/// Contents of one shape, of which nobody may be told apart by what is written about them.
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) contents: Vec<Tree>,
    /// What a public value of the kind is.
    pub(crate) public: Tree,
    /// Bodies of rules, each for a rule of its own.
    pub(crate) bodies: &'static [&'static str],
    /// Other blocks of a rules file.
    pub(crate) blocks: &'static [&'static str],
}

/// Where the content stands, and which side is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// A new resource, the attribute is sensitive.
    Created,
    /// The same content before and after, sensitive on both sides.
    Kept,
    /// Public before, sensitive after.
    Added,
    /// Sensitive before, public after.
    Removed,
    /// The same content on both sides, sensitive before only: the mark is removed.
    Unmarked,
    /// The same content on both sides, sensitive after only: the mark is added.
    Marked,
    /// The whole resource is sensitive.
    Whole,
    /// Sensitive by the schema alone.
    BySchema,
    /// Inside a public object, beside a public neighbour.
    Inside,
    /// Deleted: the value before is sensitive.
    Deleted,
    /// The value of an output.
    Output,
    /// The value of an output whose mark is removed.
    OutputUnmarked,
}

impl Setting {
    pub(crate) const ALL: [Setting; 12] = [
        Setting::Created,
        Setting::Kept,
        Setting::Added,
        Setting::Removed,
        Setting::Unmarked,
        Setting::Marked,
        Setting::Whole,
        Setting::BySchema,
        Setting::Inside,
        Setting::Deleted,
        Setting::Output,
        Setting::OutputUnmarked,
    ];

    pub(crate) fn is_output(self) -> bool {
        matches!(self, Setting::Output | Setting::OutputUnmarked)
    }

    /// Whether the content is no longer sensitive after the apply.
    pub(crate) fn is_public_in_state(self) -> bool {
        matches!(self, Setting::Unmarked | Setting::OutputUnmarked)
    }

    /// The path of the content: `p`, or below the object `o`.
    pub(crate) fn path(self) -> &'static str {
        if self == Setting::Inside { "o.p" } else { "p" }
    }

    fn resource(self, content: &Tree, public: &Tree) -> Resource {
        let whole = |p: &Tree| match self {
            Setting::Inside => {
                Entries(vec![("m", Text("a")), ("o", Entries(vec![("n", Text("a")), ("p", p.clone())]))])
            }
            _ => Entries(vec![("m", Text("a")), ("p", p.clone())]),
        };
        let (before, after) = match self {
            Setting::Kept | Setting::Unmarked | Setting::Marked => {
                (Some(whole(&known(content))), Some(whole(content)))
            }
            Setting::Added => (Some(whole(public)), Some(whole(content))),
            Setting::Removed => (Some(whole(&known(content))), Some(whole(public))),
            Setting::Deleted => (Some(whole(&known(content))), None),
            _ => (None, Some(whole(content))),
        };
        let marked = match self {
            Setting::Whole => json!(true),
            Setting::BySchema => json!({}),
            Setting::Inside => json!({ "o": { "p": true } }),
            _ => json!({ "p": true }),
        };
        let marked_before =
            matches!(self, Setting::Kept | Setting::Removed | Setting::Unmarked | Setting::Deleted);
        let marked_after = !matches!(self, Setting::Removed | Setting::Unmarked | Setting::Deleted);
        let side = |is_marked: bool| if is_marked { marked.clone() } else { json!({}) };
        Resource {
            actions: match (&before, &after) {
                (_, None) => &["delete"],
                (Some(_), _) => &["update"],
                (None, _) => &["create"],
            },
            before_sensitive: side(marked_before),
            after_sensitive: side(marked_after),
            before,
            ..Resource::planned(TYPE, "a", None, after.clone().unwrap_or(Null))
        }
        .with_after(after)
    }

    /// The plan with this content.
    pub(crate) fn plan(self, content: &Tree, public: &Tree) -> String {
        if !self.is_output() {
            return plans::plan(&[self.resource(content, public)]);
        }
        let unmarked = self == Setting::OutputUnmarked;
        let outputs = json!({ "o": {
            "actions": if unmarked { json!(["update"]) } else { json!(["create"]) },
            "before": if unmarked { known(content).known() } else { Json::Null },
            "after": content.known(), "after_unknown": content.unknown(),
            "before_sensitive": unmarked, "after_sensitive": !unmarked,
        } });
        plans::plan_with(&[], outputs, json!({}))
    }

    /// The state after the apply.
    pub(crate) fn state(self, content: &Tree, public: &Tree) -> String {
        if self.is_output() {
            let output = json!({ "sensitive": self == Setting::Output, "type": "dynamic", "value": known(content).known() });
            return json!({
                "format_version": "1.0", "terraform_version": "1.9.0",
                "values": { "outputs": { "o": output }, "root_module": {} },
            })
            .to_string();
        }
        let resource = self.resource(content, public);
        let after = resource.after.clone().map_or(Entries(Vec::new()), |after| known(&after));
        plans::state(&resource, &after)
    }

    /// The provider's schema.
    pub(crate) fn schemas(self, kind: &Kind, declared: Declared) -> String {
        let inner = vec![("n", Kind::String), ("p", kind.clone())];
        let fields = match self {
            Setting::Inside => vec![("m", Kind::String), ("o", Kind::Object(inner))],
            _ => vec![("m", Kind::String), ("p", kind.clone())],
        };
        let text = plans::schemas(&[(TYPE, &fields)], declared);
        if self != Setting::BySchema {
            return text;
        }
        let mut json: Json = serde_json::from_str(&text).unwrap();
        let provider = json["provider_schemas"].as_object_mut().unwrap().values_mut().next().unwrap();
        provider["resource_schemas"][TYPE]["block"]["attributes"]["p"]["sensitive"] = json!(true);
        json.to_string()
    }
}

/// The value with everything unknown turned out.
fn known(tree: &Tree) -> Tree {
    match tree {
        Unknown => Text("turned out"),
        Array(items) => Array(items.iter().map(known).collect()),
        Entries(entries) => Entries(entries.iter().map(|(key, tree)| (*key, known(tree))).collect()),
        tree => tree.clone(),
    }
}

const TEXTS: &[&str] = &[
    "attribute \"p\" { starts_with = \"hunter\" }",
    "attribute \"p\" { min_len = 9 }",
    "attribute \"p\" { len = 100 }",
    "attribute \"p\" { one_of = [\"hunter2\"] }",
    "attribute \"p\" { none_of = [\"hunter2\", \"swordfish\", \"hunter22\"] }",
    "attribute \"p\" { matches = \"^[0-9]+$\" }",
    "attribute \"p\" { format = \"uuid\" }",
    "attribute \"p\" { format = \"json\" }",
    "attribute \"p\" { is_null = true }",
    "attribute \"p\" {\n len = 100\n message = \"{key} is {value}: {desc}, {failure}\"\n}",
    "message = \"{key} is {value}: {desc}, {failure}\"\n all {\n attribute \"p\" { len = 100 }\n attribute \"m\" { len = 100 }\n}",
    "change \"p\" { immutable = true }",
    "change \"p\" {\n immutable = true\n message = \"{key} is {value}: {failure}\"\n}",
    "when {\n attribute \"p\" { equals = \"hunter2\" }\n}\nattribute \"m\" { len = 100 }",
    "not {\n attribute \"p\" { none_of = [\"hunter2\"] }\n}",
    "any {\n attribute \"p\" { len = 100 }\n attribute \"p\" { equals = \"x\" }\n}",
    "required_when = { path = \"p\", one_of = [\"hunter2\", \"swordfish\", \"hunter22\"], required = [\"m\", \"p\"] }",
    "required_when = { path = \"m\", one_of = [\"a\"], required = [\"p\"] }",
    "attribute \"pp\" { not_null = true }",
    "attribute \"p.hunter\" { not_null = true }",
    "attribute \"p[*]\" { not_null = true }",
    "attribute \"p\" { min = 3 }",
    "attribute \"m\" { len = 100 }",
];

const LISTS: &[&str] = &[
    "attribute \"p[*]\" { starts_with = \"hunter\" }",
    "attribute \"p[*]\" { len = 100 }",
    "attribute \"p[*]\" {\n len = 100\n message = \"{key} is {value}: {desc}, {failure}\"\n}",
    "attribute \"p[0]\" { len = 100 }",
    "attribute \"p[1]\" { not_null = true }",
    "attribute \"p\" { len = 100 }",
    "attribute \"p\" { max_len = 100 }",
    "attribute \"p\" { contains = \"hunter2\" }",
    "attribute \"p\" { unique = true }",
    "attribute \"p\" { no_nulls = true }",
    "attribute \"p\" {\n each { len = 100 }\n}",
    "change \"p[*]\" { immutable = true }",
    "change \"p\" { immutable = true }",
    "exactly_one_of = [\"p\", \"m\"]",
    "at_least_one_of = [\"p[7]\", \"p[8]\"]",
    "required_together = [\"p[*]\", \"p[9]\"]",
    "when {\n attribute \"p[*]\" { starts_with = \"hunter\" }\n}\nattribute \"m\" { len = 100 }",
    "not {\n attribute \"p[*]\" { not_null = true }\n}",
    "any {\n attribute \"p[*]\" { len = 100 }\n attribute \"m\" { len = 100 }\n}",
    "attribute \"p[*].name\" { not_null = true }",
    "attribute \"p.name\" { not_null = true }",
    "attribute \"p\" { type_is = \"list(string)\" }",
];

const MAPS: &[&str] = &[
    "attribute \"p[*]\" { starts_with = \"hunter\" }",
    "attribute \"p[*]\" { len = 100 }",
    "attribute \"p[*]\" {\n len = 100\n message = \"{key} is {value}: {desc}, {failure}\"\n}",
    "attribute \"p.TOPKEY\" { len = 100 }",
    "attribute \"p.TOPKEX\" { not_null = true }",
    "attribute \"p[\\\"TOPKEX\\\"]\" { not_null = true }",
    "attribute \"p.TOPKEY.deep\" { not_null = true }",
    "attribute \"p\" { has_key = \"TOPKEX\" }",
    "attribute \"p\" {\n keys { starts_with = \"z\" }\n}",
    "attribute \"p\" {\n keys { max_len = 100 }\n}",
    "attribute \"p\" { one_not_null = [\"TOPKEY\", \"OTHER\"] }",
    "attribute \"p\" { one_not_null = true }",
    "attribute \"p\" { len = 100 }",
    "attribute \"p\" { no_nulls = true }",
    "change \"p[*]\" { immutable = true }",
    "change \"p.TOPKEX\" { immutable = true }",
    "change \"p\" { immutable = true }",
    "exactly_one_of = [\"p.TOPKEX\", \"m\"]",
    "required_together = [\"p[*]\", \"p.NONE\"]",
    "required_when = { path = \"p.TOPKEX\", one_of = [\"a\"], required = [\"p.NONE\"] }",
    "exactly_one_of = [\"p.TOPKEY\", \"p.OTHER\"]",
    "required_together = [\"p.TOPKEY\", \"p.OTHER\"]",
    "required_when = { path = \"m\", one_of = [\"a\"], required = [\"p.TOPKEY\", \"p.OTHER\", \"p.NONE\"] }",
    "any {\n attribute \"p[*]\" { len = 100 }\n attribute \"m\" { len = 100 }\n}",
    "when {\n attribute \"p[*]\" { starts_with = \"hunter\" }\n}\nattribute \"m\" { len = 100 }",
    "attribute \"p\" { type_is = \"map(string)\" }",
];

/// All families of contents.
pub(crate) fn families() -> Vec<Family> {
    let list = |items: &[&'static str]| Array(items.iter().map(|item| Text(item)).collect());
    vec![
        Family {
            name: "text",
            kind: Kind::String,
            contents: ["hunter2", "swordfish", "hunter22", ""].map(Text).to_vec(),
            public: Text("a"),
            bodies: TEXTS,
            blocks: &[
                "assume \"x_y\" {\n p = assumed(notnull(stringprefix(\"zzz\")))\n}",
                "assume \"x_y\" {\n p = assumed(notnull(stringprefix(\"hunter\")))\n}",
                "assume \"x_y\" {\n change \"p\" { force_new = true }\n}",
            ],
        },
        Family {
            name: "number",
            kind: Kind::Number,
            contents: [7, 42, 1000].map(Number).to_vec(),
            public: Number(1),
            bodies: &[
                "attribute \"p\" { min = 2000 }",
                "attribute \"p\" { max = 2000 }",
                "attribute \"p\" {\n min = 2000\n message = \"{key} is {value}: {desc}, {failure}\"\n}",
                "change \"p\" { only_increase = true }",
                "change \"p\" { only_decrease = true }",
                "change \"p\" { multiple_of_old = true }",
            ],
            blocks: &["assume \"x_y\" {\n p = assumed(notnull(numbermin(2000)))\n}"],
        },
        Family {
            name: "list",
            kind: Kind::list(Kind::String),
            contents: vec![list(&["hunter2"]), list(&["swordfish", "x"]), list(&["hunter2", "hunter3", "x"])],
            public: list(&["a"]),
            bodies: LISTS,
            blocks: &[
                "assume \"x_y\" {\n p = assumed(notnull(listlength(7, 9)))\n}",
                "assume \"x_y\" {\n change \"p[*]\" { force_new = true }\n}",
            ],
        },
        Family {
            name: "list-partly-unknown",
            kind: Kind::list(Kind::String),
            contents: vec![
                Array(vec![Unknown]),
                Array(vec![Unknown, Unknown]),
                Array(vec![Unknown, Text("hunter2")]),
            ],
            public: list(&["a"]),
            bodies: LISTS,
            blocks: &[],
        },
        Family {
            name: "map",
            kind: Kind::map(Kind::String),
            contents: vec![
                Entries(vec![("TOPKEY", Text("hunter2"))]),
                Entries(vec![("OTHER", Text("swordfish"))]),
                Entries(vec![("OTHER", Text("swordfish")), ("TOPKEY", Text("x"))]),
                Entries(vec![("THIRD", Text("hunter2"))]),
            ],
            public: Entries(vec![("k", Text("a"))]),
            bodies: MAPS,
            blocks: &["assume \"x_y\" {\n p = assumed(notnull(maplength(7, 9)))\n}"],
        },
        Family {
            name: "map-partly-unknown",
            kind: Kind::map(Kind::String),
            contents: vec![
                Entries(vec![("TOPKEY", Unknown)]),
                Entries(vec![("OTHER", Unknown)]),
                Entries(vec![("OTHER", Unknown), ("THIRD", Text("x"))]),
            ],
            public: Entries(vec![("k", Text("a"))]),
            bodies: MAPS,
            blocks: &[],
        },
        Family {
            name: "object-in-list",
            kind: Kind::list(Kind::map(Kind::Bool)),
            contents: vec![
                Array(vec![Entries(vec![("TOPKEY", Bool(true))])]),
                Array(vec![Entries(vec![("OTHER", Bool(true))]), Entries(vec![("THIRD", Bool(false))])]),
            ],
            public: Array(vec![]),
            bodies: &[
                "attribute \"p[*][*]\" { equals = false }",
                "attribute \"p[0].TOPKEX\" { not_null = true }",
                "attribute \"p[*].TOPKEX\" { equals = false }",
                "attribute \"p[*]\" {\n keys { starts_with = \"z\" }\n}",
                "change \"p[*][*]\" { immutable = true }",
            ],
            blocks: &[],
        },
    ]
}
