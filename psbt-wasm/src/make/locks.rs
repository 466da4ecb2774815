//! The absolute locks that scripts demand (BIP-0065), as far as they can be read: a number, then `OP_CHECKLOCKTIMEVERIFY`.

use super::coins::Coin;
use crate::read::LOCK_TIME_THRESHOLD;
use crate::read::fields::input;
use crate::script::{Instruction, instructions, number};

const CHECKLOCKTIMEVERIFY: Instruction<'_> = Instruction::Op(0xb1);

/// The largest lock of each kind that the scripts of a coin demand; 0 is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Locks {
    pub(super) height: u32,
    pub(super) time: u32,
}

impl Locks {
    /// Those of any branch of any script that the file shows.
    pub(super) fn new(coin: &Coin<'_>) -> Self {
        let mut locks = Self::default();
        locks.add(coin.spent.script);
        coin.each_kept(&mut |field, _, value| match (field.number, value) {
            (input::REDEEM_SCRIPT | input::WITNESS_SCRIPT, script) => locks.add(script),
            // A leaf, and its version.
            (input::TAP_LEAF_SCRIPT, [leaf @ .., _]) => locks.add(leaf),
            _ => {}
        });
        locks
    }

    fn add(&mut self, script: &[u8]) {
        let mut before = None;
        for instruction in instructions(script).flatten() {
            if instruction == CHECKLOCKTIMEVERIFY {
                let lock = before.and_then(number).unwrap_or_default();
                let kind = if is_time(lock) {
                    &mut self.time
                } else {
                    &mut self.height
                };
                *kind = lock.max(*kind);
            }
            before = Some(instruction);
        }
    }

    /// A lock that this lock time does not satisfy; 0 is none.
    pub(super) fn unmet(self, lock_time: u32) -> u32 {
        let (height, time) = if is_time(lock_time) {
            (self.height, self.time.max(lock_time) - lock_time)
        } else {
            (self.height.max(lock_time) - lock_time, self.time)
        };
        match (height, time) {
            (0, 0) => 0,
            (0, _) => self.time,
            _ => self.height,
        }
    }
}

/// BIP-0065: a lock of one kind is never satisfied by a lock time of the other.
pub(super) fn is_time(lock: u32) -> bool {
    lock >= LOCK_TIME_THRESHOLD
}

#[cfg(test)]
mod tests {
    use bitcoin::opcodes::all::{OP_CLTV, OP_DROP, OP_ELSE, OP_ENDIF, OP_IF};
    use bitcoin::script::Builder;

    use super::*;

    fn locks_in(script: &bitcoin::ScriptBuf) -> Locks {
        let mut locks = Locks::default();
        locks.add(script.as_bytes());
        locks
    }

    #[test]
    fn the_largest_of_each_kind_is_found_in_any_branch() {
        let builder = Builder::new().push_opcode(OP_IF);
        let builder = [1, 16, 17, 127, 128, 840_000]
            .into_iter()
            .fold(builder, |builder, lock| {
                builder
                    .push_int(lock)
                    .push_opcode(OP_CLTV)
                    .push_opcode(OP_DROP)
            });
        let builder = builder.push_opcode(OP_ELSE).push_int(1_800_000_000);
        let builder = builder.push_opcode(OP_CLTV).push_opcode(OP_ENDIF);
        let locks = Locks {
            height: 840_000,
            time: 1_800_000_000,
        };
        assert_eq!(locks_in(&builder.into_script()), locks);
        for lock in [1, 16, 17, 255, 256, 499_999_999_u32] {
            let script = Builder::new().push_int(lock.into()).push_opcode(OP_CLTV);
            assert_eq!(locks_in(&script.into_script()).height, lock);
        }
        for lock in [500_000_000, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
            let script = Builder::new().push_int(lock.into()).push_opcode(OP_CLTV);
            assert_eq!(locks_in(&script.into_script()).time, lock);
        }
    }

    #[test]
    fn what_is_no_lock_is_none() {
        let negative = Builder::new().push_int(-5).push_opcode(OP_CLTV);
        let too_large = Builder::new().push_int(1 << 32).push_opcode(OP_CLTV);
        let alone = Builder::new().push_opcode(OP_CLTV);
        let elsewhere = Builder::new()
            .push_int(9)
            .push_opcode(OP_DROP)
            .push_opcode(OP_CLTV);
        // The opcode within a push.
        let data = Builder::new().push_slice([1, 9, 0xb1]);
        for script in [negative, too_large, alone, elsewhere, data] {
            assert_eq!(locks_in(&script.into_script()), Locks::default());
        }
    }

    #[test]
    fn a_lock_time_satisfies_smaller_locks_of_its_kind() {
        let height = Locks {
            height: 800,
            time: 0,
        };
        let time = Locks {
            height: 0,
            time: 1_800_000_000,
        };
        let both = Locks {
            time: time.time,
            ..height
        };
        assert_eq!(
            [0, 799, 800, 900].map(|lock| height.unmet(lock)),
            [800, 800, 0, 0]
        );
        assert_eq!(height.unmet(1_900_000_000), 800);
        assert_eq!(
            [0, 452_038_930].map(|lock| time.unmet(lock)),
            [time.time; 2]
        );
        assert_eq!(
            [1_700_000_000, time.time].map(|lock| time.unmet(lock)),
            [time.time, 0]
        );
        assert_eq!(
            [900, time.time].map(|lock| both.unmet(lock)),
            [time.time, 800]
        );
        assert_eq!(Locks::default().unmet(0), 0);
    }
}
