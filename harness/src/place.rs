//! Buffers of the caller at every alignment.

/// Alignments are tried modulo this, which no vector unit exceeds.
pub(crate) const ALIGNMENTS: u64 = 64;

/// What lies around the bytes.
const AROUND: u8 = 0x5a;

/// Room for bytes that begin at a given alignment, and more room before and behind them.
pub(crate) struct Place {
    room: Vec<u8>,
    start: usize,
    length: usize,
}

impl Place {
    pub(crate) fn new(alignment: usize, bytes: &[u8]) -> Place {
        let room = vec![AROUND; bytes.len() + 3 * ALIGNMENTS as usize];
        let base = room.as_ptr().addr() % ALIGNMENTS as usize;
        let start = 2 * ALIGNMENTS as usize + alignment % ALIGNMENTS as usize - base;
        let mut place = Place { room, start, length: bytes.len() };
        place.bytes_mut().copy_from_slice(bytes);
        place
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.room[self.start..][..self.length]
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.room[self.start..][..self.length]
    }

    pub(crate) fn keep(&mut self) {}

    /// Every byte becomes another.
    pub(crate) fn overwrite(&mut self) {
        self.bytes_mut().iter_mut().for_each(|byte| *byte = !*byte);
    }

    /// Whether nothing was written around the bytes.
    pub(crate) fn is_intact(&self) -> bool {
        let (before, rest) = self.room.split_at(self.start);
        before.iter().chain(&rest[self.length..]).all(|byte| *byte == AROUND)
    }
}
