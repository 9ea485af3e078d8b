größe1 {
  # a comment
  # a comment
}
for2 "a b" { }
