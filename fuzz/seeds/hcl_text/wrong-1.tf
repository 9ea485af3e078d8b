if1 "l" "" {
größe2 "k" { }
  _3 = {
  5 = "%{ for x in "$${x}%%{if}% "}% %{endfor}%{for x in 1e3 ~}a $ b%{endfor}\u00e9".*.b.0[0]


  in4 = 00["$ a $ b{"]
}[null]].id
  null5 = <<EOT

	%{if 1e3}//%{else}$$${%{ endif ~}
text${ 1e3}
  EOT


}
