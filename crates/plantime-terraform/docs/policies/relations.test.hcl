# Tests of the rules in ../policies.md, whose blocks are their rules file.
# Relations between resources: buckets, networks, load balancers.

test "buckets" {
  configuration = <<-EOT
    resource "aws_s3_bucket" "good" {
      bucket = "good"
      server_side_encryption_configuration {
        rule {
          apply_server_side_encryption_by_default {
            sse_algorithm = "AES256"
          }
        }
      }
      versioning {
        enabled = false
      }
    }

    resource "aws_s3_bucket_public_access_block" "good" {
      bucket            = aws_s3_bucket.good.id
      block_public_acls = true
    }

    resource "aws_s3_bucket_server_side_encryption_configuration" "good" {
      bucket = aws_s3_bucket.good.id
      rule {
        apply_server_side_encryption_by_default {
          sse_algorithm = "aws:kms"
        }
      }
    }

    resource "aws_s3_bucket_versioning" "good" {
      bucket = aws_s3_bucket.good.id
      versioning_configuration {
        status = "Enabled"
      }
    }

    resource "aws_s3_bucket_logging" "good" {
      bucket        = aws_s3_bucket.good.id
      target_bucket = "logs"
    }

    resource "aws_s3_bucket_acl" "good" {
      bucket = aws_s3_bucket.good.id
      acl    = "private"
    }

    resource "aws_s3_bucket" "bad" {
      bucket = "bad"
      acl    = "public-read"
    }
  EOT

  expect "public-access-block" {
    pass     = "aws_s3_bucket.good"
    fail     = "aws_s3_bucket.bad"
    messages = "Bucket bad has no public access block."
  }
  expect "bucket-kms" {
    pass         = "aws_s3_bucket.good"
    undetermined = "aws_s3_bucket.bad"
  }
  expect "bucket-versioning" {
    pass         = "aws_s3_bucket.good"
    undetermined = "aws_s3_bucket.bad"
  }
  expect "bucket-logging" {
    pass         = "aws_s3_bucket.good"
    undetermined = "aws_s3_bucket.bad"
  }
  expect "bucket-not-readable" {
    undetermined = "aws_s3_bucket.good"
    fail         = "aws_s3_bucket.bad"
  }
}

test "buckets as they are planned" {
  resource "aws_s3_bucket" "a" {
    bucket                               = "a"
    acl                                  = null
    versioning                           = []
    logging                              = []
    server_side_encryption_configuration = []
  }

  resource "aws_s3_bucket" "b" {
    bucket                               = "b"
    versioning                           = []
    logging                              = []
    server_side_encryption_configuration = []
  }
  resource "aws_s3_bucket_server_side_encryption_configuration" "b" {
    bucket = "b"
    rule {
      apply_server_side_encryption_by_default { sse_algorithm = "aws:kms" }
    }
  }

  expect "bucket-kms" {
    pass = "aws_s3_bucket.b"
    fail = "aws_s3_bucket.a"
  }
  expect "bucket-versioning" { fail = ["aws_s3_bucket.a", "aws_s3_bucket.b"] }
  expect "bucket-logging" { fail = ["aws_s3_bucket.a", "aws_s3_bucket.b"] }
  expect "bucket-not-readable" { pass = ["aws_s3_bucket.a", "aws_s3_bucket.b"] }
}

