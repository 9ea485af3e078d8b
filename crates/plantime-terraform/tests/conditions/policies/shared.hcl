variable "environment" {
  type    = string
  default = "production"
  validation {
    condition     = contains(["dev", "production"], var.environment)
    error_message = "environment is dev or production."
  }
}

variable "allowed_regions" {
  type    = set(string)
  default = ["eu-central-1", "eu-west-1"]
}

variable "allowed_data_sources" {
  type    = set(string)
  default = ["aws_ami", "aws_caller_identity", "aws_iam_policy_document"]
}

locals {
  private_registry = "app.terraform.io/acme/"
  admin_names = ["Administrators"]
  sizes = [for v in resources("aws_ebs_volume") : v.values.size if v.values.size != null]
}
