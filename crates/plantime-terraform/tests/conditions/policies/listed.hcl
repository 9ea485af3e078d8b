# The kinds of rules that keywords say, as conditions. The part of a name before "-" is the kind.

rule "1" {
  assert {
    condition     = alltrue([for c in changes("aws_db_instance") : !contains(c.actions, "delete")])
    error_message = "A database is deleted."
  }
}

rule "2" {
  resource = "aws_db_instance"

  assert {
    condition     = !subject.replaces
    error_message = "${subject.address} is replaced."
  }
}

rule "4" {
  resource = "aws_subnet"

  assert {
    condition     = contains([for v in resources("aws_vpc.main") : v.values.id], self.vpc_id)
    error_message = "Another VPC: ${self.vpc_id}."
  }
}

rule "8" {
  resource = "aws_instance"

  assert {
    condition     = can(regex("^prod_", subject.name))
    error_message = "${subject.name} is no name of ours."
  }
}

rule "10" {
  resource = "aws_iam_policy"

  assert {
    condition     = alltrue([for s in flatten([jsondecode(self.policy).Statement]) : s.Effect == "Deny" || !contains(flatten([try(s.Action, [])]), "*")])
    error_message = "Every action is allowed."
  }
}

rule "11" {
  resource = "aws_vpc"

  assert {
    condition     = cidrcontains("10.0.0.0/8", self.cidr_block)
    error_message = "${self.cidr_block} lies elsewhere."
  }
}

rule "16" {
  resource = "**"

  assert {
    condition     = subject.drift == null
    error_message = "${subject.address} was changed outside."
  }
}

rule "17" {
  resource = "aws_*"

  assert {
    condition     = contains(["dev", "prod"], self.tags.Env)
    error_message = "The tag Env is missing, or none of ours."
  }
}

rule "17b" {
  resource = "aws_*"

  assert {
    condition     = contains(["dev", "prod"], try(self.tags.Env, "none"))
    error_message = "The tag Env is missing, or none of ours."
  }
}

rule "18" {
  resource = "aws_instance"

  when { condition = try(self.tags.Env, null) == "dev" }

  assert {
    condition     = contains(["t3.micro", "t3.small"], self.instance_type)
    error_message = "Too large: ${self.instance_type}."
  }
}

rule "19" {
  resource = "aws_instance"

  assert {
    condition     = length(self.root_block_device) > 0 && alltrue([for b in self.root_block_device : b.encrypted == true])
    error_message = "The disk is not encrypted."
  }
}

rule "19b" {
  resource = "aws_instance"

  assert {
    condition     = anytrue([for b in self.root_block_device : b.encrypted == true])
    error_message = "The disk is not encrypted."
  }
}

rule "20" {
  resource = "aws_security_group"

  assert {
    condition     = alltrue([for i in self.ingress : !(i.from_port <= 22 && i.to_port >= 22 && contains(i.cidr_blocks, "0.0.0.0/0"))])
    error_message = "Port 22 is open to the world."
  }
}

rule "21" {
  resource = "aws_security_group_rule"

  when { condition = self.type == "ingress" }

  assert {
    condition     = !(self.from_port <= 22 && self.to_port >= 22 && contains(self.cidr_blocks, "0.0.0.0/0"))
    error_message = "Port 22 is open to the world."
  }
}

rule "22" {
  resource = "aws_iam_role"

  assert {
    condition     = length(self.inline_policy) == 0
    error_message = "An inline policy."
  }
}

rule "22-of-its-own" {
  assert {
    condition     = length(resources("aws_iam_role_policy")) == 0
    error_message = "An inline policy."
  }
}

rule "25" {
  resource = "aws_*"

  assert {
    condition     = try(self.availability_zone, null) == null || can(regex("^(eu-west-1|eu-central-1)[a-c]$", self.availability_zone))
    error_message = "Another region."
  }
}

rule "27" {
  resource = "acme_key"

  assert {
    condition     = self.expires != null && timecmp(self.expires, "2027-01-01T00:00:00Z") <= 0
    error_message = "Valid for too long."
  }
}

rule "28" {
  resource = "aws_s3_bucket"

  assert {
    condition     = self.acl != "public-read"
    error_message = "Public."
  }
}

skip "28" {
  address = "module.legacy"
  reason  = "It moves."
}

rule "28b" {
  resource = "aws_s3_bucket"

  assert {
    condition     = self.acl != "public-read"
    error_message = "Public."
  }
}

