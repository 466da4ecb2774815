//! The blocks that statements commit to (proofs, section 1).

use sqlx::FromRow;

use super::Store;

/// The first block of a difficulty period.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct StatementBlock {
    pub height: i64,
    /// Hex, in the usual byte order.
    pub hash: String,
    /// 80 bytes, hex.
    pub header: String,
    /// Whether a reorganization has removed it from the chain.
    pub gone: bool,
}

impl Store {
    /// The stored blocks of a network from this height on.
    pub async fn statement_blocks(
        &self,
        network: &str,
        from: i64,
    ) -> sqlx::Result<Vec<StatementBlock>> {
        let sql = "select height, hash, header, gone from statement_blocks where network = $1 and height >= $2 order by height, hash";
        self.query(sql, &[&network, &from]).all().await
    }

    /// Stores the block that is in the chain now, and marks other blocks of its height as gone.
    pub async fn keep_statement_block(
        &self,
        network: &str,
        height: i64,
        hash: &str,
        header: &str,
    ) -> sqlx::Result<()> {
        self.write(|mut tx| async move {
            let sql = "insert into statement_blocks (network, height, hash, header, gone) values ($1, $2, $3, $4, false)
                on conflict (network, hash) do update set gone = false";
            tx.query(sql, &[&network, &height, &hash, &header])
            .run()
            .await?;
            let sql = "update statement_blocks set gone = true where network = $1 and height = $2 and hash <> $3";
            tx.query(sql, &[&network, &height, &hash])
            .run()
            .await?;
            tx.end(()).await
        })
        .await
    }
}
