in1 "$${y}" "l" {
  größe2 = [(<<E-1
	E-1
.b-c), --a]
  null3 = var.x["text\u00e9"[0.1]["k"]]

_4 "" { }
}
