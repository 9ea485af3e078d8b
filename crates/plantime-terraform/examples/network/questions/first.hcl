# The questions of NOTE.md about the plan `first`.

rule "1" {
  resource = "aws_vpc.main"
  attribute "id" { starts_with = "vpc-" }
}

rule "2" {
  resource = "aws_vpc.main"
  attribute "id" { starts_with = "subnet-" }
}

rule "3" {
  resource = "aws_subnet.app"
  attribute "vpc_id" { not_null = true }
}

rule "4" {
  resource = "aws_subnet.app"
  attribute "cidr_block" { equals = "10.20.1.0/24" }
}

rule "5" {
  resource = "aws_subnet.app"
  attribute "arn" { not_null = true }
}
