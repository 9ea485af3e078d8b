assume "aws_vpc" {
  id = assumed(notnull(stringprefix("vpc-")))
  attribute "peers[0].id" { value = assumed(numberrange(1, 2)) }
}
