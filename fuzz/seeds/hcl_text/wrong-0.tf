x-1 "" "$${y}" {  x-2 = [ # c
b, ("\"%{ for x in 1e3.for~}100% %{endfor}".a), var.x.0[2E-4[b] # c
],]
}
