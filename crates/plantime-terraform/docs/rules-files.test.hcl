# Tests of the rules in rules-files.md. The blocks of that page are their rules file.

test "buckets" {
  resource "aws_s3_bucket_acl" "good" { acl = "private" }
  resource "aws_s3_bucket_acl" "bad" { acl = "public-read" }
  resource "aws_s3_bucket_acl" "open" { acl = unknown(string) }
  resource "module.legacy.module.logs.aws_s3_bucket_acl.bad" { acl = "public-read" }

  expect "private-buckets" {
    pass         = "aws_s3_bucket_acl.good"
    fail         = "aws_s3_bucket_acl.bad"
    undetermined = "aws_s3_bucket_acl.open"
    skipped      = "module.legacy.module.logs.aws_s3_bucket_acl.bad"
  }
}

test "security groups" {
  resource "aws_security_group" "good" {
    ingress {
      from_port   = 443
      to_port     = 443
      cidr_blocks = ["0.0.0.0/0"]
    }
    ingress {
      from_port   = 22
      to_port     = 22
      cidr_blocks = ["10.0.0.0/8"]
    }
  }
  resource "aws_security_group" "bad" {
    ingress {
      from_port   = 0
      to_port     = 100
      cidr_blocks = ["0.0.0.0/0"]
    }
  }
  resource "aws_security_group" "open" {
    ingress {
      from_port   = 22
      to_port     = 22
      cidr_blocks = [unknown(string, notnull())]
    }
  }
  resource "aws_security_group" "none" { ingress = [] }

  expect "no-open-ssh" {
    pass         = ["aws_security_group.good", "aws_security_group.none"]
    fail         = "aws_security_group.bad"
    undetermined = "aws_security_group.open"
  }
  # An empty list has no element that holds.
  expect "https" {
    pass = "aws_security_group.good"
    fail = ["aws_security_group.bad", "aws_security_group.none", "aws_security_group.open"]
  }
}

test "one network" {
  configuration = <<-EOT
    resource "aws_subnet" "main" {
      count = 2
    }

    resource "aws_route_table_association" "good" {
      subnet_id = aws_subnet.main[0].id
    }

    resource "aws_route_table_association" "other" {
      subnet_id = aws_subnet.main[1].id
    }
  EOT

  # Nothing says without a schema that the provider keeps what is written.
  expect "one-network" {
    undetermined = ["aws_route_table_association.good", "aws_route_table_association.other"]
  }
}

test "known networks" {
  resource "aws_subnet.main[0]" { id = "subnet-1" }
  resource "aws_route_table_association" "good" { subnet_id = "subnet-1" }
  resource "aws_route_table_association" "bad" { subnet_id = "subnet-2" }

  expect "one-network" {
    pass = "aws_route_table_association.good"
    fail = "aws_route_table_association.bad"
  }
}

test "databases" {
  resource "aws_db_instance" "shrinks" {
    engine            = "postgres"
    identifier        = "orders"
    allocated_storage = 40
    change { before = { allocated_storage = 50 } }
  }
  resource "aws_db_instance" "renamed" {
    engine            = "postgres"
    identifier        = "orders-2"
    allocated_storage = 40
    change {
      actions = "replace"
      before  = { allocated_storage = 50, identifier = "orders" }
    }
  }
  resource "aws_db_instance" "open" {
    engine            = "postgres"
    identifier        = assumed(notnull(stringprefix("orders")))
    allocated_storage = 40
    change {
      actions = "replace"
      before  = { allocated_storage = 50, identifier = "orders" }
    }
  }
  resource "aws_db_instance" "oracle" {
    engine            = "oracle-ee"
    identifier        = "orders"
    allocated_storage = 40
    change { before = { allocated_storage = 50 } }
  }

  expect "shrinks-only-under-a-new-name" {
    pass         = ["aws_db_instance.renamed", "aws_db_instance.oracle"]
    fail         = "aws_db_instance.shrinks"
    undetermined = "aws_db_instance.open"
  }
}

test "conditions" {
  configuration = <<-EOT
    resource "aws_instance" "a" {
      count = 2
    }

    resource "aws_vpc" "good" {
      tags = { Env = "prod" }
    }

    resource "aws_flow_log" "good" {
      vpc_id = aws_vpc.good.id
    }

    resource "aws_vpc" "bad" {
      tags = { Env = "prod" }
    }

    resource "aws_vpc" "sandbox" {
      tags = { Env = "sandbox" }
    }
  EOT

  variables { most = 1 }

  expect "few-instances" {
    answer   = "fail"
    messages = "2 instances; at most 1."
  }
  expect "has-flow-log" {
    pass = ["aws_vpc.good", "aws_vpc.sandbox"]
    fail = "aws_vpc.bad"
  }
}
