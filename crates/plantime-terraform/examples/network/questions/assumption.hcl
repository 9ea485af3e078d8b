# What reading (b) of NOTE.md adds.
assume "aws_vpc.main" {
  id = assumed(notnull(stringprefix("vpc-")))
}