skip "28b" {
  address = "module.legacy.**"
  reason  = "It moves."
}

rule "30" {
  output = "url"

  assert {
    condition     = self != null
    error_message = "There is no url."
  }
}

rule "32" {
  resource = "data.aws_ami"

  assert {
    condition     = length(setsubtract(coalesce(self.owners, []), ["amazon"])) == 0
    error_message = "Other owners."
  }
}

rule "33" {
  resource = "aws_vpc"
  actions  = ["update"]

  assert {
    condition     = alltrue([for name, value in before : name == "tags" || after[name] == value])
    error_message = "More than tags changes."
  }
}

rule "34" {
  resource = "aws_vpc"
  severity = "warning"

  assert {
    condition     = self.x == 1
    error_message = "x is ${self.x}."
  }
}

rule "36" {
  resource = "aws_db_instance"

  assert {
    condition     = self.allocated_storage >= 20 && self.allocated_storage <= 100
    error_message = "${self.allocated_storage} GB."
  }
}

rule "37" {
  resource = "aws_lb"

  assert {
    condition     = length(self.subnets) >= 2
    error_message = "One subnet."
  }
}

rule "38" {
  resource = "aws_lb_listener"

  when { condition = self.protocol == "HTTPS" }

  assert {
    condition     = contains(["ELBSecurityPolicy-TLS13-1-2-2021-06"], self.ssl_policy)
    error_message = "Old protocols."
  }
}

rule "39" {
  resource = "**"

  assert {
    condition     = startswith(subject.type, "aws_s3_")
    error_message = "${subject.type} is not allowed."
  }
}

rule "40" {
  resource = "aws_s3_bucket"

  assert {
    condition     = subject.module_call == "module.bucket"
    error_message = "Call our module."
  }
}

rule "41" {
  resource = "aws_instance"

  assert {
    condition     = self.associate_public_ip_address == false
    error_message = "A public address."
  }
}

rule "43" {
  resource = "aws_autoscaling_group"

  assert {
    condition     = self.min_size <= self.desired_capacity && self.desired_capacity <= self.max_size
    error_message = "${self.desired_capacity} is out of bounds."
  }
}

rule "44" {
  resource = "aws_subnet"

  assert {
    condition     = length([for x in [self.cidr_block, self.pool] : x if x != null]) == 1
    error_message = "Neither, or both."
  }
}

rule "45" {
  resource = "aws_*"

  assert {
    condition     = alltrue([for key, value in coalesce(self.tags, {}) : can(regex("^[A-Z][A-Za-z]*$", key))])
    error_message = "Another spelling."
  }
}

rule "49" {
  resource = "aws_instance"

  assert {
    condition     = self.user_data == null || !can(regex("AKIA[0-9A-Z]{16}", self.user_data))
    error_message = "A key."
  }
}

rule "50" {
  resource = "aws_instance"

  assert {
    condition     = alltrue([for g in self.vpc_security_group_ids : contains(["sg-1", "sg-2"], g)])
    error_message = "Another group."
  }
}

rule "51" {
  resource = "aws_security_group"

  assert {
    condition = alltrue([
      for e in self.egress : !contains(coalesce(e.cidr_blocks, []), "0.0.0.0/0") && !contains(coalesce(e.ipv6_cidr_blocks, []), "::/0")
    ])
    error_message = "Open to the world."
  }
}

rule "52" {
  resource = "aws_s3_bucket"

  assert {
    condition     = self.versioning[0].enabled || length(self.lifecycle_rule) > 0
    error_message = "Neither versions nor a lifecycle."
  }
}

rule "53" {
  resource = "aws_secretsmanager_secret"

  assert {
    condition     = self.recovery_window_in_days == 0 || self.recovery_window_in_days >= 7 && self.recovery_window_in_days <= 30
    error_message = "${self.recovery_window_in_days} days."
  }
}

rule "54" {
  resource = "aws_db_instance"
  actions  = ["update"]

  assert {
    condition     = after.allocated_storage >= before.allocated_storage
    error_message = "It shrinks."
  }
}

rule "55" {
  assert {
    condition     = alltrue([for c in changes("**") : !contains(c.actions, "forget")])
    error_message = "Something leaves."
  }
}

rule "56" {
  resource = "aws_lb_listener"

  when { condition = self.port == 80 }

  assert {
    condition     = alltrue([for a in self.default_action : a.type == "redirect"])
    error_message = "Port 80 does not redirect."
  }
}
