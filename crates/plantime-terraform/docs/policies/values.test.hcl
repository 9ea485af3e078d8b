# Tests of the rules in ../policies.md, whose blocks are their rules file.
# Counts and sums; attributes of one resource; documents in texts; data sources.

test "counts" {
  resource "aws_instance" "a" {}
  resource "aws_eip.a[0]" {}
  resource "aws_ebs_volume" "small" { size = 100 }
  resource "aws_ebs_volume" "large" { size = 400 }
  resource "aws_ebs_volume" "none" { size = null }

  expect "few-instances" { answer = "pass" }
  expect "few-of-each-type" { answer = "pass" }
  expect "total-disk-size" { answer = "pass" }
  expect "few-deletes" { answer = "pass" }
}

test "an unknown size leaves the sum open" {
  resource "aws_ebs_volume" "small" { size = 100 }
  resource "aws_ebs_volume" "open" { size = unknown(number, notnull()) }

  expect "total-disk-size" { answer = "undetermined" }
}

test "too many" {
  configuration = <<-EOT
    resource "aws_instance" "web" {
      count = 11
    }

    resource "aws_eip" "web" {
      count = 6
    }

    resource "aws_ebs_volume" "data" {
      size = 501
    }
  EOT

  expect "few-instances" {
    answer   = "fail"
    messages = "11 instances; at most 10 may be planned."
  }
  expect "few-of-each-type[\"aws_eip\"]" { answer = "fail" }
  expect "total-disk-size" { answer = "fail" }
}

test "six deletes" {
  resource "aws_eip.a[0]" {
    change { actions = "delete" }
  }
  resource "aws_eip.a[1]" {
    change { actions = "delete" }
  }
  resource "aws_eip.a[2]" {
    change { actions = "delete" }
  }
  resource "aws_eip.a[3]" {
    change { actions = "delete" }
  }
  resource "aws_eip.a[4]" {
    change { actions = "replace" }
  }
  resource "aws_eip.a[5]" {
    change { actions = "delete" }
  }

  expect "few-deletes" {
    answer   = "fail"
    messages = "6 objects would be deleted."
  }
}

test "attributes" {
  resource "aws_s3_bucket" "good" {
    bucket = "prod-logs"
    tags   = { Env = "prod" }
  }
  resource "aws_s3_bucket" "bad" {
    bucket = "logs"
    tags   = { Env = "prod" }
  }

  resource "azurerm_key_vault_key" "bad" { expiration_date = "9999-01-01T00:00:00Z" }
  resource "azurerm_key_vault_key" "never" { expiration_date = null }

  resource "aws_route" "good" {
    destination_cidr_block = "0.0.0.0/0"
    gateway_id             = "igw-1"
  }
  resource "aws_route" "bad" {
    destination_cidr_block = "0.0.0.0/0"
    instance_id            = "i-1"
  }

  expect "name-holds-environment" {
    pass     = "aws_s3_bucket.good"
    fail     = "aws_s3_bucket.bad"
    messages = "The name logs does not hold prod."
  }
  expect "key-expires-soon" {
    fail         = "azurerm_key_vault_key.never"
    undetermined = "azurerm_key_vault_key.bad"
  }
  expect "default-route-not-by-instance" {
    pass = "aws_route.good"
    fail = "aws_route.bad"
  }
}

