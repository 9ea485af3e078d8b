rule "ami" {
  resource = "aws_instance"
  attribute "ami" { starts_with = "ami-" }
}
rule "instance-type" {
  resource = "aws_instance"
  attribute "instance_type" { one_of = ["m5.large", "m5.xlarge", "c5.large", "c5.xlarge"] }
}
rule "zone" {
  resource = "aws_instance"
  attribute "availability_zone" { matches = "^eu-(west|central)-[0-9][a-c]$" }
}
rule "monitoring" {
  resource = "aws_instance"
  attribute "monitoring" { equals = true }
}
rule "key" {
  resource = "aws_instance"
  attribute "key_name" { max_len = 32 }
}
rule "stage" {
  resource = "aws_instance"
  attribute "tags.stage" { one_of = ["dev", "test", "prod"] }
}
rule "groups" {
  resource = "aws_instance"
  attribute "security_groups[*]" { starts_with = "sg-" }
}
rule "root-size" {
  resource = "aws_instance"
  attribute "root_block_device[*].volume_size" { max = 16384 }
}
rule "root-encrypted" {
  resource = "aws_instance"
  attribute "root_block_device[*].encrypted" { equals = true }
}
rule "disks-encrypted" {
  resource = "aws_instance"
  attribute "ebs_block_device[*].encrypted" { equals = true }
}
