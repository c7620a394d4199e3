//! Bit-sliced S-boxes.
//!
//! Bit-sliced code keeps bit i of many bytes in a word, the i-th *plane*, and substitutes them all at once by a circuit. As
//! polynomials its values would be hopeless: products of up to seven bits, each of which is a sum of many since the round before.
//!
//! So where an instruction makes a word whose lowest bit is a bit of a byte that the specification puts into an S-box, or
//! the complement of one, that word is taken for a plane, and has a name from then on. What the circuit makes of eight named planes is
//! a leaf that has the values of a Boolean function of eight bits as its own, a table of 256 bits: AND and XOR of such leaves are
//! those of the tables. A table that is a bit of the S-box, or a sum of such bits, can be *resolved*: into the leaf that the
//! S-box makes of each byte, the byte being put together of the planes.
//!
//! Names are a matter of speed alone. A word is equal to its name whatever the reason to give it one, and
//! a plane that is overlooked or mistaken costs a proof and makes none.

use std::rc::Rc;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::{Leaf, LeafKind, Product, SBox, Term, Terms, Window, ones};

/// A Boolean function of eight bits: bit n of the table is its value where these are the bits of the byte n.
pub(crate) type Table = [u64; 4];

const FALSE: Table = [0; 4];
const TRUE: Table = [u64::MAX; 4];

/// The table of a function.
fn table(function: impl Fn(usize) -> bool) -> Table {
    let mut table = FALSE;
    for byte in (0..256).filter(|&byte| function(byte)) {
        table[byte / 64] |= 1 << (byte % 64);
    }
    table
}

fn at(table: &Table, byte: usize) -> bool {
    table[byte / 64] >> (byte % 64) & 1 == 1
}

/// Whether a function depends on one of its bits.
fn depends(table: &Table, bit: usize) -> bool {
    // Values side by side are those of bytes that differ in bit 0, and so on; above bit 5 they are in other words.
    const WITH: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    match bit {
        0..6 => table.iter().any(|word| (word ^ word << (1 << bit)) & WITH[bit] != 0),
        6 => table[0] != table[1] || table[2] != table[3],
        _ => table[..2] != table[2..],
    }
}

fn each(a: &Table, b: &Table, operation: fn(u64, u64) -> u64) -> Table {
    std::array::from_fn(|n| operation(a[n], b[n]))
}

/// A function as a sum of bits of the byte, or of bits of what an S-box makes of it.
#[derive(Clone, Copy)]
struct Linear {
    s_box: Option<SBox>,
    /// Which bits are summed up.
    bits: u8,
    complement: bool,
}

/// The functions that can be resolved.
fn linear(function: &Table) -> Option<Linear> {
    static ALL: OnceLock<FxHashMap<Table, Linear>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let mut all = FxHashMap::default();
        for s_box in [None, Some(SBox::Forward), Some(SBox::Inverse)] {
            let byte_of = |byte: usize| s_box.map_or(byte as u8, |s_box| s_box.table()[byte]);
            for bits in 0..=u8::MAX {
                for complement in [false, true] {
                    let sum = table(|byte| ((byte_of(byte) & bits).count_ones() % 2 == 1) != complement);
                    all.insert(sum, Linear { s_box, bits, complement });
                }
            }
        }
        all
    });
    all.get(function).copied()
}

/// The bits that are set.
fn positions(mut mask: u128) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (mask != 0).then(|| mask.trailing_zeros())?;
        mask &= mask - 1;
        Some(lowest)
    })
}

/// Eight planes, as far as they are known.
struct Group {
    width: u32,
    planes: [Option<Term>; 8],
    /// What the S-box and its inverse make of the bytes that they are bits of, by position, once it was asked for.
    substituted: [Option<Rc<[Term]>>; 2],
}

/// Planes and functions of them.
#[derive(Default)]
pub(super) struct Slices {
    followed: bool,
    /// Bits that the specification puts into an S-box: the byte, and which of its bits.
    expected: FxHashMap<Term, (Term, usize)>,
    groups: Vec<Group>,
    /// The group of which the byte at position 0 is this one, for this width.
    current: FxHashMap<(Term, u32), usize>,
    functions: FxHashMap<(usize, Table), Leaf>,
}

/// A part of a term, as wide as a plane.
#[derive(Clone, Copy)]
enum Part {
    Constant(bool),
    Function(usize, Table),
}

impl Terms {
    /// From now on planes are given names.
    pub fn follow_planes(&mut self) {
        self.slices.followed = true;
    }

    /// Notes the bits of a byte that goes into an S-box.
    pub(super) fn expect_planes_of(&mut self, byte: Term) {
        if !self.slices.followed {
            return;
        }
        for index in 0..8 {
            let bit = self.extract_bits(byte, index, 1);
            if self.value(bit).is_none() {
                self.slices.expected.entry(bit).or_insert((byte, index as usize));
            }
        }
    }

