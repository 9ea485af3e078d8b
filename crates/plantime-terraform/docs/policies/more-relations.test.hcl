# Tests of the rules in ../policies.md, whose blocks are their rules file.
# Relations between resources: everything else.

test "other relations" {
  configuration = <<-EOT
    resource "aws_ebs_volume" "good" {
      encrypted = true
    }

    resource "aws_backup_selection" "good" {
      resources = [aws_ebs_volume.good.arn]
    }

    resource "aws_ebs_volume" "bad" {
      encrypted = false
    }

    resource "aws_volume_attachment" "good" {
      volume_id = aws_ebs_volume.good.id
    }

    resource "aws_volume_attachment" "bad" {
      volume_id = aws_ebs_volume.bad.id
    }

    resource "aws_api_gateway_rest_api" "a" {
      endpoint_configuration {
        types = ["REGIONAL"]
      }
    }

    resource "aws_api_gateway_stage" "good" {
      rest_api_id = aws_api_gateway_rest_api.a.id
      stage_name  = "good"
    }

    resource "aws_wafv2_web_acl_association" "good" {
      resource_arn = aws_api_gateway_stage.good.arn
    }

    resource "aws_api_gateway_stage" "bad" {
      rest_api_id = aws_api_gateway_rest_api.a.id
      stage_name  = "bad"
    }

    resource "aws_dynamodb_table" "good" {
      name         = "good"
      billing_mode = "PROVISIONED"
    }

    resource "aws_appautoscaling_target" "good" {
      resource_id = aws_dynamodb_table.good.id
    }

    resource "aws_appautoscaling_policy" "good" {
      resource_id = aws_appautoscaling_target.good.id
      policy_type = "TargetTrackingScaling"
    }

    resource "aws_dynamodb_table" "bad" {
      name         = "bad"
      billing_mode = "PROVISIONED"
    }

    resource "aws_autoscaling_group" "good" {
      name              = "good"
      health_check_type = "ELB"
    }

    resource "aws_autoscaling_attachment" "good" {
      autoscaling_group_name = aws_autoscaling_group.good.name
    }

    resource "aws_autoscaling_group" "bad" {
      name              = "bad"
      health_check_type = "EC2"
    }

    resource "aws_autoscaling_attachment" "bad" {
      autoscaling_group_name = aws_autoscaling_group.bad.name
    }

    resource "aws_security_group" "good" {
      name = "used"
    }

    resource "aws_instance" "good" {
      vpc_security_group_ids = [aws_security_group.good.id]
    }

    resource "aws_secretsmanager_secret" "good" {
      name = "good"
    }

    resource "aws_secretsmanager_secret_rotation" "good" {
      secret_id = aws_secretsmanager_secret.good.id
    }

    resource "aws_secretsmanager_secret" "bad" {
      name = "bad"
    }

    resource "aws_kms_key" "good" {
      policy = "{}"
    }

    resource "aws_kms_key" "bad" {}

    resource "aws_db_parameter_group" "good" {
      name = "good"
      parameter {
        name  = "log_statement"
        value = "all"
      }
      parameter {
        name  = "log_min_duration_statement"
        value = "1"
      }
    }

    resource "aws_db_instance" "good" {
      identifier           = "good"
      engine               = "postgres"
      parameter_group_name = aws_db_parameter_group.good.name
      password             = sensitive("made-up-password")
      tags                 = { Name = "good" }

      lifecycle {
        prevent_destroy = true
      }
    }

    resource "aws_db_instance" "bad" {
      identifier           = "bad"
      engine               = "postgres"
      parameter_group_name = "default.postgres16"
      password             = "made-up-password"
      tags                 = { Name = "other" }
    }
  EOT

  expect "backup" {
    pass = "aws_ebs_volume.good"
    fail = "aws_ebs_volume.bad"
  }
  expect "attached-volumes-encrypted" {
    pass = "aws_ebs_volume.good"
    fail = "aws_ebs_volume.bad"
  }
  expect "public-api-has-waf" {
    pass     = "aws_api_gateway_stage.good"
    fail     = "aws_api_gateway_stage.bad"
    messages = "Stage bad has no WAF."
  }
  expect "table-scales" {
    pass = "aws_dynamodb_table.good"
    fail = "aws_dynamodb_table.bad"
  }
  expect "scaling-group-health-check" {
    pass = "aws_autoscaling_attachment.good"
    fail = "aws_autoscaling_attachment.bad"
  }
  expect "group-is-attached" { pass = "aws_security_group.good" }
  expect "secret-rotates" {
    pass = "aws_secretsmanager_secret.good"
    fail = "aws_secretsmanager_secret.bad"
  }
  expect "key-policy" {
    pass = "aws_kms_key.good"
    fail = "aws_kms_key.bad"
  }
  expect "postgres-logs-queries" {
    pass = "aws_db_instance.good"
    fail = "aws_db_instance.bad"
  }
  expect "name-tag-is-identifier" {
    pass = "aws_db_instance.good"
    fail = "aws_db_instance.bad"
  }
  expect "password-is-sensitive" {
    pass = "aws_db_instance.good"
    fail = "aws_db_instance.bad"
  }
  expect "prevent-destroy" {
    pass = "aws_db_instance.good"
    fail = "aws_db_instance.bad"
  }
}

