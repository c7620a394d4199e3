//! What the AES instructions of both instruction sets compute (the pseudocode of the manuals), on the S-box as it is.

use crate::terms::{SBox, Term, Terms};

/// A register of 16 bytes.
const WIDTH: u32 = 128;

/// The operations of the instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AesOperation {
    /// AESE: AddRoundKey, SubBytes and ShiftRows.
    Encrypt,
    /// AESD: AddRoundKey, InvSubBytes and InvShiftRows.
    Decrypt,
    /// AESMC: MixColumns.
    Mix,
    /// AESIMC: InvMixColumns.
    InverseMix,
}

impl AesOperation {
    /// The operation that a field of two bits tells.
    pub(crate) fn of(field: u32) -> AesOperation {
        match field {
            0 => AesOperation::Encrypt,
            1 => AesOperation::Decrypt,
            2 => AesOperation::Mix,
            _ => AesOperation::InverseMix,
        }
    }

    /// The result, where the destination held `was`.
    pub(crate) fn apply(self, t: &mut Terms, was: Term, operand: Term) -> Term {
        match self {
            AesOperation::Encrypt => {
                let state = t.xor(was, operand);
                // Row r comes from r columns further on.
                substituted(t, state, SBox::Forward, 1)
            }
            AesOperation::Decrypt => {
                let state = t.xor(was, operand);
                substituted(t, state, SBox::Inverse, 3)
            }
            AesOperation::Mix => mix_columns(t, operand),
            AesOperation::InverseMix => inv_mix_columns(t, operand),
        }
    }
}

/// The S-box of every byte, of which byte r of column c comes from column c + `columns` r.
fn substituted(t: &mut Terms, state: Term, s_box: SBox, columns: usize) -> Term {
    let bytes = t.lanes(state, 8, WIDTH);
    let new: Vec<Term> = (0..16)
        .map(|at| {
            let (row, column) = (at % 4, at / 4);
            t.substituted(s_box, bytes[row + 4 * ((column + columns * row) % 4)])
        })
        .collect();
    t.vector(&new, 8)
}

/// The same byte in every byte.
fn every_byte(byte: u8) -> u128 {
    u128::from(byte) * 0x0101_0101_0101_0101_0101_0101_0101_0101
}

/// {02} • every byte.
fn double(t: &mut Terms, state: Term) -> Term {
    let low = t.mask(state, every_byte(0x7f));
    let high = t.shr(state, 7);
    let high = t.mask(high, every_byte(1));
    // m(x) = x^8 + x^4 + x^3 + x + 1.
    let powers = [1, 3, 4].map(|power| t.shl(high, power, WIDTH));
    let shifted = t.shl(low, 1, WIDTH);
    powers.into_iter().chain([high]).fold(shifted, |sum, power| t.xor(sum, power))
}

/// Byte r + n mod 4 of each column in the place of byte r, 0 < n < 4.
fn rows_on(t: &mut Terms, state: Term, n: u32) -> Term {
    let columns: Vec<Term> = t.lanes(state, 32, WIDTH).into_iter().map(|column| t.rotr(column, 8 * n, 32)).collect();
    t.vector(&columns, 32)
}

fn mix_columns(t: &mut Terms, s: Term) -> Term {
    let [s1, s2, s3] = [1, 2, 3].map(|n| rows_on(t, s, n));
    // {02} s + {03} s1 + s2 + s3.
    let both = t.xor(s, s1);
    let doubled = double(t, both);
    [s1, s2, s3].into_iter().fold(doubled, |sum, row| t.xor(sum, row))
}

fn inv_mix_columns(t: &mut Terms, s: Term) -> Term {
    let mut sum = Terms::ZERO;
    // Of {0e}, {0b}, {0d}, {09} for the rows from this one on, by powers of {02}.
    for (n, factor) in [(0, 0x0e), (1, 0x0b), (2, 0x0d), (3, 0x09)] {
        let mut row = if n == 0 { s } else { rows_on(t, s, n) };
        for power in 0..4 {
            if factor >> power & 1 == 1 {
                sum = t.xor(sum, row);
            }
            row = double(t, row);
        }
    }
    sum
}
