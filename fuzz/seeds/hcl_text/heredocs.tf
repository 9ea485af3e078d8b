a = <<EOT
EOT
b = <<-EOT
  x ${1}
  EOT
c = [<<E
$${x}
E
]
