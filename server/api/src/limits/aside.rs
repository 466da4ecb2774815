//! Work that keeps a processor busy, on threads that give way to those that answer.

use std::sync::LazyLock;

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinHandle;

/// How much such a thread gives way: with a processor to share, it has a tenth of what the others have, and whoever has a request to
/// answer has the processor at once (sched(7), "The nice value"). It still gets on beside others who never rest.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// Nothing drives this runtime: it lends its threads, and no task or timer may begin there.
static THREADS: LazyLock<Runtime> = LazyLock::new(|| {
    let mut threads = Builder::new_current_thread();
    threads.thread_name("aside").on_thread_start(give_way);
    threads
        .build()
        .expect("a runtime without input, output and time needs nothing that could be missing")
});

/// Lets the thread that calls it give way to others from now on. On Linux this is of the thread; elsewhere it would be of the process.
fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::debug!(%error, "a thread keeps its priority");
    }
}

/// Runs heavy work on a thread of its own. It goes on when nobody waits for it any more; a panic in it is an error of the handle.
pub fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    THREADS.spawn_blocking(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn who_works_aside_gives_way_and_who_answers_does_not() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let own = niceness();
        assert_eq!(aside(niceness).await.unwrap(), (own + NICE).min(19));
        assert_eq!(niceness(), own);
        assert_eq!(tokio::task::spawn_blocking(niceness).await.unwrap(), own);
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_the_next_work_is_done() {
        assert!(aside(|| panic!("a broken file")).await.is_err());
        assert_eq!(aside(|| 7).await.unwrap(), 7);
    }
}
