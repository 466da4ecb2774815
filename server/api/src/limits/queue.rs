//! Queues for what costs something while a client has it: a connection, an open stream, a download, a read of the database, a processor.
//!
//! A number of requests have their turn at a time, in the order in which they came. The queue's length is limited, also for each sender, so that no
//! sender fills it. None waits for longer than the queue's longest wait.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::timeout;

/// How much a queue takes.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// How many have their turn at a time: in total, and of one sender.
    pub turns: usize,
    pub turns_per_sender: usize,
    /// How many are in the queue, those who have their turn included: in total, and of one sender.
    pub places: usize,
    pub places_per_sender: usize,
    /// The longest wait for a turn.
    pub max_wait: Duration,
}

impl Size {
    /// The size of a queue in which nobody waits: the turns at a time in total, and of one sender.
    pub const fn without_waiting(total: usize, per_sender: usize) -> Self {
        Self::waiting(total, total, per_sender, Duration::ZERO)
    }

    /// Of a queue for `turns` at a time, in which `places` wait, of one sender at most `per_sender`.
    pub const fn waiting(
        turns: usize,
        places: usize,
        per_sender: usize,
        max_wait: Duration,
    ) -> Self {
        Self {
            turns,
            turns_per_sender: turns,
            places,
            places_per_sender: per_sender,
            max_wait,
        }
    }
}

/// Why there is no turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Full {
    /// The queue is full, or the wait was too long.
    #[error("the queue is full")]
    InTotal,
    /// This sender has its share of the queue.
    #[error("the sender has its share of the queue")]
    BySender,
}

/// Who is counted together: a customer, a network or an account.
pub type Sender = Vec<u8>;

/// A queue. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Queue {
    size: Size,
    turns: Arc<Semaphore>,
    taken: Arc<Mutex<Taken>>,
}

/// The places that are taken.
#[derive(Debug, Default)]
struct Taken {
    total: usize,
    /// Those of each sender, and its turns.
    by_sender: HashMap<Sender, (usize, Arc<Semaphore>)>,
}

/// A turn, which ends when it is dropped.
#[derive(Debug)]
#[must_use]
pub struct Turn {
    // In this order: a place is free only after its turn.
    _turn: Option<OwnedSemaphorePermit>,
    _own_turn: Option<OwnedSemaphorePermit>,
    _place: Place,
}

#[derive(Debug)]
struct Place {
    taken: Arc<Mutex<Taken>>,
    sender: Option<Sender>,
}

impl Queue {
    pub fn new(size: Size) -> Self {
        Self {
            size,
            turns: Arc::new(Semaphore::new(size.turns)),
            taken: Arc::default(),
        }
    }

