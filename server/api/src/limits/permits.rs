//! Permits for what costs something while a client has it (a connection, an open stream, a request that waits): so many in total, and so
//! many for one sender.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

/// The most permits at a time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// In this process.
    pub total: usize,
    pub per_sender: usize,
}

/// Why there is no permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMany {
    /// This process has given as many as it may.
    InTotal,
    /// This sender has as many as it may.
    BySender,
}

/// The permits of one kind. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Permits {
    limits: Limits,
    sender_of: fn(IpAddr) -> Vec<u8>,
    held: Arc<Mutex<Held>>,
}

#[derive(Debug, Default)]
struct Held {
    total: usize,
    by_sender: HashMap<Vec<u8>, usize>,
}

/// A permit, which is given back when it is dropped.
#[derive(Debug)]
pub struct Permit {
    held: Arc<Mutex<Held>>,
    sender: Option<Vec<u8>>,
}

impl Permits {
    /// A sender is what `sender_of` makes of an address: [`customer_of`], or [`network_of`] for queues, which are first come, first served.
    pub fn new(limits: Limits, sender_of: fn(IpAddr) -> Vec<u8>) -> Self {
        Self {
            limits,
            sender_of,
            held: Arc::default(),
        }
    }

    /// How many permits are held.
    pub fn held(&self) -> usize {
        self.held.lock().total
    }

    /// Gives a permit to an address; without one it counts only in total.
    ///
    /// # Errors
    /// When as many are held as may be.
    pub fn acquire(&self, address: Option<IpAddr>) -> Result<Permit, TooMany> {
        let sender = address.map(self.sender_of);
        let mut held = self.held.lock();
        if held.total >= self.limits.total {
            return Err(TooMany::InTotal);
        }
        if let Some(sender) = &sender {
            let by_sender = held.by_sender.entry(sender.clone()).or_default();
            if *by_sender >= self.limits.per_sender {
                return Err(TooMany::BySender);
            }
            *by_sender += 1;
        }
        held.total += 1;
        drop(held);
        let held = Arc::clone(&self.held);
        Ok(Permit { held, sender })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut held = self.held.lock();
        held.total -= 1;
        if let Some(sender) = &self.sender
            && let Some(by_sender) = held.by_sender.get_mut(sender)
        {
            *by_sender -= 1;
            if *by_sender == 0 {
                held.by_sender.remove(sender);
            }
        }
    }
}

/// An IPv4 address itself, or the /64 of an IPv6 address, which one customer has whole (RFC 6177).
pub fn customer_of(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets()[..8].to_vec(),
    }
}

/// The /24 of an IPv4 address, or the /64 of an IPv6 address: one sender may have several addresses of a network.
pub fn network_of(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(address) => address.octets()[..3].to_vec(),
        IpAddr::V6(_) => customer_of(address),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(total: usize, per_sender: usize) -> Permits {
        Permits::new(Limits { total, per_sender }, customer_of)
    }

    fn address(text: &str) -> Option<IpAddr> {
        Some(text.parse().expect("an address"))
    }

    #[test]
    fn an_address_has_its_limit_and_gives_its_permits_back() {
        let permits = permits(10, 1);
        let first = permits.acquire(address("2001:db8::1")).expect("a permit");
        let neighbor = permits.acquire(address("2001:db8::2"));
        assert_eq!(neighbor.err(), Some(TooMany::BySender));
        let other = permits.acquire(address("2001:db8:0:1::1"));
        assert!(other.is_ok());
        drop(first);
        assert!(permits.acquire(address("2001:db8::2")).is_ok());
        drop(other);
        assert_eq!(permits.held(), 0);
        assert!(permits.held.lock().by_sender.is_empty());
    }

    #[test]
    fn a_network_shares_the_permits_of_a_queue() {
        let limits = Limits {
            total: 10,
            per_sender: 1,
        };
        let queue = Permits::new(limits, network_of);
        let _first = queue.acquire(address("192.0.2.1")).expect("a permit");
        let neighbor = queue.acquire(address("192.0.2.200"));
        assert_eq!(neighbor.err(), Some(TooMany::BySender));
        assert!(queue.acquire(address("192.0.3.1")).is_ok());
    }

    #[test]
    fn pictures_have_a_total_limit() {
        let permits = permits(2, 10);
        let held = [None, address("192.0.2.1")].map(|address| permits.acquire(address));
        assert!(held.iter().all(Result::is_ok));
        let third = permits.acquire(address("192.0.2.2"));
        assert_eq!(third.err(), Some(TooMany::InTotal));
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
