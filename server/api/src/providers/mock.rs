//! The mock of development mode.

use uuid::Uuid;

use super::provider::{Person, Provider, Way};

pub(super) const MOCK: Provider = Provider {
    name: "mock",
    title: "the mock",
    way: Way::MadeUp(somebody_new),
    handles: None,
    pictures: None,
};

/// A person without a name, so that the default one applies.
fn somebody_new() -> Person {
    Person {
        id: Uuid::new_v4().to_string(),
        username: None,
        email: None,
        picture: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mock_sign_in_is_somebody_new() {
        assert_ne!(somebody_new().id, somebody_new().id);
    }
}