test "documents" {
  resource "aws_s3_bucket_policy" "good" {
    bucket = "a"
    policy = jsonencode({ Statement = [{ Effect = "Deny", Action = "s3:*", Condition = { Bool = { "aws:SecureTransport" = "false" } } }] })
  }
  resource "aws_s3_bucket_policy" "bad" {
    bucket = "b"
    policy = jsonencode({ Statement = { Effect = "Allow", Action = "s3:*" } })
  }
  resource "aws_s3_bucket_policy" "open" {
    bucket = "c"
    policy = unknown(string)
  }

  resource "aws_iam_policy" "good" { policy = jsonencode({ Statement = [{ Effect = "Allow", Action = ["iam:GetRole"] }] }) }
  resource "aws_iam_policy" "bad" { policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "iam:*" }] }) }

  resource "aws_ecs_task_definition" "good" { container_definitions = jsonencode([{ name = "a", readonlyRootFilesystem = true }]) }
  resource "aws_ecs_task_definition" "bad" { container_definitions = jsonencode([{ name = "a" }]) }

  resource "aws_emr_security_configuration" "good" {
    configuration = jsonencode({
      EncryptionConfiguration = { AtRestEncryptionConfiguration = { LocalDiskEncryptionConfiguration = { EnableEbsEncryption = true } } }
    })
  }
  resource "aws_emr_security_configuration" "bad" { configuration = "{}" }

  expect "bucket-policies-need-tls" {
    pass         = "aws_s3_bucket_policy.good"
    fail         = "aws_s3_bucket_policy.bad"
    undetermined = "aws_s3_bucket_policy.open"
  }
  expect "no-full-iam" {
    pass = "aws_iam_policy.good"
    fail = "aws_iam_policy.bad"
  }
  expect "read-only-root" {
    pass = "aws_ecs_task_definition.good"
    fail = "aws_ecs_task_definition.bad"
  }
  expect "emr-ebs-encryption" {
    pass = "aws_emr_security_configuration.good"
    fail = "aws_emr_security_configuration.bad"
  }
}

test "data sources" {
  data "aws_ami" "good" {
    owners      = ["self"]
    most_recent = true
  }
  data "aws_ami" "bad" {
    owners      = ["210987654321"]
    most_recent = false
  }
  data "aws_iam_policy_document" "good" {
    statement {
      actions = ["s3:GetObject"]
      effect  = null
    }
  }
  data "aws_iam_policy_document" "bad" {
    statement {
      actions = ["*"]
      effect  = "Allow"
    }
  }
  data "terraform_remote_state" "good" {
    backend = "remote"
    config  = { organization = "acme" }
  }
  data "terraform_remote_state" "bad" {
    backend = "s3"
    config  = {}
  }
  data "aws_kms_key" "good" { key_id = "alias/prod-data" }
  data "aws_kms_key" "bad" { key_id = "alias/dev-data" }

  expect "ami-owners" {
    pass = "data.aws_ami.good"
    fail = "data.aws_ami.bad"
  }
  expect "most-recent-ami" {
    pass = "data.aws_ami.good"
    fail = "data.aws_ami.bad"
  }
  expect "iam-actions" {
    pass = "data.aws_iam_policy_document.good"
    fail = "data.aws_iam_policy_document.bad"
  }
  expect "allowed-data-sources" {
    pass = [
      "data.aws_ami.good",
      "data.aws_ami.bad",
      "data.aws_iam_policy_document.good",
      "data.aws_iam_policy_document.bad",
    ]
    fail = [
      "data.terraform_remote_state.good",
      "data.terraform_remote_state.bad",
      "data.aws_kms_key.good",
      "data.aws_kms_key.bad",
    ]
  }
  expect "remote-state" {
    pass = "data.terraform_remote_state.good"
    fail = "data.terraform_remote_state.bad"
  }
  expect "kms-key-names" {
    pass = "data.aws_kms_key.good"
    fail = "data.aws_kms_key.bad"
  }
}

test "images of instances" {
  configuration = <<-EOT
    data "aws_ami" "ours" {
      owners = ["123456789012"]
    }

    data "aws_ami" "theirs" {
      owners = ["210987654321"]
    }

    resource "aws_instance" "good" {
      ami = data.aws_ami.ours.id
    }

    resource "aws_instance" "bad" {
      ami = data.aws_ami.theirs.id
    }
  EOT

  expect "ami-from-our-owners" {
    pass = "aws_instance.good"
    fail = "aws_instance.bad"
  }
}
