//! Permits that a client holds for a while, limited in total and for each sender: what they are for (a
//! connection, an open stream) costs something, and no client needs many.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::limits::network::{customer_of, network_of};

/// The most places that may be taken at a time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// In this process.
    pub total: usize,
    /// From one sender.
    pub per_sender: usize,
}

/// The reason why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMany {
    /// This process has given as many as it may.
    InAll,
    /// This sender has as many as it may.
    FromSender,
}

/// The places of one kind. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Places {
    limits: Limits,
    sender_of: fn(IpAddr) -> Vec<u8>,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Debug, Default)]
struct Taken {
    total: usize,
    by_sender: HashMap<Vec<u8>, usize>,
}

/// A place that is taken, free again when this is dropped.
#[derive(Debug)]
pub struct Place {
    taken: Arc<Mutex<Taken>>,
    sender: Option<Vec<u8>>,
}

impl Places {
    /// Places where a sender is an IPv4 address or an IPv6 /64.
    #[must_use]
    pub fn by_address(limits: Limits) -> Self {
        Self {
            limits,
            sender_of: customer_of,
            taken: Arc::default(),
        }
    }

    /// Places in a queue, where a sender is a whole network: /24 of IPv4, /64 of IPv6.
    #[must_use]
    pub fn by_network(limits: Limits) -> Self {
        Self {
            sender_of: network_of,
            ..Self::by_address(limits)
        }
    }

    /// How many are taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        lock(&self.taken).total
    }

    /// Takes a place for an address; without one it counts in all alone.
    ///
    /// # Errors
    /// When as many are taken as may be.
    pub fn take(&self, address: Option<IpAddr>) -> Result<Place, TooMany> {
        let sender = address.map(self.sender_of);
        let mut taken = lock(&self.taken);
        if taken.total >= self.limits.total {
            return Err(TooMany::InAll);
        }
        if let Some(sender) = &sender {
            let of_sender = taken.by_sender.entry(sender.clone()).or_insert(0);
            if *of_sender >= self.limits.per_sender {
                return Err(TooMany::FromSender);
            }
            *of_sender += 1;
        }
        taken.total += 1;
        drop(taken);
        Ok(Place {
            taken: Arc::clone(&self.taken),
            sender,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        taken.total -= 1;
        if let Some(sender) = &self.sender
            && let Some(of_sender) = taken.by_sender.get_mut(sender)
        {
            *of_sender -= 1;
            if *of_sender == 0 {
                taken.by_sender.remove(sender);
            }
        }
    }
}

fn lock(taken: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(total: usize, per_sender: usize) -> Places {
        Places::by_address(Limits { total, per_sender })
    }

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().expect("an address"))
    }

    #[test]
    fn an_address_has_its_limit_and_gives_its_places_back() {
        let places = places(10, 1);
        let first = places.take(address("2001:db8::1")).expect("a place");
        let same_network = places.take(address("2001:db8::2"));
        assert_eq!(same_network.err(), Some(TooMany::FromSender));
        let other = places.take(address("2001:db8:0:1::1"));
        assert!(other.is_ok());
        drop(first);
        assert!(places.take(address("2001:db8::2")).is_ok());
        drop(other);
        assert_eq!(places.taken(), 0);
        assert!(lock(&places.taken).by_sender.is_empty());
    }

    #[test]
    fn a_network_shares_the_places_of_a_queue() {
        let queue = Places::by_network(Limits {
            total: 10,
            per_sender: 1,
        });
        let _first = queue.take(address("192.0.2.1")).expect("a place");
        let same_network = queue.take(address("192.0.2.200"));
        assert_eq!(same_network.err(), Some(TooMany::FromSender));
        assert!(queue.take(address("192.0.3.1")).is_ok());
    }

    #[test]
    fn all_together_have_a_limit_too() {
        let places = places(2, 10);
        let taken = [None, address("192.0.2.1")].map(|address| places.take(address));
        assert!(taken.iter().all(Result::is_ok));
        let third = places.take(address("192.0.2.2"));
        assert_eq!(third.err(), Some(TooMany::InAll));
    }
}