test "a group that nothing uses" {
  resource "aws_security_group" "bad" { id = "sg-1" }
  resource "aws_security_group" "good" { id = "sg-2" }
  resource "aws_instance" "good" { vpc_security_group_ids = ["sg-2"] }

  expect "group-is-attached" {
    pass = "aws_security_group.good"
    fail = "aws_security_group.bad"
  }
}

test "records and zones" {
  configuration = <<-EOT
    resource "aws_route53_record" "good" {
      name    = "good.example.com"
      type    = "A"
      records = [aws_eip.a.public_ip]
    }

    resource "aws_eip" "a" {}

    resource "aws_route53_record" "bad" {
      name    = "bad.example.com"
      type    = "A"
      records = ["192.0.2.1"]
      alias   = []
    }

    resource "aws_route53_zone" "good" {
      name = "example.com"
      vpc  = []
    }

    resource "aws_route53_key_signing_key" "good" {
      hosted_zone_id = aws_route53_zone.good.id
    }

    resource "aws_route53_zone" "bad" {
      name = "example.org"
      vpc  = []
    }
  EOT

  expect "record-is-attached" {
    pass     = "aws_route53_record.good"
    fail     = "aws_route53_record.bad"
    messages = "bad.example.com points to nothing of this configuration."
  }
  expect "dnssec" {
    pass = "aws_route53_zone.good"
    fail = "aws_route53_zone.bad"
  }
}

test "other clouds" {
  configuration = <<-EOT
    resource "oci_identity_group" "admins" {
      name = "Administrators"
    }

    resource "oci_identity_group" "readers" {
      name = "Readers"
    }

    resource "oci_identity_user" "good" {
      name = "good"
    }

    resource "oci_identity_user_group_membership" "good" {
      user_id  = oci_identity_user.good.id
      group_id = oci_identity_group.readers.id
    }

    resource "oci_identity_api_key" "good" {
      user_id = oci_identity_user.good.id
    }

    resource "oci_identity_user" "bad" {
      name = "bad"
    }

    resource "oci_identity_user_group_membership" "bad" {
      user_id  = oci_identity_user.bad.id
      group_id = oci_identity_group.admins.id
    }

    resource "oci_identity_api_key" "bad" {
      user_id = oci_identity_user.bad.id
    }

    resource "azurerm_key_vault" "good" {
      name = "good-vault"
    }

    resource "azurerm_private_endpoint" "good" {
      private_service_connection {
        private_connection_resource_id = azurerm_key_vault.good.id
      }
    }

    resource "azurerm_key_vault" "bad" {
      name = "bad-vault"
    }

    resource "azurerm_synapse_workspace" "good" {
      name = "good-workspace"
    }

    resource "azurerm_synapse_workspace" "bad" {
      name = "bad-workspace"
    }

    resource "azurerm_synapse_firewall_rule" "bad" {
      synapse_workspace_id = azurerm_synapse_workspace.bad.id
    }

    resource "google_compute_network" "good" {
      name = "good-network"
    }

    resource "google_compute_firewall" "good" {
      network = google_compute_network.good.name
    }

    resource "google_compute_network" "bad" {
      name = "bad-network"
    }

    resource "google_storage_bucket" "good" {
      name = "good-bucket"
      retention_policy {
        is_locked = true
      }
    }

    resource "google_logging_project_sink" "good" {
      destination = "storage.googleapis.com/${google_storage_bucket.good.name}"
    }

    resource "google_storage_bucket" "bad" {
      name = "bad-bucket"
      retention_policy {
        is_locked = false
      }
    }

    resource "google_logging_project_sink" "bad" {
      destination = "storage.googleapis.com/${google_storage_bucket.bad.name}"
    }

    resource "github_repository" "good" {
      name = "good-repository"
    }

    resource "github_branch_protection" "good" {
      repository_id = github_repository.good.node_id
    }

    resource "github_repository" "bad" {
      name = "bad-repository"
    }
  EOT

  expect "no-keys-for-administrators" {
    pass = "oci_identity_user.good"
    fail = "oci_identity_user.bad"
  }
  expect "private-endpoint" {
    pass = "azurerm_key_vault.good"
    fail = "azurerm_key_vault.bad"
  }
  expect "no-firewall-rules" {
    pass = "azurerm_synapse_workspace.good"
    fail = "azurerm_synapse_workspace.bad"
  }
  expect "network-has-firewall" {
    pass = "google_compute_network.good"
    fail = "google_compute_network.bad"
  }
  expect "log-bucket-locked" {
    pass = "google_logging_project_sink.good"
    fail = "google_logging_project_sink.bad"
  }
  expect "branch-protection" {
    pass = "github_repository.good"
    fail = "github_repository.bad"
  }
}

test "secrets in URLs" {
  configuration = <<-EOT
    resource "aws_ssm_parameter" "secret" {
      type  = "SecureString"
      value = "made-up"
    }

    resource "aws_ssm_parameter" "public" {
      type  = "String"
      value = "made-up"
    }

    data "http" "good" {
      url = "https://example.com/${aws_ssm_parameter.public.value}"
    }

    data "http" "bad" {
      url = "https://example.com/${aws_ssm_parameter.secret.value}"
    }
  EOT

  expect "no-secrets-in-urls" {
    pass = "data.http.good"
    fail = "data.http.bad"
  }
}
