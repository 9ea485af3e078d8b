rule "o" {
  output = "n"
  value { matches = "^[a-z]+$" }
  message = "{key} {value} {failure}"
}
