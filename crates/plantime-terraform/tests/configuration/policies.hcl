# Published policies in our own words: a rule has the id of the policy, and a letter where that is about several types.
null = "fail"

rule "CKV_AWS_120" {
  description = "a stage caches"
  resource    = "aws_api_gateway_stage"
  attribute "cache_cluster_enabled" { equals = true }
}

rule "CKV_AWS_206" {
  description = "a domain name takes TLS 1.2 at least"
  resource    = "aws_api_gateway_domain_name"
  attribute "security_policy" { matches = "^(TLS_1_2|SecurityPolicy_TLS1[23]_)" }
}

rule "CKV_AWS_308" {
  description = "cached answers are encrypted"
  resource    = "aws_api_gateway_method_settings"
  attribute "settings[*].cache_data_encrypted" { equals = true }
}

rule "CKV_AWS_225" {
  description = "methods cache"
  resource    = "aws_api_gateway_method_settings"
  attribute "settings[*].caching_enabled" { equals = true }
}

rule "CKV_AWS_193" {
  description = "an API logs"
  resource    = "aws_appsync_graphql_api"
  attribute "log_config" { min_len = 1 }
}

rule "CKV_AWS_194" {
  description = "an API logs its fields"
  resource    = "aws_appsync_graphql_api"
  attribute "log_config[*].field_log_level" { one_of = ["ERROR", "ALL"] }
  attribute "log_config" { min_len = 1 }
}

rule "CKV_AWS_214" {
  description = "a cache is encrypted where it lies"
  resource    = "aws_appsync_api_cache"
  attribute "at_rest_encryption_enabled" { equals = true }
}

rule "CKV_AWS_215" {
  description = "a cache is encrypted on the way"
  resource    = "aws_appsync_api_cache"
  attribute "transit_encryption_enabled" { equals = true }
}

rule "CKV_AWS_166" {
  description = "a vault has a key of its own"
  resource    = "aws_backup_vault"
  attribute "kms_key_arn" { not_null = true }
}

rule "CKV_AWS_158" {
  description = "logs have a key of their own"
  resource    = "aws_cloudwatch_log_group"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_338" {
  description = "logs stay for a year"
  resource    = "aws_cloudwatch_log_group"
  attribute "retention_in_days" {
    any {
      equals = 0
      min    = 365
    }
  }
}

rule "CKV_AWS_305" {
  description = "a distribution has a first page"
  resource    = "aws_cloudfront_distribution"
  attribute "default_root_object" { not_null = true }
}

rule "CKV_AWS_220" {
  description = "searches come by HTTPS"
  resource    = "aws_cloudsearch_domain"
  attribute "endpoint_options" { min_len = 1 }
  attribute "endpoint_options[*].enforce_https" { equals = true }
}

rule "CKV_AWS_252" {
  description = "a trail announces its files"
  resource    = "aws_cloudtrail"
  attribute "sns_topic_name" { not_null = true }
}

rule "CKV_AWS_294" {
  description = "events have a key of their own"
  resource    = "aws_cloudtrail_event_data_store"
  attribute "kms_key_id" { min_len = 1 }
}

rule "CKV_AWS_221" {
  description = "artifacts have a key of their own"
  resource    = "aws_codeartifact_domain"
  attribute "encryption_key" { not_null = true }
}

rule "CKV_AWS_147" {
  description = "builds have a key of their own"
  resource    = "aws_codebuild_project"
  attribute "encryption_key" { not_null = true }
}

rule "CKV_AWS_366" {
  description = "nobody comes in without a name"
  resource    = "aws_cognito_identity_pool"
  attribute "allow_unauthenticated_identities" { equals = false }
}

rule "CKV_AWS_47" {
  description = "a cache of tables is encrypted"
  resource    = "aws_dax_cluster"
  attribute "server_side_encryption" { min_len = 1 }
  attribute "server_side_encryption[*].enabled" { equals = true }
}

rule "CKV_AWS_239" {
  description = "a cache of tables takes TLS"
  resource    = "aws_dax_cluster"
  attribute "cluster_endpoint_encryption_type" { equals = "TLS" }
}

rule "CKV_AWS_226 a" {
  description = "minor versions come by themselves"
  resource    = "aws_db_instance"
  attribute "auto_minor_version_upgrade" { equals = true }
}

