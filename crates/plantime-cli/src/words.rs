//! The words of a rules file that are no rules: its blocks and their arguments, with their explanations.

/// A block or argument of the rules language with its explanation, for `plantime rules NAME`.
pub(crate) struct Word {
    pub(crate) name: &'static str,
    /// Where it may stand.
    pub(crate) stands: &'static str,
    pub(crate) description: &'static str,
    pub(crate) example: &'static str,
}

/// A word from its name, the places where it may stand, its description and an example.
const fn word(
    name: &'static str,
    stands: &'static str,
    description: &'static str,
    example: &'static str,
) -> Word {
    Word { name, stands, description, example }
}

/// All blocks and arguments of the rules language, blocks first.
pub(crate) const WORDS: &[Word] = &[
    word(
        "rule",
        "at the top of a rules file",
        "What must hold of resources, or of an output value. The name must be the only one of its kind in all rules files.",
        "rule \"encrypted\" {\n  resource = \"aws_db_instance\"\n  attribute \"storage_encrypted\" { equals = true }\n}",
    ),
    word(
        "assume",
        "at the top of a rules file",
        "What is known of values although the plan does not say so. The label is a type or an address.",
        "assume \"aws_vpc\" {\n  id = assumed(notnull(stringprefix(\"vpc-\")))\n}",
    ),
    word(
        "skip",
        "at the top of a rules file",
        "Leaves a rule out for some resources, with the reason. The rule may stand in another file. In place of its name, ids and \
         tags name rules.",
        "skip \"encrypted\" {\n  address = \"aws_db_instance.scratch\"\n  reason  = \"holds nothing\"\n}",
    ),
    word(
        "attribute",
        "in rule, in when and the like, and in assume",
        "The planned values at a path. Of several keywords in it, each is a test.",
        "attribute \"ingress[*].cidr_blocks[*]\" { none_of = [\"0.0.0.0/0\"] }",
    ),
    word(
        "change",
        "in rule, in when and the like, and in assume",
        "The value at a path before and after: only_increase, only_decrease, multiple_of_old, immutable. In assume: whether \
         its change makes a new object in place of the old one.",
        "change \"allocated_storage\" { only_increase = true }",
    ),
    word(
        "same_as",
        "in a block attribute or value of a rule",
        "The value is the same as that of another place of the plan: the address of an instance of a resource, or an output, \
         and a path. Unknown values are the same if the configuration copies one value to both places (--config); what this \
         assumes of providers is verified after the apply.",
        "attribute \"subnet_id\" { same_as = \"aws_subnet.main.id\" }",
    ),
    word(
        "value",
        "in a rule about an output",
        "The value of the output.",
        "value { starts_with = \"https://\" }",
    ),
    word("if", "in implies", "The condition.", "if { attribute \"public\" { equals = true } }"),
    word(
        "then",
        "in implies",
        "What holds where the condition does.",
        "then { attribute \"owner\" { not_null = true } }",
    ),
    word(
        "resource",
        "in rule",
        "What the rule is about: a type, data.TYPE, or an address with wildcards, in which ** stands for any modules; or a list \
         of them.",
        "resource = \"module.*.aws_subnet.*\"",
    ),
    word(
        "output",
        "in rule",
        "What the rule is about, in place of resource: an output value, * in its name for any text; or a list of them.",
        "output = \"url\"",
    ),
    word(
        "description",
        "in rule",
        "What the rule is about, in words.",
        "description = \"data at rest is encrypted\"",
    ),
    word(
        "severity",
        "in rule",
        "How grave a failure is: info, low, medium, high, critical. warning is as low, and error, which is so without it, as \
         high. Failures from high on fail the run; --fail-on names another level.",
        "severity = \"warning\"",
    ),
    word(
        "id",
        "in rule",
        "The id of the rule, which no other rule has: skips can name it, and SARIF has it in place of the name.",
        "id = \"S3-1\"",
    ),
    word(
        "link",
        "in rule",
        "A page about the rule, which reports link to.",
        "link = \"https://wiki.example.com/s3-1\"",
    ),
    word(
        "tags",
        "in rule, and in skip",
        "Names that rules are selected by.",
        "tags = [\"storage\", \"cis\"]",
    ),
    word("owner", "in rule", "Who answers for the rule.", "owner = \"storage team\""),
    word(
        "ids",
        "in skip",
        "The ids of the rules that are left out, in place of the label or beside it.",
        "ids = [\"S3-1\"]",
    ),
    word(
        "until",
        "in skip",
        "The last day on which the skip counts, in UTC. After it the rules are evaluated again, and the run fails and says so.",
        "until = \"2026-12-31\"",
    ),
    word(
        "actions",
        "in rule",
        "The planned actions that the rule is about: create, update, replace, delete, read, no-op, forget, move, import, \
         drift. Without it, all that leave a planned value.",
        "actions = [\"create\", \"update\"]",
    ),
    word(
        "null",
        "at the top of a rules file, in rule, and in its blocks attribute, change and value",
        "What a test answers for a value that is null (not set): \"pass\", \"fail\" or \"undetermined\". In rule and at the top \
         it reaches the blocks inside all, any and the like: with \"fail\" no null helps the rule to pass, with \
         \"undetermined\" a rule that passes only because of a null is undetermined. Inside not, in the if of implies and \
         in when, a null satisfies the test, whatever the setting.",
        "null = \"fail\"",
    ),
    word(
        "optional",
        "in rule",
        "true: types that lack an attribute of the rule are passed over and named, as those of an older version of the \
         provider. Without it the rule is not asked of such a plan, and it is an error where no plan has the attribute.",
        "optional = true",
    ),
    word(
        "some",
        "in attribute",
        "What is in the block holds of at least one element. Paths inside start at the element.",
        "attribute \"ingress\" {\n  some {\n    attribute \"from_port\" { equals = 443 }\n  }\n}",
    ),
    word("deny", "in rule", "true: the rule fails wherever it applies.", "deny = true"),
    word(
        "message",
        "in rule, and in its blocks attribute, change and value",
        "The text of a failure. {key}, {value}, {desc} and {failure} are filled in.",
        "message = \"{key} must be encrypted, it is {value}\"",
    ),
    word(
        "address",
        "in skip",
        "The resources that the rule is left out for: a type, or an address with wildcards; module.legacy.** is a module with all \
         modules below it.",
        "address = \"aws_db_instance.scratch\"",
    ),
    word("reason", "in skip", "Why the rule is left out.", "reason = \"holds nothing\""),
    word(
        "force_new",
        "in a change of assume",
        "Whether a change makes a new object in place of the old one: of every change, or where what is in when holds.",
        "change \"engine\" { force_new = true }",
    ),
    word(
        "assumed",
        "behind an attribute in assume",
        "What is known of its value: notnull(), stringprefix(\"vpc-\"), numbermin(1), numbermax(9), length(3), \
         listlengthmin(1), elements(notnull()), attribute(\"id\", notnull()) and their like, inside each other or side by side.",
        "id = assumed(notnull(stringprefix(\"vpc-\")))",
    ),
];

impl Word {
    /// The explanation of the word as plain text for a terminal.
    pub(crate) fn text(&self) -> String {
        let example = self.example.replace('\n', "\n                  ");
        let Word { name, stands, description, .. } = self;
        format!("{name}\n  {description}\n  {:<15} {stands}\n  {:<15} {example}\n", "stands", "example")
    }

    /// The explanation of the word as a section in Markdown.
    pub(crate) fn section(&self) -> String {
        let Word { name, stands, description, example } = self;
        format!(
            "## `{name}`\n\n{description}\n\n```hcl\n{example}\n```\n\n| | |\n|---|---|\n| stands | {stands} |\n"
        )
    }
}
