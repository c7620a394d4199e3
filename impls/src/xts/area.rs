//! Runs of sectors.

use super::{Cipher, Direction, Xts, check_data_unit};
use crate::XtsError;

/// A sector's number as a tweak: little-endian, as IEEE 1619 section 5.1 has it, and Linux's `plain64`.
pub(crate) fn little_endian<C: Cipher>(sector: u128) -> C::Block {
    let mut tweak = C::Block::default();
    let bytes = sector.to_le_bytes();
    tweak.as_mut().copy_from_slice(&bytes[..C::BLOCK_BYTES]);
    tweak
}

/// The largest number that a tweak holds.
pub(crate) const fn largest_number<C: Cipher>() -> u128 {
    u128::MAX >> (128 - 8 * C::BLOCK_BYTES)
}

/// The sectors of `data`, each as a data unit of its own under the tweak that belongs to its number, which is at most `limit`.
pub(crate) fn each_sector<C: Cipher>(
    xts: &Xts<C>,
    direction: Direction,
    data: &mut [u8],
    sector_bytes: usize,
    first: u128,
    limit: u128,
    tweak: impl Fn(u128) -> C::Block,
) -> Result<(), XtsError> {
    check_data_unit::<C>(sector_bytes)?;
    if !data.len().is_multiple_of(sector_bytes) {
        return Err(XtsError::PartialSector { sector: sector_bytes, given: data.len() });
    }
    let sectors = data.len() / sector_bytes;
    let last = first.checked_add(sectors.saturating_sub(1) as u128);
    if sectors != 0 && last.is_none_or(|last| last > limit) {
        return Err(XtsError::SectorNumber { limit, first, sectors });
    }
    for (number, sector) in (first..=limit).zip(data.chunks_exact_mut(sector_bytes)) {
        xts.data_unit(direction, &tweak(number), sector.into())?;
    }
    Ok(())
}
