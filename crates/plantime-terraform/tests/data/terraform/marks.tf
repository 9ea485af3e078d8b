# The names that the expressions of marks.jsonl use, as `terraform console` (1.11.4) had them.
variable "p" {
  type      = string
  default   = "abc"
  sensitive = true
}

variable "n" {
  type      = number
  default   = 2
  sensitive = true
}

variable "b" {
  type      = bool
  default   = true
  sensitive = true
}

variable "l" {
  type      = list(string)
  default   = ["a", "b"]
  sensitive = true
}

variable "o" {
  type      = object({ a = number })
  default   = { a = 1 }
  sensitive = true
}

locals {
  parts = ["x", var.p]
  named = { x = "x", p = var.p }
}

resource "terraform_data" "u" {}
