//! The names that a `for` binds, and the element of a splat.

use plantime::Value;

use crate::expression::dependencies::Dependency;
use crate::expression::tree::{For, Node};

/// What is bound around a node, innermost first.
#[derive(Clone, Copy)]
pub(in crate::expression) enum Frame<'f> {
    /// The key, if it has a name, and the value of an iteration.
    Loop {
        parent: Option<&'f Frame<'f>>,
        key: Option<(&'f str, &'f Value)>,
        value: (&'f str, &'f Value),
        origin: ElementOrigin<'f>,
    },
    /// The element of a splat.
    Element { parent: Option<&'f Frame<'f>>, value: &'f Value, origin: ElementOrigin<'f> },
}

/// Where a bound value comes from. It is followed only when an equality is not decided by values, so that an iteration costs
/// nothing for it.
#[derive(Clone, Copy)]
pub(in crate::expression) enum ElementOrigin<'f> {
    /// Not known: a member of a set, or an unknown item that stands for many.
    Unknown,
    /// The value of this name.
    Named(&'f Dependency),
    /// The element of the collection at this key.
    At(&'f Node, &'f Value),
    /// The value of the node itself: a splat of a single value has it as its only element.
    Whole(&'f Node),
}

impl<'f> Frame<'f> {
    /// The frame of one item of a `for`.
    pub(super) fn of_item(
        each: &'f For,
        parent: Option<&'f Frame<'f>>,
        (key, value): (&'f Value, &'f Value),
        origin: ElementOrigin<'f>,
    ) -> Frame<'f> {
        let key = each.key.as_deref().map(|name| (name, key));
        Frame::Loop { parent, key, value: (&each.value, value), origin }
    }

    /// The frame around this one; `None` for the outermost.
    pub(in crate::expression) fn parent(&self) -> Option<&'f Frame<'f>> {
        match self {
            Frame::Loop { parent, .. } | Frame::Element { parent, .. } => *parent,
        }
    }

    /// Where the value comes from that this frame binds.
    pub(in crate::expression) fn origin(&self) -> ElementOrigin<'f> {
        match self {
            Frame::Loop { origin, .. } | Frame::Element { origin, .. } => *origin,
        }
    }

    /// The value that is bound to a name.
    pub(super) fn look_up(&self, name: &str) -> Option<&'f Value> {
        let mut here = *self;
        loop {
            if let Frame::Loop { key, value, .. } = here {
                match key {
                    _ if value.0 == name => return Some(value.1),
                    Some(key) if key.0 == name => return Some(key.1),
                    _ => {}
                }
            }
            here = *here.parent()?;
        }
    }

    /// The frame that binds a name, and whether the name is that of the value, not of the key.
    pub(in crate::expression) fn binding(&'f self, name: &str) -> Option<(&'f Frame<'f>, bool)> {
        let mut here = self;
        loop {
            if let Frame::Loop { key, value, .. } = here {
                match key {
                    _ if value.0 == name => return Some((here, true)),
                    Some(key) if key.0 == name => return Some((here, false)),
                    _ => {}
                }
            }
            here = here.parent()?;
        }
    }

    /// The frame of the nearest splat.
    pub(in crate::expression) fn nearest_splat(&'f self) -> Option<&'f Frame<'f>> {
        let mut here = self;
        loop {
            if let Frame::Element { .. } = here {
                return Some(here);
            }
            here = here.parent()?;
        }
    }

    /// The element of the nearest splat.
    pub(super) fn element(&self) -> Option<&'f Value> {
        let mut here = *self;
        loop {
            if let Frame::Element { value, .. } = here {
                return Some(value);
            }
            here = *here.parent()?;
        }
    }
}
