# Rules for the example plan `network`, to be read from the top.
#
# A rule has a name, says which resources it speaks of, and tests their planned
# attributes. A plan holds values that are not known before apply, so a test has
# three answers: pass (whatever the value turns out to be), fail (whatever it
# turns out to be), undetermined (it depends). The comments say which answer each
# rule gets on this plan, and why.

# Knowledge that the plan itself does not carry: AWS ids of networks begin with
# "vpc-" and are never null. It is an assumption, so say it once, in the open; if
# the plan contradicts it, the run fails.
assume "aws_vpc" {
  id = assumed(notnull(stringprefix("vpc-")))
}

# Both pass although the id is "known after apply": the assumption is enough.
# The arn is undetermined: nothing was assumed about it.
rule "vpc-id" {
  description = "A network has an id and an arn of the usual form."
  resource    = "aws_vpc"

  attribute "id" {
    not_null    = true
    starts_with = "vpc-"
  }

  attribute "arn" { starts_with = "arn:aws:ec2:" }
}

# vpc_id is written `aws_vpc.main.id` in the configuration, which is read along: the
# subnet takes over what is assumed there, and both tests pass. From the plan alone
# they would be undetermined: it says only "known after apply".
#
# exactly_one_of looks at two attributes at once: it passes for main["app"] (one
# is written, the other null) and is undetermined for main["data"], mixed and
# spare, where an unknown one may still turn out null or not.
rule "subnet-in-vpc" {
  description = "Subnets live in a network, and get their addresses from one place."
  resource    = "aws_subnet"
  actions     = ["create", "update"]

  attribute "vpc_id" {
    not_null    = true
    starts_with = "vpc-"
    message     = "{key} must be a VPC id: {failure}"
  }

  exactly_one_of = ["cidr_block", "ipv4_ipam_pool_id"]
}

# A warning never fails the run. `mixed` and `spare` have no tags at all: warned.
# The tags of the other two are a map in which one value is unknown; the map
# itself is not null, so they pass.
rule "tagged" {
  description = "Subnets carry tags."
  severity    = "warning"
  resource    = "aws_subnet"

  attribute "tags" { not_null = true }
}

# `[*]` means every member. In `web` the port is open to the world: fail. In
# `database` one network is known and fine, the other one is not known yet:
# undetermined. A block without networks (null) has nothing to test.
rule "no-world" {
  description = "Nothing is reachable from everywhere."
  resource    = "aws_security_group"

  attribute "ingress[*].cidr_blocks[*]" { none_of = ["0.0.0.0/0"] }
}

# `reports` passes. The other two names end in a random suffix: undetermined. Their
# beginnings ("orders-", "sessions-") are in the configuration, and match so far.
rule "db-identifier" {
  description = "Database names are short, lower case, and begin with a letter."
  resource    = "aws_db_instance"

  attribute "identifier" { matches = "^[a-z][a-z0-9-]{0,62}$" }
}

# The password is known but sensitive: the test passes, the value is not shown.
rule "db-password" {
  description = "Database passwords are long."
  resource    = "aws_db_instance"

  attribute "password" { min_len = 16 }
}

# A set of two unknown ids has one member or two, since the ids may turn out
# equal: at least one passes, at least two is undetermined. A test may bring a
# description of its own.
rule "db-subnets" {
  description = "Databases survive the loss of a subnet."
  resource    = "aws_db_instance"

  attribute "subnet_ids" { min_len = 1 }
  attribute "subnet_ids" { min_len = ["lies in two subnets at least", 2] }
}

# A rule on a change sees the value before and after. `reports` shrinks from 50 to
# 40 in place: fail. `orders` and `sessions` are replaced, which is no update, so
# they are left out by `actions`.
rule "db-storage" {
  description = "Storage that is in use never shrinks."
  resource    = "aws_db_instance"
  actions     = ["update"]

  change "allocated_storage" { only_increase = true }
}

# A rule with a guard applies where the guard holds. `orders` and `sessions` pass;
# `reports` would fail, but is excused below: skipped.
rule "db-encrypted" {
  description = "Relational databases are encrypted."
  resource    = "aws_db_instance"

  when {
    attribute "engine" { one_of = ["postgres", "mysql"] }
  }

  attribute "storage_encrypted" { equals = true }
}

skip "db-encrypted" {
  address = "aws_db_instance.reports"
  reason  = "moves to an encrypted server next month"
}

# A guard has three answers as well. Whether a server gets a public address is not
# known yet, but its disk is encrypted, so the rule passes either way.
rule "public-disk" {
  description = "Servers with a public address have encrypted disks."
  resource    = "aws_instance"

  when {
    attribute "public_ip" { not_null = true }
  }

  attribute "root_block_device[*].encrypted" { equals = true }
}

# `module.archive` holds a bucket that exists already under another name: fail.
# The name in `module.flow_logs` is not known yet: undetermined. Only the
# configuration of the root module is read, so its beginning stays hidden.
rule "bucket-name" {
  description = "Buckets are named after the product."
  resource    = "aws_s3_bucket"

  attribute "bucket" {
    not_null    = true
    starts_with = "shop-"
  }
}
