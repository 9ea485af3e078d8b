//! What stands at the end of the help of subcommands.

/// The end of the help of `plantime why`.
pub(super) const WHY: &str = "\
Examples:
  plantime why aws_subnet.a.vpc_id --plan tfplan           a binary plan has its configuration inside
  plantime why output.url --plan plan.json --config infra  a plan in JSON has not
  plantime why module.net.local.cidr --config infra        without a plan, as far as the configuration tells
  plantime why --roots --plan tfplan                       what all unknown values depend on
  plantime why --roots --plan tfplan --rules rules.hcl     what all undetermined answers depend on
  plantime why output.url --plan tfplan --format dot | dot -Tsvg > why.svg

Exit status:
  0  it is explained
  2  there is no such value, or some input is unusable";

/// The end of the help of `plantime validate`.
pub(super) const VALIDATE: &str = "\
Examples:
  plantime validate                                  the configuration in this folder, without schemas
  terraform providers schema -json > schemas.json
  plantime validate infra --schemas schemas.json     arguments, blocks and attributes of resources too

Exit status:
  0  it is valid; there may be warnings
  1  it has errors
  2  some input is unusable";

/// The end of the help of `plantime proxy`.
pub(super) const PROXY: &str = "\
Options:
  --assume FILE              facts in the form that `plantime catalogue --help` shows; may be repeated
  --no-catalogue             the built-in catalogue does not count
  --check class-b            the catalogue's facts of class B are checked after an apply
  --send class-b             facts of class B are added to plans too
  --on-broken error|warning  what a fact is that an apply breaks
  --provider SOURCE          the provider whose facts count, such as hashicorp/aws
  --record FILE              calls are appended to the file as JSON lines

Example, a script that stands in the place of a provider:
  #!/bin/sh
  exec plantime proxy --provider hashicorp/aws -- /opt/providers/terraform-provider-aws";

/// The end of the help of `plantime catalogue`.
pub(super) const CATALOGUE: &str = "\
The text form, which is also that of your own packs (--assume FILE):

  # A comment. A line without indentation: a resource type and its provider.
  $id notnull(stringlengthmin(1))
  aws_vpc hashicorp/aws
    id      A notnull(stringpattern(\"^vpc-[0-9a-f]{17}$\"))
    arn     A since:3.0.0 contains:id notnull(stringprefix(\"arn:aws\"))
  example_bucket registry.example.com/acme/example
    id           B equals:name $id
    rule[*].id   B stringprefix(\"rule-\")
    tags         B type:map(string) notnull()

  path           the attribute; [*] is every element
  A, B           the class: several independent sources agree, one documented source
  type:T         the type, for plans that are read without schemas
  since:V        holds from this version of the provider on (--lock-file tells the versions)
  equals:NAME    the value is that of another attribute of the resource
  contains:NAME  the value contains that of another attribute
  the rest       what holds after a successful apply, as in `assumed(...)` of rules files, or the $name of such a text:
                 notnull, stringprefix, stringsuffix, stringcontains, stringpattern, stringlength, oneof, numbermin,
                 numbermax, length

Exit status:
  0  there are facts
  2  there are none about this type, or a pack is unusable";
