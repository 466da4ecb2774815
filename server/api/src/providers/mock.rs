//! The mock of development mode.

use uuid::Uuid;

use super::provider::{Claims, Provider, SignInMethod};

pub(super) const MOCK: Provider = Provider {
    name: "mock",
    title: "the mock",
    method: SignInMethod::Mock(new_claims),
    pictures: None,
};

/// A new user without a name, who gets the default one.
fn new_claims() -> Claims {
    Claims {
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
    fn every_mock_sign_in_is_a_new_user() {
        assert_ne!(new_claims().id, new_claims().id);
    }
}
