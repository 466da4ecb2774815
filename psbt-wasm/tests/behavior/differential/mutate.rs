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
    match (random.below(8), file.get_mut(at)) {
        (0..=3, Some(byte)) => *byte ^= 1 << random.below(8),
        (4, Some(byte)) => *byte = random.byte(),
        (5, _) => file.truncate(at),
        (6, _) => file.insert(at.min(file.len()), random.byte()),
        (_, Some(_)) => drop(file.remove(at)),
        (_, None) => {}
    }
    file
}

/// Damages one field, or takes one from another file.
fn damage_fields(file: &[u8], other: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut maps = maps(file).filter(|maps| !maps.is_empty())?;
    let at = random.below(maps.len());
    let map = &mut maps[at];
    if map.is_empty() || random.below(5) == 0 {
        let donor: Vec<Field> = self::maps(other).into_iter().flatten().flatten().collect();
        let donated = donor.get(random.below(donor.len().max(1))).cloned();
        map.push(donated.unwrap_or_else(|| invented(random)));
        return Some(write(&maps));
    }
    let place = random.below(map.len());
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
        10 => map.extend([(); 20].map(|()| (vec![0x70, random.byte() & 31], Vec::new()))),
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
    // Prefixes of keys, leaf versions, depths.
    const FIRST: [u8; 8] = [2, 3, 4, 6, 7, 0xc0, 1, 0];
    let number = FIELDS[random.below(FIELDS.len())];
    let has_data = random.below(2) == 1;
    let mut content = || {
        let length = LENGTHS[random.below(LENGTHS.len())];
        let mut bytes: Vec<u8> = (0..length).map(|_| random.byte()).collect();
        if let Some(first) = bytes.first_mut() {
            *first = FIRST[usize::from(*first) % 8];
        }
        bytes
    };
    let data = if has_data { content() } else { Vec::new() };
    ([vec![number], data].concat(), content())
}
