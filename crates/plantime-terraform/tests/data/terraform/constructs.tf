# The names that the expressions of constructs.jsonl use, as `terraform console -plan` (1.11.4) had them.
resource "terraform_data" "u" {}
locals {
  u     = terraform_data.u.id
  yes   = true
  no    = false
  maybe = terraform_data.u.id == "x"
  name  = "Bar"
  words = ["Foo", "Bar", "Baz"]
  none  = []
  open  = ["a", terraform_data.u.id, "c"]
  map   = { b = "2", a = "1", c = "3" }
  objs  = [{ k = "x", v = 1, l = [1, 2] }, { k = "y", v = 2, l = [] }, { k = "x", v = 3, l = [3] }]
  one   = { k = "z", v = 9, l = [7] }
  null_ = null
  tpl   = "Hello, $${name}!"
  loop  = "%%{ for w in words }[$${w}]%%{ endfor }"
  cond  = "%%{ if yes ~} on %%{ else ~} off %%{ endif }"
}
