//! What pages say of this site: who runs it, and whose coins count.

use serde::{Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::config::LegalConfig;
use chain::package_network;

/// The chain whose coins count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(psbt_wasm::Network);

impl From<bitcoin::Network> for Network {
    fn from(network: bitcoin::Network) -> Self {
        Self(package_network(network))
    }
}

impl Network {
    /// Its name in responses, and in the templates of pages.
    pub fn name(self) -> &'static str {
        self.0.name()
    }
}

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl PartialSchema for Network {
    fn schema() -> RefOr<Schema> {
        let names = psbt_wasm::Network::ALL.map(psbt_wasm::Network::name);
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("The chain whose coins count."))
            .enum_values(Some(names))
            .into()
    }
}

impl ToSchema for Network {}

/// What all pages of one server have in common.
#[derive(Clone, Debug, Serialize)]
pub struct Site {
    pub network: Network,
    pub legal: LegalConfig,
}
