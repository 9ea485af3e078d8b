arg1 "$${y}" { }
if2 "a b" "a b" {
for3 "" {
_4 l-1 "\u00e9\n" { } // c
  # a comment
  if5 = if_not
}
  null6 = {for for, in in (for_x <= größe[null.0["k"]] && "%%{if}$$${"[0] || null) : "\r".* + [] => [for k,v in { } : if_not == "100% /*/*" <= "//"]...}
}
