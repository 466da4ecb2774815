//! Places that somebody takes for a while, of which there are so many in all and for one address: what they stand for (a
//! connection, an open stream) costs something, and nobody needs many.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::limits::network::network_of;

/// The most places that may be taken at a time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// In this process.
    pub total: usize,
    /// From one address; in IPv6 from one /64, which is one customer's.
    pub per_address: usize,
}

/// The reason why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMany {
    /// This process has given as many as it may.
    InAll,
    /// This address has as many as it may.
    FromAddress,
}

/// The places of one kind. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Places {
    limits: Limits,
    taken: Arc<Mutex<Taken>>,
}

#[derive(Debug, Default)]
struct Taken {
    total: usize,
    by_network: HashMap<Vec<u8>, usize>,
}

/// A place that is taken, free again when this is dropped.
#[derive(Debug)]
pub struct Place {
    taken: Arc<Mutex<Taken>>,
    network: Option<Vec<u8>>,
}

impl Places {
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            taken: Arc::default(),
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
        let network = address.map(network_of);
        let mut taken = lock(&self.taken);
        if taken.total >= self.limits.total {
            return Err(TooMany::InAll);
        }
        if let Some(network) = &network {
            let of_network = taken.by_network.entry(network.clone()).or_insert(0);
            if *of_network >= self.limits.per_address {
                return Err(TooMany::FromAddress);
            }
            *of_network += 1;
        }
        taken.total += 1;
        drop(taken);
        Ok(Place {
            taken: Arc::clone(&self.taken),
            network,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = lock(&self.taken);
        taken.total -= 1;
        if let Some(network) = &self.network
            && let Some(of_network) = taken.by_network.get_mut(network)
        {
            *of_network -= 1;
            if *of_network == 0 {
                taken.by_network.remove(network);
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

    fn places(total: usize, per_address: usize) -> Places {
        Places::new(Limits { total, per_address })
    }

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().expect("an address"))
    }

    #[test]
    fn an_address_has_its_limit_and_gives_its_places_back() {
        let places = places(10, 1);
        let first = places.take(address("2001:db8::1")).expect("a place");
        let neighbour = places.take(address("2001:db8::2"));
        assert_eq!(neighbour.err(), Some(TooMany::FromAddress));
        let other = places.take(address("2001:db8:0:1::1"));
        assert!(other.is_ok());
        drop(first);
        assert!(places.take(address("2001:db8::2")).is_ok());
        drop(other);
        assert_eq!(places.taken(), 0);
        assert!(lock(&places.taken).by_network.is_empty());
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
