rule "r" {
  resource = "a.b"
  actions = ["create", "update"]
  severity = "warning"
  any {
    change "x" { only_increase = true }
    not {
      attribute "y[*]" { one_of = [1, 2] }
    }
  }
  implies {
    if {
      attribute "a" { not_null = true }
    }
    then {
      attribute "b" { min_len = ["long", 3] }
    }
  }
}
