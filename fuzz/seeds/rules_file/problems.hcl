x = 1
locals {}
rule "r" { resource = "t" }
rule "r" {
  attribute "a b" { start_with = "v" }
  exactly_one_of = ["a", 1]
}
skip "s" { address = "x" }
