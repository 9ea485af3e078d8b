//! The names that a `for` binds, and the element of a splat.

use plantime::Value;

/// What is bound around a node, innermost first.
#[derive(Clone, Copy)]
pub(in crate::expression) enum Frame<'f> {
    /// The key, if it has a name, and the value of an iteration.
    Loop { parent: Option<&'f Frame<'f>>, key: Option<(&'f str, &'f Value)>, value: (&'f str, &'f Value) },
    /// The element of a splat.
    Element { parent: Option<&'f Frame<'f>>, value: &'f Value },
}

impl<'f> Frame<'f> {
    /// The frame around this one; `None` for the outermost.
    fn parent(&self) -> Option<&'f Frame<'f>> {
        match self {
            Frame::Loop { parent, .. } | Frame::Element { parent, .. } => *parent,
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
