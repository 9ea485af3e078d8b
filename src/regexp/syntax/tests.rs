use super::*;

#[test]
fn a_tree_is_written_operands_first() {
    let literal = |c| Node::Literal { c, ignore_case: false };
    let many = Node::Repeat { least: 0, most: None, greedy: true };
    let nodes = read("(ab*|)c").unwrap().nodes;
    let branch = [literal('a'), literal('b'), many, Node::Concat(2)];
    let group = [Node::Empty, Node::Alternation(2), Node::Group(1)];
    assert_eq!(nodes, [&branch[..], &group, &[literal('c'), Node::Concat(2)]].concat());
}

#[test]
fn nodes_are_small() {
    assert!(size_of::<Node>() <= 16);
}

#[test]
fn a_class_is_its_place_in_the_text() {
    let nodes = read(r"a(?i)[\pL]").unwrap().nodes;
    assert_eq!(nodes[1], Node::Class { start: 5, end: 10, ignore_case: true });
}

#[test]
fn flags_hold_to_the_end_of_their_group() {
    let folded = |text: &str| {
        let nodes = read(text).unwrap().nodes;
        nodes
            .iter()
            .filter_map(
                |node| if let Node::Literal { c, ignore_case: true } = node { Some(*c) } else { None },
            )
            .collect::<String>()
    };
    assert_eq!(folded("a(?i)b(c(?-i)d)e"), "bce");
    assert_eq!(folded("(?i:a)b(?:c(?i)d|e)f"), "ade");
    assert_eq!(folded("a(?i)b|c"), "bc");
}