test "networks" {
  configuration = <<-EOT
    resource "aws_vpc" "good" {
      cidr_block = "10.0.0.0/16"
    }

    resource "aws_flow_log" "good" {
      vpc_id = aws_vpc.good.id
    }

    resource "aws_default_security_group" "good" {
      vpc_id  = aws_vpc.good.id
      ingress = []
      egress  = []
    }

    resource "aws_vpc" "bad" {
      cidr_block = "10.1.0.0/16"
    }

    resource "aws_subnet" "good" {
      count      = 2
      vpc_id     = aws_vpc.good.id
      cidr_block = cidrsubnet("10.0.0.0/16", 8, count.index)
    }

    resource "aws_subnet" "bad" {
      count      = 2
      vpc_id     = aws_vpc.bad.id
      cidr_block = "10.1.0.0/24"
    }
  EOT

  expect "flow-log" {
    pass     = "aws_vpc.good"
    fail     = "aws_vpc.bad"
    messages = "aws_vpc.bad has no flow log."
  }
  expect "default-group-closed" {
    pass = "aws_vpc.good"
    fail = "aws_vpc.bad"
  }
  expect "subnets-do-not-overlap" {
    pass = "aws_vpc.good"
    fail = "aws_vpc.bad"
  }
}

test "load balancers" {
  configuration = <<-EOT
    resource "aws_lb" "good" {
      internal           = false
      load_balancer_type = "application"
    }

    resource "aws_wafv2_web_acl_association" "good" {
      resource_arn = aws_lb.good.arn
    }

    resource "aws_lb_listener" "good" {
      load_balancer_arn = aws_lb.good.arn
      port              = "80"
      protocol          = "HTTP"
      default_action {
        type = "redirect"
        redirect {
          protocol = "HTTPS"
        }
      }
    }

    resource "aws_lb_listener" "tls" {
      load_balancer_arn = aws_lb.good.arn
      port              = "443"
      protocol          = "HTTPS"
      ssl_policy        = "ELBSecurityPolicy-TLS13-1-2-2021-06"
      default_action {
        type = "forward"
      }
    }

    resource "aws_lb" "bad" {
      internal           = false
      load_balancer_type = "application"
    }

    resource "aws_lb_listener" "bad" {
      load_balancer_arn = aws_lb.bad.arn
      port              = 80
      protocol          = "HTTP"
      default_action {
        type = "forward"
      }
    }

    resource "aws_lb_listener" "old" {
      load_balancer_arn = "arn:aws:other"
      port              = 443
      protocol          = "HTTPS"
      ssl_policy        = "ELBSecurityPolicy-2016-08"
      default_action {
        type = "forward"
      }
    }
  EOT

  expect "public-lb-has-waf" {
    pass = "aws_lb.good"
    fail = "aws_lb.bad"
  }
  expect "http-redirects" {
    pass = "aws_lb.good"
    fail = "aws_lb.bad"
  }
  expect "listener-tls" {
    pass = ["aws_lb_listener.good", "aws_lb_listener.tls", "aws_lb_listener.bad"]
    fail = "aws_lb_listener.old"
  }
}

test "rule groups of web ACLs" {
  resource "aws_lb" "good" { arn = "arn:aws:elasticloadbalancing:good" }
  resource "aws_lb" "bad" { arn = "arn:aws:elasticloadbalancing:bad" }

  resource "aws_wafv2_web_acl" "good" {
    arn = "arn:aws:wafv2:good"
    rule {
      statement {
        managed_rule_group_statement { name = "AWSManagedRulesAnonymousIpList" }
      }
    }
    rule {
      statement {
        managed_rule_group_statement { name = "AWSManagedRulesKnownBadInputsRuleSet" }
      }
    }
  }
  resource "aws_wafv2_web_acl" "bad" {
    arn = "arn:aws:wafv2:bad"
    rule {
      statement {
        managed_rule_group_statement { name = "AWSManagedRulesAnonymousIpList" }
      }
    }
  }

  resource "aws_wafv2_web_acl_association" "good" {
    resource_arn = "arn:aws:elasticloadbalancing:good"
    web_acl_arn  = "arn:aws:wafv2:good"
  }
  resource "aws_wafv2_web_acl_association" "bad" {
    resource_arn = "arn:aws:elasticloadbalancing:bad"
    web_acl_arn  = "arn:aws:wafv2:bad"
  }

  expect "waf-has-log4j-rules" {
    pass = "aws_lb.good"
    fail = "aws_lb.bad"
  }
}
