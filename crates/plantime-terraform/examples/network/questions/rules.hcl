# The questions of NOTE.md that rules can ask, under their numbers. Numbers 6, 15, 16, 17, 35, 43, 48 and 51 compare
# two resources, select members, or test keys or actions.

rule "1" {
  resource = "aws_vpc.main"
  attribute "id" { not_null = true }
}

rule "2" {
  resource = "aws_vpc.main"
  attribute "id" { starts_with = "vpc-" }
}

rule "3" {
  resource = "aws_vpc.main"
  attribute "id" { starts_with = "vpc-0" }
}

rule "4" {
  resource = "aws_vpc.main"
  attribute "id" { starts_with = "subnet-" }
}

rule "5" {
  resource = "aws_vpc.main"
  attribute "id" { min_len = 4 }
}

rule "7" {
  resource = "aws_vpc.main"
  attribute "ipv6_cidr_block" { is_null = true }
}

rule "8" {
  resource = "aws_vpc.main"
  attribute "arn" { starts_with = "arn:aws:ec2:" }
}

rule "9" {
  resource = "aws_vpc.main"
  attribute "arn" { starts_with = "arn:aws:ec2:eu-west-1:" }
}

rule "10" {
  resource = "aws_subnet.main"
  attribute "vpc_id" { starts_with = "vpc-" }
}

rule "11" {
  resource       = "aws_subnet.main[\"app\"]"
  exactly_one_of = ["cidr_block", "ipv4_ipam_pool_id"]
}

rule "12" {
  resource       = "aws_subnet.main[\"data\"]"
  exactly_one_of = ["cidr_block", "ipv4_ipam_pool_id"]
}

rule "13" {
  resource       = "aws_subnet.mixed"
  exactly_one_of = ["cidr_block", "ipv4_ipam_pool_id"]
}

rule "14" {
  resource       = "aws_subnet.spare"
  exactly_one_of = ["cidr_block", "ipv4_ipam_pool_id"]
}

rule "18" {
  resource = "aws_security_group.database"
  attribute "ingress" { len = 2 }
}

rule "19" {
  resource = "aws_db_instance.orders"
  attribute "subnet_ids" { min_len = 1 }
}

rule "20" {
  resource = "aws_db_instance.orders"
  attribute "subnet_ids" { min_len = 2 }
}

rule "21" {
  resource = "aws_db_instance.orders"
  attribute "subnet_ids" { min_len = 3 }
}

rule "22" {
  resource = "aws_db_instance.reports"
  any {
    change "allocated_storage" { only_increase = true }
    not {
      change "identifier" { immutable = true }
    }
  }
}

rule "23" {
  resource = "aws_db_instance.sessions"
  any {
    change "allocated_storage" { only_increase = true }
    not {
      change "identifier" { immutable = true }
    }
  }
}

rule "24" {
  resource = "aws_db_instance.orders"
  any {
    change "allocated_storage" { only_increase = true }
    not {
      change "identifier" { immutable = true }
    }
  }
}

rule "25" {
  resource = "aws_db_instance.orders"
  attribute "port" { min = 1024 }
}

rule "26" {
  resource = "aws_db_instance.orders"
  attribute "port" { max = 65535 }
}

rule "27" {
  resource = "aws_db_instance.orders"
  attribute "port" {
    not {
      max = 2000
    }
  }
}

rule "28" {
  resource = "aws_db_instance.orders"
  attribute "port" { equals = 22 }
}

rule "29" {
  resource = "aws_db_instance"
  attribute "storage_encrypted" { equals = true }
}

rule "30" {
  resource = "aws_db_instance.orders"
  attribute "password" { min_len = 12 }
}

rule "31" {
  resource = "aws_db_instance.orders"
  not {
    attribute "replicas[*].region" { equals = "eu-west-1" }
  }
}

rule "32" {
  resource = "aws_db_instance.orders"
  attribute "replicas[*].endpoint" { starts_with = "replica-" }
}

rule "33" {
  resource = "aws_db_instance.orders"
  attribute "endpoint" { not_null = true }
}

rule "34" {
  resource = "aws_db_instance.orders"
  attribute "address" { not_null = true }
}

rule "36" {
  resource = "aws_db_instance.reports"
  attribute "tags.Vpc" { starts_with = "vpc-" }
}

rule "37" {
  resource = "aws_instance.web[0]"
  attribute "user_data" { starts_with = "#!" }
}

rule "38" {
  resource = "aws_instance.web[0]"
  attribute "network_interface_ids" { min_len = 1 }
}

rule "39" {
  resource = "aws_instance.web[0]"
  attribute "network_interface_ids" { max_len = 4 }
}

rule "40" {
  resource = "aws_instance.web[0]"
  attribute "network_interface_ids" { min_len = 2 }
}

rule "41" {
  resource = "aws_instance.web[0]"
  attribute "network_interface_ids" { min_len = 9 }
}

rule "42" {
  resource = "aws_instance.web[0]"
  attribute "root_block_device" { len = 1 }
  attribute "root_block_device[*].encrypted" { equals = true }
}

rule "44" {
  resource = "module.flow_logs.aws_s3_bucket.this"
  attribute "bucket" { starts_with = "example-" }
}

rule "45" {
  resource = "module.flow_logs.aws_s3_bucket.this"
  attribute "bucket" { min_len = 3 }
}

rule "46" {
  resource = "module.flow_logs.aws_s3_bucket.this"
  attribute "bucket" { max_len = 63 }
}

rule "47" {
  resource = "module.archive.aws_s3_bucket.this"
  attribute "bucket" { equals = "example-archive" }
}

rule "49" {
  resource = "data.aws_subnets.of_vpc"
  attribute "ids" { min_len = 1 }
}

rule "50" {
  resource = "terraform_data.release"
  attribute "input.version" { equals = "2026.3" }
}

rule "52" {
  resource = "aws_subnet.spare"
  attribute "availability_zone" { not_null = true }
}

rule "53" {
  resource = "aws_subnet.spare"
  attribute "availability_zone" { starts_with = "eu-west-1" }
}

rule "54" {
  output = "zone_count"
  value { min = 2 }
}

rule "55" {
  output = "subnet_count"
  value { equals = 2 }
}
