//! Bytes that the S-box of AES makes of others: leaves, since as polynomials they would multiply with every round.

use std::sync::OnceLock;

use vambrace_reference::aes::{byte_of, inv_sub_bytes, sub_bytes, to_planes};

use super::{Leaf, LeafKind, Term, Terms};

/// The S-box of FIPS 197, or its inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SBox {
    /// SubBytes.
    Forward,
    /// InvSubBytes.
    Inverse,
}

impl SBox {
    /// Both.
    pub(crate) const BOTH: [SBox; 2] = [SBox::Forward, SBox::Inverse];

    /// What it makes of each byte: the text of the specification, on numbers.
    pub(crate) fn table(self) -> &'static [u8; 256] {
        static TABLES: OnceLock<[[u8; 256]; 2]> = OnceLock::new();
        &TABLES.get_or_init(|| {
            SBox::BOTH.map(|s_box| {
                let mut table = [0; 256];
                for (first, bytes) in (0..256).step_by(64).zip(table.chunks_mut(64)) {
                    let planes = to_planes::<u64>(first..first + 64);
                    let new = match s_box {
                        SBox::Forward => sub_bytes(&planes),
                        SBox::Inverse => inv_sub_bytes(&planes),
                    };
                    (0..).zip(bytes).for_each(|(at, byte)| *byte = byte_of(&new, at) as u8);
                }
                table
            })
        })[self as usize]
    }

    /// The value of a byte.
    pub(super) fn of(self, byte: u128) -> u128 {
        self.table()[byte as usize & 0xff].into()
    }

    fn inverse(self) -> SBox {
        match self {
            SBox::Forward => SBox::Inverse,
            SBox::Inverse => SBox::Forward,
        }
    }
}

impl Terms {
    /// What the S-box or its inverse makes of a byte.
    pub fn substituted(&mut self, s_box: SBox, byte: Term) -> Term {
        let byte = self.resolved(byte);
        if let Some(value) = self.value(byte) {
            return self.constant(s_box.of(value));
        }
        if let Some(LeafKind::Substituted(other, before)) = self.as_leaf(byte).map(|leaf| self.kind(leaf).clone())
            && other == s_box.inverse()
        {
            return before;
        }
        let leaf = match self.substituted.get(&(s_box, byte)) {
            Some(&leaf) => leaf,
            None => self.new_substituted(s_box, byte),
        };
        self.window(leaf)
    }

    fn new_substituted(&mut self, s_box: SBox, byte: Term) -> Leaf {
        let (secret, sample) = (self.is_secret(byte), s_box.of(self.sample(byte)));
        let leaf = self.leaf(LeafKind::Substituted(s_box, byte), 8, secret, sample);
        self.substituted.insert((s_box, byte), leaf);
        self.expect_planes_of(byte);
        leaf
    }
}
