//! A document like a plan, of any size and the same on every run: what the codecs are measured with.
//!
//! `plan(n, 0)` is wholly known; `plan(n, 15)` has about 15 unknown leaves in a hundred, a third of them refined.

use plantime::{Bound, Error, Number, NumberRange, Refinement, Type, Value};

/// The type of the document.
pub const TYPE: &str = "object({
  format_version = string, terraform_version = string, variables = map(string), resources = list(object({
    address = string, ami = string, arn = string, availability_zones = list(string), cpu_count = number,
    description = string, ebs_optimized = bool, enabled = bool, id = string, index = number, labels = map(string),
    memory_gb = number, mode = string, monitoring = bool, name = string, price = number, provider = string,
    schema_version = number, security_groups = list(string), tags = map(string), type = string, user_data = string,
    disks = list(object({encrypted = bool, iops = number, kms_key = string, name = string, size_gb = number})),
    network_interfaces = list(object({
      device_index = number, primary = bool, private_ips = list(string), subnet_id = string})),
    root_block = object({device = string, encrypted = bool, size = number})
  }))
})";

/// How many values without parts it has.
pub const fn leaves(n: usize) -> usize {
    52 * n + 12
}

const WORDS: [&str; 16] = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet", "kilo",
    "lima", "mike", "november", "oscar", "papa",
];
const RESOURCES: [&str; 8] = [
    "aws_instance",
    "aws_subnet",
    "aws_vpc",
    "aws_s3_bucket",
    "aws_iam_role",
    "aws_lambda_function",
    "aws_db_instance",
    "aws_security_group",
];

/// A linear congruential generator; its upper 31 bits are what it gives.
pub struct Random(u64);

impl Random {
    pub fn seeded(seed: u64) -> Random {
        Random(seed)
    }

    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        self.draw() % bound
    }

    pub fn truth(&mut self) -> bool {
        self.below(2) == 1
    }

    pub fn word(&mut self) -> &'static str {
        WORDS[self.below(16) as usize]
    }

    fn words(&mut self, count: u64, separator: &str) -> String {
        (0..count).map(|_| self.word()).collect::<Vec<_>>().join(separator)
    }

    pub fn hex(&mut self, digits: usize) -> String {
        let mut text = String::new();
        while text.len() < digits {
            text.push_str(&format!("{:07x}", self.draw() & 0xfff_ffff));
        }
        text.truncate(digits);
        text
    }
}

/// Decides which leaves are unknown.
struct Unknowns {
    random: Random,
    percent: u64,
}

impl Unknowns {
    fn leaf(&mut self, known: Value, ty: Type, refinement: impl FnOnce() -> Refinement) -> Value {
        if self.percent == 0 || self.random.below(100) >= self.percent {
            return known;
        }
        if self.random.below(3) == 0 {
            return Value::refined(ty, refinement().and_not_null()).expect("the refinement fits the type");
        }
        Value::unknown(ty)
    }

    fn text(&mut self, text: &str) -> Value {
        let prefix = text.get(..4).unwrap_or(text);
        self.leaf(Value::from(text), Type::String, || Refinement::prefix(prefix))
    }

    /// A text, or null, which is never unknown: what is drawn for it counts for nothing.
    fn nullable(&mut self, text: &str, null: bool) -> Value {
        let value = self.text(text);
        if null { Value::null(Type::String) } else { value }
    }

    fn truth(&mut self, truth: bool) -> Value {
        self.leaf(Value::from(truth), Type::Bool, Refinement::any)
    }

    fn integer(&mut self, integer: u64) -> Value {
        let to = |upper: u64| {
            let ends = [0, upper].map(|end| Bound::Inclusive(Number::from(end)));
            let [lower, upper] = ends;
            Refinement::number(NumberRange::new(lower, upper).expect("the ends are in order"))
        };
        self.leaf(Value::from(integer), Type::Number, || to(integer + 10))
    }

    fn decimal(&mut self, text: &str) -> Value {
        let number: Number = text.parse().expect("it is a number");
        let from_zero = || Refinement::number(NumberRange::at_least(Number::ZERO));
        self.leaf(Value::from(number), Type::Number, from_zero)
    }

    fn texts(&mut self, texts: &[String]) -> Value {
        list(Type::String, texts.iter().map(|text| self.text(text)).collect())
    }
}

fn list(element: Type, items: Vec<Value>) -> Value {
    Value::list_of(element, items).expect("all elements are of the type")
}

fn object<const N: usize>(attributes: [(&str, Value); N]) -> Value {
    Value::object(attributes).expect("an object is not too deep")
}

/// The document with `n` resources, of which about `unknown` leaves in a hundred are unknown.
pub fn plan(n: usize, unknown: u64) -> Value {
    document(n, unknown).expect("the document is within all limits")
}

fn document(n: usize, unknown: u64) -> Result<Value, Error> {
    let ty: Type = TYPE.parse()?;
    let Type::Object(document) = &ty else { unreachable!("the document is an object") };
    let resource = document.get("resources").and_then(Type::element_type).expect("resources are a list");
    let mut random = Random::seeded(42);
    let mut unknowns = Unknowns { random: Random::seeded(7), percent: unknown };
    let mut variables = Vec::new();
    for j in 0..10 {
        variables.push((format!("var_{j}"), Value::from(random.word())));
    }
    let resources = (0..n).map(|i| self::resource(i, &mut random, &mut unknowns));
    Value::object([
        ("format_version", Value::from("1.2")),
        ("terraform_version", Value::from("1.9.0")),
        ("resources", Value::list_of(resource.clone(), resources)?),
        ("variables", Value::map(variables)?),
    ])
}

