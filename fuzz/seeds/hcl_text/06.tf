if1 "" {
größe2 {
  # a comment
}
  in3 = {for v in true.*.b.0.for + if_not[*] + (true) || (false.a.b-c) : [local.a, false[*][0], if_not,][0].0 != [] => a-b() /* " { ${ */ != provider::x::y(1.5...).a	[var.x]}.größe
  e14 = for_x
}
e15 "\u00e9\n" { }
