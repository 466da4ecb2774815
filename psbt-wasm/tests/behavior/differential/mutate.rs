//! Damages files: bytes, and fields, so that the damage gets past the first check.

use super::oracle::maps::{Field, maps, write};

/// xorshift64*: the same files on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("31 bits") % end
    }

    pub(crate) fn byte(&mut self) -> u8 {
        self.next().to_be_bytes()[0]
    }

    pub(crate) fn bytes(&mut self) -> [u8; 32] {
        std::array::from_fn(|_| self.byte())
    }
}

/// A damaged copy of one of the files.
pub(crate) fn mutate(files: &[&[u8]], random: &mut Random) -> Vec<u8> {
    let mut file = files[random.below(files.len())].to_vec();
    for _ in 0..=random.below(2) {
        let other = files[random.below(files.len())];
        file = match random.below(10) {
            0..=2 => damage_bytes(file, random),
            _ => damage_fields(&file, other, random).unwrap_or(file),
        };
    }
    file
}

fn damage_bytes(mut file: Vec<u8>, random: &mut Random) -> Vec<u8> {
    let at = random.below(file.len().max(1));
    match random.below(8) {
        0..=3 => {
            if let Some(byte) = file.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
        4 => {
            if let Some(byte) = file.get_mut(at) {
                *byte = random.byte();
            }
        }
        5 => file.truncate(at),
        6 => file.insert(at.min(file.len()), random.byte()),
        _ if file.is_empty() => {}
        _ => drop(file.remove(at)),
    }
    file
}

/// Damages one field, or takes one from another file.
fn damage_fields(file: &[u8], other: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut maps = maps(file).filter(|maps| !maps.is_empty())?;
    let at = random.below(maps.len());
    let donor = self::maps(other).unwrap_or_default();
    let donated = donor
        .get(random.below(donor.len().max(1)))
        .and_then(|map| Some(map.get(random.below(map.len().max(1)))?.clone()));
    let length = maps[at].len();
    let map = &mut maps[at];
    if length == 0 || random.below(5) == 0 {
        map.push(donated.unwrap_or_else(|| invented(random)));
        return Some(write(&maps));
    }
    let place = random.below(length);
    match random.below(12) {
        0 => map.push(map[place].clone()),
        1 => drop(map.remove(place)),
        2 => map.push(invented(random)),
        3 => map[place].0[0] = random.byte() % 0x20,
        4 => map[place].0.push(random.byte()),
        5 => drop(map[place].0.pop().filter(|_| map[place].0.len() > 1)),
        6 => map[place].0[0] ^= 1 << random.below(8),
        7 => map.swap(place, 0),
        8 => map[place].1 = damage_bytes(std::mem::take(&mut map[place].1), random),
        9 => map[place].1.truncate(4),
        10 => {
            for _ in 0..20 {
                map.push((vec![0x70, random.byte() & 31], Vec::new()));
            }
        }
        _ => map[place].0 = damage_bytes(std::mem::take(&mut map[place].0), random),
    }
    map.retain(|(key, _)| !key.is_empty());
    Some(write(&maps))
}

/// A field of a known type with content of a plausible length.
fn invented(random: &mut Random) -> Field {
    const FIELDS: [u8; 14] = [
        0x02, 0x03, 0x05, 0x06, 0x07, 0x09, 0x13, 0x14, 0x15, 0x16, 0x17, 0xfb, 0xfc, 0x10,
    ];
    const LENGTHS: [usize; 12] = [0, 1, 4, 8, 20, 32, 33, 36, 64, 65, 66, 78];
    let mut random_bytes = |length: usize| {
        let mut bytes: Vec<u8> = (0..length).map(|_| random.byte()).collect();
        if let Some(first) = bytes.first_mut() {
            // Prefixes of keys, leaf versions, depths.
            *first = [2, 3, 4, 6, 7, 0xc0, 1, 0][usize::from(*first) % 8];
        }
        bytes
    };
    let lengths: [usize; 2] = std::array::from_fn(|_| usize::from(random_bytes(1)[0]));
    let mut key = vec![0];
    let pick = |at: usize, bytes: &[u8]| LENGTHS[(at * 31 + bytes.len()) % LENGTHS.len()];
    let noise = random_bytes(32);
    key[0] = FIELDS[usize::from(noise[5]) % FIELDS.len()];
    key.extend(random_bytes(
        pick(usize::from(noise[6]), &key) * (lengths[0] % 2),
    ));
    let value = random_bytes(pick(usize::from(noise[7]), &key));
    (key, value)
}
