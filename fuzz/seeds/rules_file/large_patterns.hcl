rule "r" {
  resource = "a.b"
  attribute "c0" { matches = "[a-z]{4000}" }
  attribute "c1" { matches = "\\w{57}" }
  attribute "c2" { matches = "(?:a{1000}){40}" }
  attribute "c3" { matches = "(?i:\\p{any})" }
  attribute "c4" { matches = "[[[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa]]]" }
  attribute "c5" { matches = ".{1,2000}" }
}
