# The rules of rules.hcl; each collects what breaks it.
package plan

deny contains sprintf("%s: ami must start with ami-", [r.address]) if {
    some r in input.resource_changes
    r.type == "aws_instance"
    not startswith(r.change.after.ami, "ami-")
}

deny contains sprintf("%s: instance_type must be one of the allowed", [r.address]) if {
    some r in input.resource_changes
    r.type == "aws_instance"
    not r.change.after.instance_type in {"m5.large", "m5.xlarge", "c5.large", "c5.xlarge"}
}

deny contains sprintf("%s: availability_zone must match", [r.address]) if {
    some r in input.resource_changes
    r.type == "aws_instance"
    not regex.match(`^eu-(west|central)-[0-9][a-c]$`, r.change.after.availability_zone)
}

deny contains sprintf("%s: monitoring must be true", [r.address]) if {
    some r in input.resource_changes
    r.type == "aws_instance"
    not r.change.after.monitoring == true
}

deny contains sprintf("%s: key_name must have at most 32 characters", [r.address]) if {
    some r in input.resource_changes
    r.type == "aws_instance"
    count(r.change.after.key_name) > 32
}

deny contains sprintf("%s: tags.stage must be one of dev, test, prod", [r.address]) if {
    some r in input.resource_changes
    r.type == "aws_instance"
    not r.change.after.tags.stage in {"dev", "test", "prod"}
}

deny contains sprintf("%s: security_groups must start with sg-", [r.address]) if {
    some r in input.resource_changes
    r.type == "aws_instance"
    some group in r.change.after.security_groups
    not startswith(group, "sg-")
}

deny contains sprintf("%s: root_block_device.volume_size must be at most 16384", [r.address]) if {
    some r in input.resource_changes
    r.type == "aws_instance"
    some device in r.change.after.root_block_device
    device.volume_size > 16384
}

deny contains sprintf("%s: root_block_device must be encrypted", [r.address]) if {
    some r in input.resource_changes
    r.type == "aws_instance"
    some device in r.change.after.root_block_device
    not device.encrypted == true
}

deny contains sprintf("%s: ebs_block_device must be encrypted", [r.address]) if {
    some r in input.resource_changes
    r.type == "aws_instance"
    some device in r.change.after.ebs_block_device
    not device.encrypted == true
}