rule "CKV_AWS_226 b" {
  description = "minor versions come by themselves"
  resource    = "aws_rds_cluster_instance"
  attribute "auto_minor_version_upgrade" { equals = true }
}

rule "CKV_AWS_212" {
  description = "migrations have a key of their own"
  resource    = "aws_dms_replication_instance"
  attribute "kms_key_arn" { not_null = true }
}

rule "CKV_AWS_182" {
  description = "documents have a key of their own"
  resource    = "aws_docdb_cluster"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_292" {
  description = "documents are encrypted in all regions"
  resource    = "aws_docdb_global_cluster"
  attribute "storage_encrypted" { equals = true }
}

rule "CKV_AWS_85" {
  description = "documents are logged"
  resource    = "aws_docdb_cluster"
  attribute "enabled_cloudwatch_logs_exports" {
    not_null = true
    min_len = 1
  }
}

rule "CKV_AWS_3" {
  description = "volumes are encrypted"
  resource    = "aws_ebs_volume"
  attribute "encrypted" { equals = true }
}

rule "CKV_AWS_189" {
  description = "volumes have a key of their own"
  resource    = "aws_ebs_volume"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_183" {
  description = "copies of snapshots have a key of their own"
  resource    = "aws_ebs_snapshot_copy"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_42" {
  description = "file systems are encrypted"
  resource    = "aws_efs_file_system"
  attribute "encrypted" { equals = true }
}

rule "CKV_AWS_184" {
  description = "file systems have a key of their own"
  resource    = "aws_efs_file_system"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_39" {
  description = "a cluster is not reached from outside"
  resource    = "aws_eks_cluster"
  attribute "vpc_config[*].endpoint_public_access" { equals = false }
}

rule "CKV_AWS_191" {
  description = "caches have a key of their own"
  resource    = "aws_elasticache_replication_group"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_178" {
  description = "file systems have a key of their own"
  resource    = "aws_fsx_ontap_file_system"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_203" {
  description = "file systems have a key of their own"
  resource    = "aws_fsx_openzfs_file_system"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_190" {
  description = "file systems have a key of their own"
  resource    = "aws_fsx_lustre_file_system"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_195 a" {
  description = "crawlers have a security configuration"
  resource    = "aws_glue_crawler"
  attribute "security_configuration" { not_null = true }
}

rule "CKV_AWS_195 b" {
  description = "endpoints have a security configuration"
  resource    = "aws_glue_dev_endpoint"
  attribute "security_configuration" { not_null = true }
}

rule "CKV_AWS_195 c" {
  description = "jobs have a security configuration"
  resource    = "aws_glue_job"
  attribute "security_configuration" { not_null = true }
}

rule "CKV_AWS_180" {
  description = "components have a key of their own"
  resource    = "aws_imagebuilder_component"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_7" {
  description = "keys rotate"
  resource    = "aws_kms_key"
  attribute "enable_key_rotation" { equals = true }
}

rule "CKV_AWS_240" {
  description = "streams are encrypted"
  resource    = "aws_kinesis_firehose_delivery_stream"
  attribute "server_side_encryption" { min_len = 1 }
  attribute "server_side_encryption[*].enabled" { equals = true }
}

rule "CKV_AWS_185" {
  description = "streams have a key of their own"
  resource    = "aws_kinesis_stream"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_43" {
  description = "streams are encrypted"
  resource    = "aws_kinesis_stream"
  attribute "encryption_type" { equals = "KMS" }
}

rule "CKV_AWS_177" {
  description = "streams have a key of their own"
  resource    = "aws_kinesis_video_stream"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_272" {
  description = "code is signed"
  resource    = "aws_lambda_function"
  attribute "code_signing_config_arn" { not_null = true }
}

rule "CKV_AWS_48" {
  description = "brokers log"
  resource    = "aws_mq_broker"
  attribute "logs" { min_len = 1 }
  attribute "logs[*].general" { equals = true }
}

rule "CKV_AWS_201" {
  description = "memory has a key of its own"
  resource    = "aws_memorydb_cluster"
  attribute "kms_key_arn" { not_null = true }
}

rule "CKV_AWS_278" {
  description = "snapshots have a key of their own"
  resource    = "aws_memorydb_snapshot"
  attribute "kms_key_arn" { not_null = true }
}

