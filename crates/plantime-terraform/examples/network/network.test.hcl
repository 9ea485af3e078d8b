# Tests of the rules beside this file: `plantime test` in this folder runs them.
#
# A test has one subject, and says what rules answer on it, by address. Whatever a
# rule answers that is not named here fails the test, so a rule that begins to ask
# more, or to know less, is noticed.
rules = "rules.hcl"

# The plan of the example. The comments in rules.hcl say why.
test "the example" {
  plan    = "plan.json"
  config  = "config/step2"
  schemas = "provider-schemas.json"

  # A rule with several tests has the gravest of their answers: the id passes, and
  # nothing is assumed of the arn.
  expect "vpc-id" { undetermined = "aws_vpc.main" }

  expect "subnet-in-vpc" {
    pass         = "aws_subnet.main[\"app\"]"
    undetermined = ["aws_subnet.main[\"data\"]", "aws_subnet.mixed", "aws_subnet.spare"]
  }

  # A failure is a failure, also where it is only a warning.
  expect "tagged" {
    pass = ["aws_subnet.main[\"app\"]", "aws_subnet.main[\"data\"]"]
    fail = ["aws_subnet.mixed", "aws_subnet.spare"]
  }

  expect "no-world" {
    fail         = "aws_security_group.web"
    undetermined = "aws_security_group.database"
    messages     = "0.0.0.0/0"
  }

  expect "db-identifier" {
    pass         = "aws_db_instance.reports"
    undetermined = ["aws_db_instance.orders", "aws_db_instance.sessions"]
  }

  expect "db-password" {
    pass = ["aws_db_instance.orders", "aws_db_instance.reports", "aws_db_instance.sessions"]
  }

  # One subnet at least passes, two are open.
  expect "db-subnets" {
    undetermined = ["aws_db_instance.orders", "aws_db_instance.reports", "aws_db_instance.sessions"]
  }

  expect "db-storage" { fail = "aws_db_instance.reports" }

  expect "db-encrypted" {
    pass    = ["aws_db_instance.orders", "aws_db_instance.sessions"]
    skipped = "aws_db_instance.reports"
  }

  expect "public-disk" { pass = ["aws_instance.web[0]", "aws_instance.web[1]"] }

  # The configuration of `flow_logs` says how the name begins.
  expect "bucket-name" { fail = ["module.archive.aws_s3_bucket.this", "module.flow_logs.aws_s3_bucket.this"] }
}

# Planned values can be written too. What is not written is null, `unknown()` is not
# known before the apply, and `assumed(…)` says what is known of it all the same.
test "names of databases" {
  resource "aws_db_instance" "short" { identifier = "orders" }
  resource "aws_db_instance" "upper" { identifier = "Orders" }
  resource "aws_db_instance" "open" { identifier = unknown() }
  resource "aws_db_instance" "prefix" { identifier = assumed(stringprefix("1-")) }

  expect "db-identifier" {
    pass         = "aws_db_instance.short"
    fail         = ["aws_db_instance.upper", "aws_db_instance.prefix"]
    undetermined = "aws_db_instance.open"
  }
}

# An answer may rest on a sensitive value; no message shows it.
test "passwords" {
  resource "aws_db_instance" "long" { password = sensitive("made-up-for-the-test") }
  resource "aws_db_instance" "short" { password = sensitive("made-up") }
  resource "aws_db_instance" "open" { password = sensitive(unknown()) }

  expect "db-password" {
    pass         = "aws_db_instance.long"
    fail         = "aws_db_instance.short"
    undetermined = "aws_db_instance.open"
  }
}

# What the plan changes: values before, and the actions that Terraform has for them.
test "storage" {
  resource "aws_db_instance" "grows" {
    allocated_storage = 60
    change { before = { allocated_storage = 50 } }
  }
  resource "aws_db_instance" "shrinks" {
    allocated_storage = 40
    change { before = { allocated_storage = 50 } }
  }
  resource "aws_db_instance" "open" {
    allocated_storage = unknown(number)
    change { before = { allocated_storage = 50 } }
  }

  expect "db-storage" {
    pass         = "aws_db_instance.grows"
    fail         = "aws_db_instance.shrinks"
    undetermined = "aws_db_instance.open"
  }
}

# A configuration without a plan. `${…}` belongs to the configuration.
test "names of buckets" {
  configuration = <<-EOT
    variable "team" {}

    resource "aws_s3_bucket" "ours" {
      bucket = "shop-${var.team}"
    }

    resource "aws_s3_bucket" "theirs" {
      bucket = "logs-${var.team}"
    }

    resource "aws_s3_bucket" "any" {
      bucket = var.team
    }
  EOT

  expect "bucket-name" {
    pass         = "aws_s3_bucket.ours"
    fail         = "aws_s3_bucket.theirs"
    undetermined = "aws_s3_bucket.any"
  }
}

# What the plan has no example of: `plantime test --coverage` wants each rule to have
# failed once.
test "rules that the plan keeps" {
  resource "aws_vpc" "other" { arn = "arn:aws:s3:::x" }
  resource "aws_subnet" "both" {
    vpc_id            = "vpc-1"
    cidr_block        = "10.0.0.0/24"
    ipv4_ipam_pool_id = "ipam-pool-1"
  }
  resource "aws_db_instance" "alone" {
    engine            = "mysql"
    storage_encrypted = false
    subnet_ids        = ["subnet-1"]
  }
  resource "aws_instance" "public" {
    public_ip = "192.0.2.1"
    root_block_device { encrypted = false }
  }

  expect "vpc-id" { fail = "aws_vpc.other" }
  expect "subnet-in-vpc" { fail = "aws_subnet.both" }
  expect "db-subnets" {
    fail     = "aws_db_instance.alone"
    messages = "lies in two subnets at least"
  }
  expect "db-encrypted" { fail = "aws_db_instance.alone" }
  expect "public-disk" { fail = "aws_instance.public" }
}
