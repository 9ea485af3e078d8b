rule "r" {
  attribute "a" { equals = "${