//! A published proof, as a board writes it (proofs, section 4). [`psbt_wasm::ProofDocument`] reads it.

use psbt_wasm::statement::{block_hash, outputs_hash};
use serde::Serialize;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::names::shown_name;
use super::proof_note::{NoteBlock, ProofNote};

/// A proof that its owner has published.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublishedProof {
    pub id: String,
    /// The chain of its coins.
    #[schema(pattern = "^(mainnet|testnet3|testnet4|signet|regtest)$")]
    pub network: String,
    /// How it carries the statement: `message` or `transaction`.
    pub binding: String,
    /// RFC 3339.
    pub created_at: String,
    /// RFC 3339.
    pub expires_at: String,
    /// RFC 3339.
    pub published_at: String,
    pub profile: Owner,
    pub statement: Statement,
    /// A note of the board that this line is this account's and that this transaction carries it, signed with the log's key.
    pub note: String,
    /// The final transaction with every signature, hex.
    pub transaction: String,
    /// What its inputs spend, in their order.
    pub inputs: Vec<PublishedInput>,
}

/// The profile that it counts for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Owner {
    pub id: String,
    /// The name in the profile's row.
    pub username: String,
    /// The name of the provider that says who this is.
    pub provider: String,
    /// Whether the name comes from the provider; else the board has made it up.
    pub named: bool,
}

/// The line that was signed, and all that its code commits to.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Statement {
    pub text: String,
    pub origin: String,
    pub provider: String,
    /// The person's permanent id at the provider.
    pub subject: String,
    pub account_id: String,
    /// The full name, before it is cut.
    pub name: String,
    /// 16 bytes, hex.
    pub nonce: String,
    /// The proof is signed after this block. Block 0 dates nothing.
    pub block: StatementBlock,
}

/// The block to which the code commits.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct StatementBlock {
    pub height: u32,
    /// The header of 80 bytes, hex: its hash is the block's.
    pub header: String,
}

/// What an input spends.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PublishedInput {
    pub txid: String,
    pub vout: u32,
    pub value_sats: u64,
    /// Hex.
    pub script_pubkey: String,
    /// Whether the coin counts on the board now; null for the first input of a message, which is no coin.
    #[schema(required)]
    pub counts: Option<bool>,
}

impl Owner {
    /// The name as the board shows it.
    pub fn name(&self) -> String {
        shown_name(&self.provider, &self.username, self.named)
    }
}

impl StatementBlock {
    /// Its hash, in internal order; `None` when the header is malformed.
    pub fn hash(&self) -> Option<[u8; 32]> {
        let header: [u8; 80] = hex::decode(&self.header).ok()?.try_into().ok()?;
        Some(block_hash(&header))
    }
}

impl PublishedProof {
    /// What the board's note on it says. `None` when a part is malformed.
    pub fn content_of_note(&self) -> Option<ProofNote> {
        let statement = self.statement.clone();
        let mut block = statement.block.hash()?;
        // As explorers show it.
        block.reverse();
        let transaction = hex::decode(&self.transaction).ok()?;
        let inputs = self.inputs.iter();
        let scripts = inputs.map(|input| hex::decode(&input.script_pubkey).ok());
        let scripts: Vec<Vec<u8>> = scripts.collect::<Option<_>>()?;
        let outputs = self.inputs.iter().zip(&scripts);
        let outputs = outputs_hash(outputs.map(|(input, script)| (input.value_sats, &**script)));
        Some(ProofNote {
            network: self.network.clone(),
            origin: statement.origin,
            line: statement.text,
            provider: statement.provider,
            subject: statement.subject,
            account: statement.account_id,
            name: self.profile.name(),
            block: NoteBlock {
                height: statement.block.height,
                hash: hex::encode(block),
            },
            transaction_sha256: hex::encode(Sha256::digest(transaction)),
            previous_outputs_sha256: hex::encode(outputs),
        })
    }
}