    /// How many are in the queue.
    pub fn len(&self) -> usize {
        self.taken.lock().total
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Waits for a turn. Without a sender it counts only in total.
    ///
    /// # Errors
    /// When the queue is full, in total or for this sender, or the wait is too long.
    pub async fn turn(&self, sender: Option<Sender>) -> Result<Turn, Full> {
        let (place, own) = self.place(sender)?;
        // None of these semaphores is ever closed.
        let turns = async {
            let own = match own {
                Some(own) => own.acquire_owned().await.ok(),
                None => None,
            };
            (own, Arc::clone(&self.turns).acquire_owned().await.ok())
        };
        let turns = timeout(self.size.max_wait, turns).await;
        let (own, turn) = turns.map_err(|_| Full::InTotal)?;
        Ok(Turn {
            _turn: turn,
            _own_turn: own,
            _place: place,
        })
    }

    /// A turn at once, in a queue in which nobody waits.
    ///
    /// # Errors
    /// When all turns are taken, or this sender has its share.
    pub fn turn_at_once(&self, sender: Option<Sender>) -> Result<Turn, Full> {
        let (place, _) = self.place(sender)?;
        Ok(Turn {
            _turn: None,
            _own_turn: None,
            _place: place,
        })
    }

    /// A place, and the turns of its sender where they are fewer than all.
    fn place(&self, sender: Option<Sender>) -> Result<(Place, Option<Arc<Semaphore>>), Full> {
        let size = self.size;
        let mut taken = self.taken.lock();
        if taken.total >= size.places {
            return Err(Full::InTotal);
        }
        let mut own = None;
        if let Some(sender) = &sender {
            let new = || (0, Arc::new(Semaphore::new(size.turns_per_sender)));
            let (places, turns) = taken.by_sender.entry(sender.clone()).or_insert_with(new);
            if *places >= size.places_per_sender {
                return Err(Full::BySender);
            }
            *places += 1;
            own = (size.turns_per_sender < size.turns).then(|| Arc::clone(turns));
        }
        taken.total += 1;
        drop(taken);
        let taken = Arc::clone(&self.taken);
        Ok((Place { taken, sender }, own))
    }
}

impl Turn {
    /// Runs heavy work on a thread of its own. The turn lasts until the work ends: it goes on when the client that asked for it is gone.
    ///
    /// # Errors
    /// When the work panics.
    pub async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, JoinError> {
        spawn_blocking(move || {
            let _turn = self;
            work()
        })
        .await
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.taken.lock();
        taken.total -= 1;
        if let Some(sender) = &self.sender
            && let Some((places, _)) = taken.by_sender.get_mut(sender)
        {
            *places -= 1;
            if *places == 0 {
                taken.by_sender.remove(sender);
            }
        }
    }
}

/// An IPv4 address itself, or the /64 of an IPv6 address, which one customer has whole (RFC 6177).
pub fn customer_of(address: IpAddr) -> Sender {
    match address {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets()[..8].to_vec(),
    }
}

/// The /24 of an IPv4 address, or the /64 of an IPv6 address: one sender may have several addresses of a network.
pub fn network_of(address: IpAddr) -> Sender {
    match address {
        IpAddr::V4(address) => address.octets()[..3].to_vec(),
        IpAddr::V6(_) => customer_of(address),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::poll;

    use super::*;

    const LONG: Duration = Duration::from_secs(60 * 60);

    fn sender(text: &str) -> Option<Sender> {
        Some(network_of(text.parse().expect("an address")))
    }

    #[test]
    fn a_sender_has_its_share_and_gives_its_places_back() {
        let queue = Queue::new(Size::without_waiting(10, 1));
        let first = queue.turn_at_once(sender("192.0.2.1")).expect("a turn");
        let neighbor = queue.turn_at_once(sender("192.0.2.200"));
        assert_eq!(neighbor.err(), Some(Full::BySender));
        let other = queue.turn_at_once(sender("192.0.3.1"));
        assert!(other.is_ok());
        drop(first);
        assert!(queue.turn_at_once(sender("192.0.2.200")).is_ok());
        drop(other);
        assert!(queue.is_empty());
        assert!(queue.taken.lock().by_sender.is_empty());
    }

    #[test]
    fn all_together_have_a_limit_too() {
        let queue = Queue::new(Size::without_waiting(2, 10));
        let turns = [None, sender("192.0.2.1")].map(|sender| queue.turn_at_once(sender));
        assert!(turns.iter().all(Result::is_ok));
        let third = queue.turn_at_once(sender("192.0.2.2"));
        assert_eq!(third.err(), Some(Full::InTotal));
    }

    #[tokio::test]
    async fn turns_come_in_the_order_of_the_queue_and_a_sender_waits_for_its_own() {
        let queue = Queue::new(Size {
            turns_per_sender: 1,
            ..Size::waiting(2, 10, 3, LONG)
        });
        let (one, other) = (sender("192.0.2.1"), sender("198.51.100.1"));
        let first = queue.turn(one.clone()).await.expect("a turn");
        let mut second = Box::pin(queue.turn(one.clone()));
        assert!(poll!(&mut second).is_pending(), "it waits for its own turn");
        let others = queue.turn(other.clone()).await.expect("a turn");
        let mut third = Box::pin(queue.turn(sender("203.0.113.1")));
        assert!(poll!(&mut third).is_pending(), "both turns are taken");
        drop(others);
        let third = third.await.expect("a turn");
        drop(first);
        let second = second.await.expect("a turn");
        assert_eq!(queue.len(), 2);
        drop((second, third));
        assert!(queue.is_empty());
    }

    #[tokio::test]
    async fn a_wait_that_is_too_long_ends() {
        let queue = Queue::new(Size::waiting(1, 2, 2, Duration::from_millis(1)));
        let _first = queue.turn(None).await.expect("a turn");
        assert_eq!(queue.turn(None).await.err(), Some(Full::InTotal));
        assert_eq!(queue.len(), 1, "its place is free again");
    }

    #[tokio::test]
    async fn work_whose_client_is_gone_keeps_its_turn() {
        let queue = Queue::new(Size::waiting(1, 2, 2, LONG));
        let turn = queue.turn(None).await.expect("a turn");
        let (end, ended) = mpsc::channel::<()>();
        let mut working = Box::pin(turn.run(move || ended.recv().is_err()));
        assert!(poll!(&mut working).is_pending());
        drop(working);
        let mut next = Box::pin(queue.turn(None));
        assert!(poll!(&mut next).is_pending());
        drop(end);
        assert!(next.await.is_ok());
    }

    #[test]
    fn a_customer_has_an_address_or_a_whole_network() {
        let customer = |text: &str| customer_of(text.parse().unwrap());
        assert_eq!(
            customer("2001:db8:1:2::1"),
            customer("2001:db8:1:2:ffff::1")
        );
        assert_ne!(customer("2001:db8:1:2::1"), customer("2001:db8:1:3::1"));
        assert_ne!(customer("192.0.2.1"), customer("192.0.2.2"));
    }

    #[test]
    fn a_network_has_256_addresses() {
        let network = |text: &str| network_of(text.parse().unwrap());
        assert_eq!(network("192.0.2.1"), network("192.0.2.254"));
        assert_ne!(network("192.0.2.1"), network("192.0.3.1"));
        assert_eq!(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::1"));
        assert_ne!(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
    }
}
