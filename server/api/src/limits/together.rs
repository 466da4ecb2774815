//! What several people want at the same moment is made once.

use std::hash::Hash;
use std::sync::Arc;

use moka::future::Cache;

/// What is kept under this key, or else what `make` makes of it. Who wants the same meanwhile waits for that, and shares what comes
/// of it, errors too; but not a refusal, which is for who was making it alone.
///
/// # Errors
/// Those of `make`.
pub async fn made_together<K, V, E, F>(
    kept: &Cache<K, V>,
    key: &K,
    is_refusal: impl Fn(&E) -> bool,
    make: impl Fn() -> F,
) -> Result<V, Arc<E>>
where
    K: Clone + Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    E: Send + Sync + 'static,
    F: Future<Output = Result<V, E>>,
{
    loop {
        let mut is_mine = false;
        let making = async {
            is_mine = true;
            make().await
        };
        match kept.try_get_with(key.clone(), making).await {
            Err(error) if !is_mine && is_refusal(&error) => {}
            made => return made,
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join3;
    use tokio::sync::Semaphore;

    use super::*;

    const REFUSAL: &str = "you are too many";
    const FAULT: &str = "it cannot be made";

    #[tokio::test]
    async fn what_is_wrong_with_it_is_told_to_all_and_a_refusal_to_one() {
        for (first, others) in [(FAULT, Err(FAULT)), (REFUSAL, Ok(7))] {
            let (kept, gate) = (Cache::new(10), Semaphore::new(0));
            let is_refusal = |error: &&str| *error == REFUSAL;
            let refused = made_together(&kept, &1, is_refusal, async || {
                let _ = gate.acquire().await;
                Err(first)
            });
            let second = made_together(&kept, &1, is_refusal, async || Ok(7));
            // When the two before it wait.
            let third = async {
                gate.add_permits(1);
                made_together(&kept, &1, is_refusal, async || Ok(7)).await
            };
            let (one, two, three) = join3(refused, second, third).await;
            assert_eq!(one.map_err(|error| *error), Err(first));
            assert_eq!(two.map_err(|error| *error), others);
            assert_eq!(three.map_err(|error| *error), others);
        }
    }
}