rule "CKV_AWS_44" {
  description = "graphs are encrypted"
  resource    = "aws_neptune_cluster"
  attribute "storage_encrypted" { equals = true }
}

rule "CKV_AWS_347" {
  description = "graphs have a key of their own"
  resource    = "aws_neptune_cluster"
  attribute "kms_key_arn" { not_null = true }
}

rule "CKV_AWS_280" {
  description = "snapshots have a key of their own"
  resource    = "aws_neptune_cluster_snapshot"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_344" {
  description = "firewalls are not deleted by mistake"
  resource    = "aws_networkfirewall_firewall"
  attribute "delete_protection" { equals = true }
}

rule "CKV_AWS_170" {
  description = "ledgers have permissions"
  resource    = "aws_qldb_ledger"
  attribute "permissions_mode" { equals = "STANDARD" }
}

rule "CKV_AWS_246" {
  description = "activity has a key of its own"
  resource    = "aws_rds_cluster_activity_stream"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_327" {
  description = "clusters have a key of their own"
  resource    = "aws_rds_cluster"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_162" {
  description = "people come in by their roles"
  resource    = "aws_rds_cluster"
  attribute "iam_database_authentication_enabled" { equals = true }
}

rule "CKV_AWS_16" {
  description = "data at rest is encrypted"
  resource    = "aws_db_instance"
  attribute "storage_encrypted" { equals = true }
}

rule "CKV_AWS_157" {
  description = "a database is in several zones"
  resource    = "aws_db_instance"
  attribute "multi_az" { equals = true }
}

rule "CKV_AWS_321" {
  description = "a warehouse keeps its traffic inside"
  resource    = "aws_redshift_cluster"
  attribute "enhanced_vpc_routing" { equals = true }
}

rule "CKV_AWS_26" {
  description = "topics are encrypted"
  resource    = "aws_sns_topic"
  attribute "kms_master_key_id" { not_null = true }
}

rule "CKV_AWS_337" {
  description = "parameters have a key of their own"
  resource    = "aws_ssm_parameter"
  attribute "key_id" { not_null = true }
}

rule "CKV_AWS_307" {
  description = "nobody is root in a notebook"
  resource    = "aws_sagemaker_notebook_instance"
  attribute "root_access" { equals = "Disabled" }
}

rule "CKV_AWS_297" {
  description = "schedules have a key of their own"
  resource    = "aws_scheduler_schedule"
  attribute "kms_key_arn" { min_len = 1 }
}

rule "CKV_AWS_149" {
  description = "secrets have a key of their own"
  resource    = "aws_secretsmanager_secret"
  attribute "kms_key_id" {
    not_null = true
    none_of  = ["aws/secretsmanager", "alias/aws/secretsmanager"]
  }
}

rule "CKV_AWS_160" {
  description = "series have a key of their own"
  resource    = "aws_timestreamwrite_database"
  attribute "kms_key_id" { not_null = true }
}

rule "CKV_AWS_68" {
  description = "a distribution has a firewall"
  resource    = "aws_cloudfront_distribution"
  attribute "web_acl_id" { not_null = true }
}

rule "CKV_AWS_156" {
  description = "the first volume is encrypted"
  resource    = "aws_workspaces_workspace"
  attribute "root_volume_encryption_enabled" { equals = true }
}

rule "CKV_AWS_155" {
  description = "the second volume is encrypted"
  resource    = "aws_workspaces_workspace"
  attribute "user_volume_encryption_enabled" { equals = true }
}

rule "CKV_ALI_31" {
  description = "nodes are repaired"
  resource    = "alicloud_cs_kubernetes_node_pool"
  attribute "management[*].auto_repair" { equals = true }
}

rule "CKV_ALI_38" {
  description = "databases are audited"
  resource    = "alicloud_log_audit"
  attribute "variable_map.rds_enabled" { equals = "true" }
}

rule "CKV_ALI_15" {
  description = "passwords have symbols"
  resource    = "alicloud_ram_account_password_policy"
  attribute "require_symbols" { equals = true }
}

rule "CKV_ALI_13" {
  description = "passwords are long"
  resource    = "alicloud_ram_account_password_policy"
  attribute "minimum_password_length" { min = 14 }
}
