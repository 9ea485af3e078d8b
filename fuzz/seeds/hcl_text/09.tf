arg1 "l" {
  # a comment
}
