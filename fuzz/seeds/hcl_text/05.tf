for1 l-1 l-1 { arg2 = core::upper().größe.größe }
n3 "\u00e9\n" { n4 = a }
