//! Reads pages as browsers do.

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// The nodes of a page, in their order.
pub(super) struct Html(Vec<Handle>);

impl Html {
    pub(super) fn parse(page: &str) -> Self {
        let parsed = parse_document(RcDom::default(), ParseOpts::default()).one(page);
        Self(below(&parsed.document))
    }

    /// All text, without white space.
    pub(super) fn text(&self) -> String {
        without_spaces(&text_of(&self.0))
    }

    /// The text in each element of this name. In `noscript` it is HTML, as for browsers with scripts.
    pub(super) fn texts(&self, element: &str) -> Vec<String> {
        let elements = self.0.iter().filter(|node| is(node, element));
        elements.map(|it| text_of(&below(it))).collect()
    }

    /// The text in each element of this id.
    pub(super) fn texts_with_id(&self, id: &str) -> Vec<String> {
        let elements = self.0.iter();
        let elements = elements.filter(|it| attribute(it, "id").as_deref() == Some(id));
        elements.map(|it| text_of(&below(it))).collect()
    }
}

/// The text without white space, whose amount depends on how a page is written.
pub(super) fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The node and all nodes below it, in their order.
fn below(node: &Handle) -> Vec<Handle> {
    let (mut nodes, mut open) = (Vec::new(), vec![node.clone()]);
    while let Some(node) = open.pop() {
        open.extend(node.children.borrow().iter().rev().cloned());
        nodes.push(node);
    }
    nodes
}

fn text_of(nodes: &[Handle]) -> String {
    let texts = nodes.iter().filter_map(|node| match &node.data {
        NodeData::Text { contents } => Some(contents.borrow().to_string()),
        _ => None,
    });
    texts.collect()
}

fn is(node: &Handle, element: &str) -> bool {
    matches!(&node.data, NodeData::Element { name, .. } if &*name.local == element)
}

fn attribute(node: &Handle, wanted: &str) -> Option<String> {
    let NodeData::Element { attrs, .. } = &node.data else {
        return None;
    };
    let attributes = attrs.borrow();
    let attribute = attributes.iter().find(|it| &*it.name.local == wanted)?;
    Some(attribute.value.to_string())
}
