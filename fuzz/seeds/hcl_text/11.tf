in1 l-1 "a b" { }
