//! The mock of development mode.

use uuid::Uuid;

use super::provider::{Provider, SignInMethod};
use store::profiles::Identity;

pub(super) const MOCK: Provider = Provider {
    name: "mock",
    method: SignInMethod::Mock(new_user),
    pictures: None,
};

/// A new user without a name, who gets the default one.
fn new_user() -> Identity {
    Identity {
        provider: MOCK.name,
        subject: Uuid::new_v4().to_string(),
        username: None,
        email: None,
        avatar_url: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mock_sign_in_is_a_new_user() {
        assert_ne!(new_user().subject, new_user().subject);
    }
}
