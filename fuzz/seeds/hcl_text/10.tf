größe1 l "\u00e9\n" {
  in2 = 1e3 + {
}["k"]["k"]
  größe3 = {for for, in in <<-_x
_x
 % [false[*].a[0]] >= each.0 % größe(a) : { x-4 = provider::x::y() } => ("'" == x-y * "% % '" % "$ %%{if}")}[0][0]

  if5 = "#".*.a[*][if_not[b.größe[0]][0]]
}