//! Places for open streams, of which there are so many: each is a socket, and nobody needs many.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use crate::base::network::network_of;

/// The most streams that may be open.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// In this process.
    pub total: usize,
    /// From one address; in IPv6 from one /64, which is one customer's.
    pub per_address: usize,
}

/// The reason why another stream is not opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMany {
    /// This process has as many as it may.
    InAll,
    /// This address has as many as it may.
    FromAddress,
}

/// The places that are taken.
#[derive(Debug)]
pub(super) struct Readers {
    limits: Limits,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    total: usize,
    by_network: HashMap<Vec<u8>, usize>,
}

/// One stream's place, free again when it is dropped.
#[derive(Debug)]
pub(super) struct Seat {
    readers: Arc<Readers>,
    network: Option<Vec<u8>>,
}

impl Readers {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            taken: Mutex::default(),
        }
    }

    pub(super) fn open(&self) -> usize {
        self.taken().total
    }

    pub(super) fn sit_down(readers: &Arc<Self>, address: Option<IpAddr>) -> Result<Seat, TooMany> {
        let network = address.map(network_of);
        let mut taken = readers.taken();
        if taken.total >= readers.limits.total {
            return Err(TooMany::InAll);
        }
        if let Some(network) = &network {
            let seats = taken.by_network.entry(network.clone()).or_insert(0);
            if *seats >= readers.limits.per_address {
                return Err(TooMany::FromAddress);
            }
            *seats += 1;
        }
        taken.total += 1;
        drop(taken);
        Ok(Seat {
            readers: Arc::clone(readers),
            network,
        })
    }

    fn taken(&self) -> std::sync::MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let mut taken = self.readers.taken();
        taken.total -= 1;
        if let Some(network) = &self.network
            && let Some(seats) = taken.by_network.get_mut(network)
        {
            *seats -= 1;
            if *seats == 0 {
                taken.by_network.remove(network);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readers(total: usize, per_address: usize) -> Arc<Readers> {
        Arc::new(Readers::new(Limits { total, per_address }))
    }

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().expect("an address"))
    }

    #[test]
    fn an_address_has_its_limit_and_gives_its_seats_back() {
        let readers = readers(10, 1);
        let first = Readers::sit_down(&readers, address("2001:db8::1")).expect("a seat");
        let neighbour = Readers::sit_down(&readers, address("2001:db8::2"));
        assert_eq!(neighbour.err(), Some(TooMany::FromAddress));
        let other = Readers::sit_down(&readers, address("2001:db8:0:1::1"));
        assert!(other.is_ok());
        drop(first);
        assert!(Readers::sit_down(&readers, address("2001:db8::2")).is_ok());
        drop(other);
        assert_eq!(readers.open(), 0);
        assert!(readers.taken().by_network.is_empty());
    }

    #[test]
    fn all_together_have_a_limit_too() {
        let readers = readers(2, 10);
        let seats =
            [None, address("192.0.2.1")].map(|address| Readers::sit_down(&readers, address));
        assert!(seats.iter().all(Result::is_ok));
        let third = Readers::sit_down(&readers, address("192.0.2.2"));
        assert_eq!(third.err(), Some(TooMany::InAll));
    }
}
