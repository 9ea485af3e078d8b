# Tests of the rules in ../policies.md, whose blocks are their rules file.
# Variables, outputs and the plan; the configuration.

test "variables and outputs" {
  configuration = <<-EOT
    variable "env" {
      description = "The environment."
    }

    variable "size" {}

    output "db_password" {
      value     = "made-up"
      sensitive = true
    }

    output "api_secret" {
      value = "made-up"
    }

    output "url" {
      value = "https://example.com"
    }
  EOT

  variables { env = "staging" }

  expect "variable-env" {
    fail     = "var.env"
    messages = "env is staging."
  }
  expect "variables-have-descriptions" {
    pass = "var.env"
    fail = "var.size"
  }
  expect "output-is-sensitive" {
    pass = "output.db_password"
    fail = "output.api_secret"
  }
}

test "the version of Terraform" {
  terraform_version = "1.5.7"
  resource "aws_vpc" "a" {}

  expect "terraform-version" {
    answer   = "fail"
    messages = "Planned by 1.5.7."
  }
}

test "a newer version of Terraform" {
  terraform_version = "1.11.4"
  variable "environment" { value = "dev" }
  resource "aws_instance" "good" { instance_type = "t3.micro" }
  resource "aws_instance" "bad" { instance_type = "m7i.large" }
  resource "aws_db_instance" "good" {
    engine_version = "16.10"
    change { before = { engine_version = "16.9" } }
  }
  resource "aws_db_instance" "bad" {
    engine_version = "16.9"
    change { before = { engine_version = "16.10" } }
  }

  expect "terraform-version" { answer = "pass" }
  expect "types-by-environment" {
    pass = "aws_instance.good"
    fail = "aws_instance.bad"
  }
  expect "engine-version-never-down" {
    pass     = "aws_db_instance.good"
    fail     = "aws_db_instance.bad"
    messages = "From 16.10 to 16.9."
  }
}

test "providers and modules" {
  configuration = <<-EOT
    terraform {
      required_providers {
        aws = {
          source  = "hashicorp/aws"
          version = "~> 5.0"
        }
        random = {
          source = "hashicorp/random"
        }
      }
    }

    provider "aws" {
      region = "us-east-1"
      assume_role {
        role_arn = "arn:aws:iam::123456789012:role/other"
      }
    }

    provider "random" {}

    module "pinned" {
      source  = "app.terraform.io/acme/network/aws"
      version = "1.2.3"
    }

    module "loose" {
      source  = "app.terraform.io/acme/bucket/aws"
      version = "~> 1.0"
    }

    module "theirs" {
      source = "git::https://example.com/network.git"
    }
  EOT

  expect "provider-version" {
    pass = "provider.aws"
    fail = "provider.random"
  }
  expect "regions" { fail = "provider.aws" }
  expect "assumed-roles" { fail = "provider.aws" }
  expect "module-sources-pinned" {
    pass = ["module.pinned", "module.loose"]
    fail = "module.theirs"
  }
  expect "module-sources" {
    pass = ["module.pinned", "module.loose"]
    fail = "module.theirs"
  }
  expect "exact-module-versions" {
    pass = ["module.pinned", "module.theirs"]
    fail = "module.loose"
  }
  expect "required-module" { answer = "pass" }
}

test "resources outside of modules" {
  configuration = <<-EOT
    provider "aws" {
      region = "eu-west-1"
      assume_role {
        role_arn = "arn:aws:iam::123456789012:role/deploy"
      }
    }

    resource "aws_s3_bucket" "a" {
      bucket = "a"
    }

    resource "null_resource" "bad" {
      provisioner "remote-exec" {
        inline = ["true"]
      }
    }

    resource "terraform_data" "curl" {
      provisioner "local-exec" {
        command = "curl https://example.com"
      }
    }

    resource "terraform_data" "file" {
      provisioner "file" {
        source      = "a"
        destination = "b"
      }
    }
  EOT

  expect "regions" { pass = "provider.aws" }
  expect "assumed-roles" { pass = "provider.aws" }
  expect "required-module" { answer = "fail" }
  expect "all-resources-from-our-registry" {
    fail = ["aws_s3_bucket.a", "null_resource.bad", "terraform_data.curl", "terraform_data.file"]
  }
  expect "buckets-only-by-module" { fail = "aws_s3_bucket.a" }
  expect "no-provisioners" {
    pass = "aws_s3_bucket.a"
    fail = ["null_resource.bad", "terraform_data.curl", "terraform_data.file"]
  }
  expect "allowed-provisioners" {
    pass = ["aws_s3_bucket.a", "terraform_data.file"]
    fail = ["null_resource.bad", "terraform_data.curl"]
  }
  expect "no-remote-exec" {
    pass = ["terraform_data.curl", "terraform_data.file"]
    fail = "null_resource.bad"
  }
  expect "local-exec-commands" {
    pass = ["aws_s3_bucket.a", "null_resource.bad", "terraform_data.file"]
    fail = "terraform_data.curl"
  }
}
