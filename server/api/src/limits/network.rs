//! The part of an address that counts as one sender.

use std::net::IpAddr;

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
