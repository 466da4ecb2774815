//! Computes a cached value once for requests that want it at the same time.

use std::hash::Hash;

use moka::future::Cache;

/// The cached value of this key, or what `compute` makes of it. Other requests for the key wait for that and share the value. An
/// error goes only to the request that caused it, and is not cached: the next one computes for itself.
///
/// # Errors
/// Those of `compute`.
pub async fn get_or_compute<K, V, E, F>(
    cache: &Cache<K, V>,
    key: &K,
    compute: impl Fn() -> F,
) -> Result<V, E>
where
    K: Clone + Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    F: Future<Output = Result<V, E>>,
{
    loop {
        let mut mine = None;
        let computing = async { compute().await.map_err(|error| mine = Some(error)) };
        match (cache.try_get_with_by_ref(key, computing).await, mine) {
            (Ok(value), _) => return Ok(value),
            (Err(_), Some(error)) => return Err(error),
            // Another request's error.
            (Err(_), None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join3;
    use tokio::sync::Semaphore;

    use super::*;

    #[tokio::test]
    async fn an_error_goes_to_the_request_that_caused_it_and_a_value_to_all() {
        for first in [Err("broken"), Ok(1)] {
            let (cache, gate) = (Cache::new(10), Semaphore::new(0));
            let one = get_or_compute(&cache, &"key", async || {
                let _ = gate.acquire().await;
                first
            });
            let two = get_or_compute(&cache, &"key", async || Ok::<_, &str>(2));
            // The third call starts while the first two wait.
            let three = async {
                gate.add_permits(1);
                get_or_compute(&cache, &"key", async || Ok::<_, &str>(2)).await
            };
            let later = Ok(first.unwrap_or(2));
            assert_eq!(join3(one, two, three).await, (first, later, later));
        }
    }
}
