n1 "\u00e9\n" {
  if2 = {
} # c
  null3 = ((false)).0.* >= for_x.b-c["k"] /* c **/
}
x-4 { }