    /// The result of an instruction of so many bits, with its halves of 64 bits named that are planes.
    pub(crate) fn recognised(&mut self, value: Term, width: u32) -> Term {
        if self.slices.expected.is_empty() {
            return value;
        }
        let part_width = width.min(64);
        let mut parts = Vec::new();
        let mut named = false;
        for from in (0..width).step_by(part_width as usize) {
            let part = self.extract_bits(value, from, part_width);
            let plane = self.plane(part, part_width);
            named |= plane.is_some();
            parts.push((plane.unwrap_or(part), part_width));
        }
        if named { self.concat(&parts) } else { value }
    }

    /// The name of a word, if it is a plane that has none.
    fn plane(&mut self, word: Term, width: u32) -> Option<Term> {
        if self.function_of(word).is_some() || self.value(word).is_some() {
            return None;
        }
        let lowest = self.mask(word, 1);
        let lowest = self.resolved(lowest);
        let complement = self.not(lowest, 1);
        let expected = |bit| self.slices.expected.get(&bit).copied();
        let (inverted, (byte, index)) =
            expected(lowest).map(|found| (false, found)).or_else(|| Some((true, expected(complement)?)))?;
        let word = self.resolved(word);
        let plane = if inverted { self.not(word, width) } else { word };
        let group = self.group_with((byte, width), index, plane);
        Some(self.function(group, table(|byte| (byte >> index & 1 == 1) != inverted)))
    }

    /// The group that this is a plane of: the current one unless that has another plane there.
    fn group_with(&mut self, key: (Term, u32), index: usize, plane: Term) -> usize {
        let slices = &mut self.slices;
        if let Some(&group) = slices.current.get(&key) {
            let known = &mut slices.groups[group].planes[index];
            if *known.get_or_insert(plane) == plane {
                return group;
            }
        }
        let mut planes = [None; 8];
        planes[index] = Some(plane);
        slices.groups.push(Group { width: key.1, planes, substituted: [None, None] });
        slices.current.insert(key, slices.groups.len() - 1);
        slices.groups.len() - 1
    }

    /// The word that has the value of a function at every position.
    fn function(&mut self, group: usize, function: Table) -> Term {
        let Group { width, planes, .. } = &self.slices.groups[group];
        let (width, planes) = (*width, *planes);
        match function {
            FALSE => return Terms::ZERO,
            TRUE => return self.constant(ones(width)),
            _ => {}
        }
        if let Some(&leaf) = self.slices.functions.get(&(group, function)) {
            return self.window(leaf);
        }
        let planes: Vec<Term> = planes.into_iter().map(|plane| plane.unwrap_or(Terms::ZERO)).collect();
        let secret = planes.iter().any(|&plane| self.is_secret(plane));
        let samples: Vec<u128> = planes.iter().map(|&plane| self.sample(plane)).collect();
        let leaf = self.leaf(LeafKind::Function(group, function), width, secret, value_of(&function, &samples, width));
        self.slices.functions.insert((group, function), leaf);
        self.window(leaf)
    }

    /// The group and the table of a word that is a function of planes.
    fn function_of(&self, word: Term) -> Option<(usize, Table)> {
        match self.kind(self.as_leaf(word)?) {
            LeafKind::Function(group, function) => Some((*group, *function)),
            _ => None,
        }
    }

    /// The planes that a function depends on, with their indices.
    pub(super) fn planes_of(&self, group: usize, function: &Table) -> Vec<(usize, Term)> {
        let planes = self.slices.groups[group].planes.into_iter().enumerate();
        planes.filter(|&(bit, _)| depends(function, bit)).filter_map(|(bit, plane)| Some((bit, plane?))).collect()
    }

    /// The value of a function, by those of the planes that it depends on.
    pub(super) fn value_of_function(&self, group: usize, function: &Table, plane: impl Fn(Term) -> u128) -> u128 {
        let mut values = [0; 8];
        self.planes_of(group, function).into_iter().for_each(|(bit, term)| values[bit] = plane(term));
        value_of(function, &values, self.slices.groups[group].width)
    }

    /// A bit-wise operation on terms whose parts are functions of the same planes.
    pub(super) fn combined(&mut self, a: Term, b: Term, operation: fn(u64, u64) -> u64) -> Option<Term> {
        if self.slices.groups.is_empty() {
            return None;
        }
        let width = self.plane_width(a).or_else(|| self.plane_width(b))?;
        let (x, y) = (self.in_parts(a, width)?, self.in_parts(b, width)?);
        let mut parts = Vec::new();
        for (x, y) in x.into_iter().zip(y) {
            let of = |constant| if constant { TRUE } else { FALSE };
            let part = match (x, y) {
                (Part::Constant(x), Part::Constant(y)) => {
                    let all = operation(of(x)[0], of(y)[0]) & ones(width) as u64;
                    self.constant(all.into())
                }
                (Part::Function(group, x), Part::Constant(y)) => self.function(group, each(&x, &of(y), operation)),
                (Part::Constant(x), Part::Function(group, y)) => self.function(group, each(&of(x), &y, operation)),
                (Part::Function(group, x), Part::Function(other, y)) if group == other => {
                    self.function(group, each(&x, &y, operation))
                }
                _ => return None,
            };
            parts.push((part, width));
        }
        Some(self.concat(&parts))
    }