/// All draws are in the order in which they stand here: it fixes what is drawn.
fn resource(i: usize, r: &mut Random, u: &mut Unknowns) -> Value {
    let kind = RESOURCES[r.below(8) as usize];
    let name = r.words(2, "_");
    let address = u.text(&format!("module.m{}.{kind}.{name}[{i}]", i % 100));
    let (mode, ty, named, index) = (u.text("managed"), u.text(kind), u.text(&name), u.integer(i as u64));
    let provider = u.text("registry.terraform.io/hashicorp/aws");
    let schema_version = u.integer(r.below(4));
    let id = format!("i-{}", r.hex(16));
    let (id, arn) = (u.text(&id), u.text(&format!("arn:aws:ec2:us-east-1:123456789012:instance/{id}")));
    let ami = u.text(&format!("ami-{}", r.hex(8)));
    let [enabled, monitoring, ebs_optimized] = [(); 3].map(|()| u.truth(r.truth()));
    let cpu_count = u.integer(1 + r.below(64));
    let quarters = r.below(1024);
    let fraction = ["", ".25", ".5", ".75"][(quarters % 4) as usize];
    let memory_gb = u.decimal(&format!("{}{fraction}", quarters / 4));
    let price = u.decimal(&format!("{}.{:04}", r.below(10), 1 + r.below(9999)));
    let count = 5 + r.below(8);
    let mut description = r.words(count, " ");
    if i.is_multiple_of(8) {
        description.push_str("\n\"caf\u{e9}\"");
    }
    let description = u.text(&description);
    let script = format!("#!/bin/sh\necho {}\n", r.word());
    let user_data = u.nullable(&script, r.below(2) == 0);
    let security_groups = [(); 3].map(|()| format!("sg-{}", r.hex(8)));
    let security_groups = u.texts(&security_groups);
    let zones = [(); 2].map(|()| format!("us-east-1{}", ["a", "b", "c", "d", "e", "f"][r.below(6) as usize]));
    let availability_zones = u.texts(&zones);
    let tags = [
        ("Name", u.text(&name)),
        ("Env", u.text(["dev", "stage", "prod"][r.below(3) as usize])),
        ("Owner", u.text(r.word())),
        ("Cost", u.text(&r.below(10_000).to_string())),
    ];
    let labels = ["app.kubernetes.io/name", "app.kubernetes.io/part"].map(|key| (key, u.text(r.word())));
    let root_block = object([
        ("device", u.text("/dev/xvda")),
        ("size", u.integer(8 + r.below(100))),
        ("encrypted", u.truth(r.truth())),
    ]);
    let interfaces = [0, 1].map(|j| interface(j, r, u));
    let disks = ["b", "c"].map(|letter| disk(letter, r, u));
    object([
        ("address", address),
        ("ami", ami),
        ("arn", arn),
        ("availability_zones", availability_zones),
        ("cpu_count", cpu_count),
        ("description", description),
        ("disks", Value::list(disks).expect("all disks are of one type")),
        ("ebs_optimized", ebs_optimized),
        ("enabled", enabled),
        ("id", id),
        ("index", index),
        ("labels", Value::map(labels).expect("all labels are texts")),
        ("memory_gb", memory_gb),
        ("mode", mode),
        ("monitoring", monitoring),
        ("name", named),
        ("network_interfaces", Value::list(interfaces).expect("all interfaces are of one type")),
        ("price", price),
        ("provider", provider),
        ("root_block", root_block),
        ("schema_version", schema_version),
        ("security_groups", security_groups),
        ("tags", Value::map(tags).expect("all tags are texts")),
        ("type", ty),
        ("user_data", user_data),
    ])
}

fn interface(j: u64, r: &mut Random, u: &mut Unknowns) -> Value {
    let device_index = u.integer(j);
    let subnet_id = u.text(&format!("subnet-{}", r.hex(8)));
    let ips = [0, 1].map(|net| format!("10.{net}.{}.{}", r.below(256), r.below(256)));
    object([
        ("device_index", device_index),
        ("subnet_id", subnet_id),
        ("private_ips", u.texts(&ips)),
        ("primary", u.truth(j == 0)),
    ])
}

fn disk(letter: &str, r: &mut Random, u: &mut Unknowns) -> Value {
    let name = u.text(&format!("/dev/xvd{letter}"));
    let (size_gb, iops) = (u.integer(10 + r.below(1000)), u.integer(100 * (1 + r.below(160))));
    let encrypted = u.truth(r.truth());
    let key = format!("arn:aws:kms:us-east-1:123456789012:key/{}", r.hex(12));
    let kms_key = u.nullable(&key, r.below(2) == 0);
    object([
        ("name", name),
        ("size_gb", size_gb),
        ("iops", iops),
        ("encrypted", encrypted),
        ("kms_key", kms_key),
    ])
}