    /// The width of the planes that a short term has functions of.
    fn plane_width(&self, term: Term) -> Option<u32> {
        let parts = self.parts(term);
        if parts.len() > 4 {
            return None;
        }
        parts.iter().find_map(|&(product, _)| match *self.windows(product) {
            [window] if matches!(self.kind(window.leaf()), LeafKind::Function(..)) => Some(self.width(window.leaf())),
            _ => None,
        })
    }

    /// A term as parts of one width, if each is one function, or all ones or all zeros.
    fn in_parts(&self, term: Term, width: u32) -> Option<Vec<Part>> {
        let mut all = vec![Part::Constant(false); (128 / width) as usize];
        if self.parts(term).len() > all.len() + 1 {
            return None;
        }
        for &(product, mask) in self.parts(term) {
            let function = match *self.windows(product) {
                [] => None,
                [window] if window.rotation() == 0 && self.width(window.leaf()) == width => {
                    match self.kind(window.leaf()) {
                        LeafKind::Function(group, function) => Some((*group, *function)),
                        _ => return None,
                    }
                }
                _ => return None,
            };
            for (index, part) in all.iter_mut().enumerate() {
                let here = mask >> (index as u32 * width) & ones(width);
                match (here, &part, function) {
                    (0, ..) => {}
                    (_, Part::Constant(false), _) if here == ones(width) => {
                        *part =
                            function.map_or(Part::Constant(true), |(group, function)| Part::Function(group, function));
                    }
                    _ => return None,
                }
            }
        }
        Some(all)
    }

    /// The term with what S-boxes make of bytes in the place of what circuits make of planes, as far as they make that.
    pub fn resolved(&mut self, term: Term) -> Term {
        let is_function = |terms: &Terms, product| match *terms.windows(product) {
            [window] => matches!(terms.kind(window.leaf()), LeafKind::Function(..)).then_some(window),
            _ => None,
        };
        if self.slices.groups.is_empty() || self.parts(term).iter().all(|&(p, _)| is_function(self, p).is_none()) {
            return term;
        }
        let mut parts = Vec::new();
        for (product, mask) in self.parts(term).to_vec() {
            match is_function(self, product) {
                Some(window) => self.resolve(window, mask, &mut parts),
                None => parts.push((product, mask)),
            }
        }
        self.collect(parts)
    }

    /// Resolves the bits of a window that are under a mask.
    fn resolve(&mut self, window: Window, mask: u128, parts: &mut Vec<(Product, u128)>) {
        let LeafKind::Function(group, function) = *self.kind(window.leaf()) else { return };
        let Some(Linear { s_box, bits, complement }) = linear(&function) else {
            parts.push((Product::single(window), mask));
            return;
        };
        if complement {
            parts.push((Product::ONE, mask));
        }
        let bits: Vec<u32> = positions(bits.into()).collect();
        // A bit of the S-box depends on all planes, so that all are known.
        debug_assert!(s_box.is_none() || self.slices.groups[group].planes.iter().all(Option::is_some));
        let Some(s_box) = s_box else {
            for index in bits {
                let plane = self.slices.groups[group].planes[index as usize].unwrap_or(Terms::ZERO);
                let there = self.repeated(plane, window);
                let there = self.mask(there, mask);
                parts.extend_from_slice(self.parts(there));
            }
            return;
        };
        let new = self.substituted_planes(s_box, group);
        for position in positions(mask) {
            let lane = (position + window.rotation()) as usize % new.len();
            for &index in &bits {
                let by = index as i32 - position as i32;
                self.moved_parts(new[lane], by, 1 << position, parts);
            }
        }
    }

    /// What an S-box makes of the bytes that eight planes are bits of.
    fn substituted_planes(&mut self, s_box: SBox, group: usize) -> Rc<[Term]> {
        let Group { width, planes, substituted } = &self.slices.groups[group];
        if let Some(known) = &substituted[s_box as usize] {
            return known.clone();
        }
        let mut lanes = vec![Vec::new(); *width as usize];
        for (index, plane) in planes.map(|plane| plane.unwrap_or(Terms::ZERO)).into_iter().enumerate() {
            for (product, mask) in self.parts(plane).to_vec() {
                for position in positions(mask) {
                    let moved = self.moved(product, position as i32 - index as i32);
                    lanes[position as usize].push((moved, 1 << index));
                }
            }
        }
        let of_lane = |parts| {
            let byte = self.collect(parts);
            self.substituted(s_box, byte)
        };
        let new: Rc<[Term]> = lanes.into_iter().map(of_lane).collect();
        self.slices.groups[group].substituted[s_box as usize] = Some(new.clone());
        new
    }
}

/// The values of a function at all positions of planes.
fn value_of(function: &Table, planes: &[u128], width: u32) -> u128 {
    (0..width).fold(0, |all, position| {
        let byte = (0..).zip(planes).fold(0, |byte, (bit, plane)| byte | (plane >> position & 1) << bit);
        all | u128::from(at(function, byte as usize)) << position
    })
}
