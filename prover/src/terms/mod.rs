//! Terms in normal form: two terms that have become the same node are equal for every value of their variables.
//!
//! A [`Term`] is a number of up to 128 bits, written as an exclusive or of products. A *product* is an AND of *windows*; a
//! window is a leaf repeated without end and rotated, so that bit `i` of it is bit `(i + rotation) mod width` of the leaf.
//! Each product has a mask of the bit positions at which it takes part. Bit by bit that is the algebraic normal form over the
//! bits of the leaves, which is unique: AND, OR, XOR, complement, shifts, rotations, extraction, concatenation and
//! every permutation of bits need no further rules (module `bitwise`).
//!
//! A leaf is a variable; or a *sum* modulo 2^width: a sorted multiset of terms with coefficients, and a constant (module
//! `sums`); or a byte that the S-box of AES makes of another (module `bytes`); or what a circuit makes of eight planes of
//! bit-sliced bytes (module `slices`). For the layer above, all are opaque.
//!
//! All terms live in an arena, [`Terms`]; a [`Term`] is an index into it, and equality of indices is equality of terms.

mod bitwise;
mod bytes;
mod difference;
mod evaluate;
mod slices;
mod substitute;
mod sums;
#[cfg(test)]
mod tests;

pub use bytes::SBox;
pub use difference::Difference;
pub use evaluate::Assignment;
pub use substitute::Substitution;

use std::hash::Hash;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::budget::{Budget, Limits};

/// A term: an index into the arena that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

/// A variable or a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Leaf(u32);

/// An AND of windows; the empty one is all ones. With the highest bit set it is one window, else the number of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Product(u32);

impl Product {
    /// No window: all ones.
    pub(crate) const ONE: Product = Product(0);
    const SINGLE: u32 = 1 << 31;

    /// One window.
    const fn single(window: Window) -> Product {
        Product(Product::SINGLE | window.0)
    }
}

/// The windows of a product.
pub(crate) enum Windows<'a> {
    /// One, as most have.
    Single(Window),
    /// Any number.
    Many(&'a [Window]),
}

impl std::ops::Deref for Windows<'_> {
    type Target = [Window];

    fn deref(&self) -> &[Window] {
        match self {
            Windows::Single(window) => std::slice::from_ref(window),
            Windows::Many(windows) => windows,
        }
    }
}

/// A window: the leaf, and by how much it is rotated to the right, packed for speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Window(u32);

impl Window {
    const fn new(leaf: Leaf, rotation: u32) -> Window {
        Window(leaf.0 << 7 | rotation)
    }

    pub(crate) const fn leaf(self) -> Leaf {
        Leaf(self.0 >> 7)
    }

    pub(crate) const fn rotation(self) -> u32 {
        self.0 & 127
    }
}

/// The lowest `width` bits.
pub const fn ones(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// What a leaf is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum LeafKind {
    Variable(String),
    Sum(Sum),
    /// What an S-box makes of a byte.
    Substituted(SBox, Term),
    /// A function of the planes of a group.
    Function(usize, slices::Table),
}

/// A sum modulo 2^width; the summands in order, with coefficients that are not zero.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Sum {
    pub(crate) width: u32,
    pub(crate) constant: u128,
    pub(crate) summands: Box<[(Term, u128)]>,
}

struct LeafData {
    kind: LeafKind,
    width: u32,
    secret: bool,
    /// The value at the sample, repeated over 128 bits.
    sample: u128,
}

/// The arena of terms.
pub struct Terms {
    leaves: Vec<LeafData>,
    sums: FxHashMap<Sum, Leaf>,
    substituted: FxHashMap<(SBox, Term), Leaf>,
    slices: slices::Slices,
    /// Sums that are the low bits of wider ones.
    wider: FxHashMap<Leaf, Leaf>,
    /// What became of leaves when those were replaced, as long as there were so many of them.
    widened: (usize, Substitution),
    products: Interner<Window>,
    /// Whether a product has a secret in it, and its value at the sample.
    product_data: Vec<(bool, u128)>,
    polynomials: Interner<(Product, u128)>,
    term_data: Vec<TermData>,
    /// The offset of the instruction that is executed, or [`NO_CODE`].
    executed: u32,
    budget: Budget,
}

/// No offset of an instruction.
const NO_CODE: u32 = u32::MAX;

struct TermData {
    secret: bool,
    /// The offset of the instruction that made the term first, or [`NO_CODE`].
    maker: u32,
    /// The value at the sample.
    sample: u128,
}

/// Keys by index, each once.
struct Interner<K>(IndexSet<Box<[K]>, FxBuildHasher>);

impl<K: Copy + Eq + Hash> Interner<K> {
    fn new() -> Interner<K> {
        Interner(IndexSet::default())
    }

    fn key(&self, id: u32) -> &[K] {
        &self.0[id as usize]
    }

    /// The index of a key, and whether it is new.
    fn intern(&mut self, key: &[K]) -> (u32, bool) {
        match self.0.get_index_of(key) {
            Some(id) => (id as u32, false),
            None => (self.0.insert_full(key.into()).0 as u32, true),
        }
    }
}

impl Terms {
    /// The constant 0, in every arena.
    pub const ZERO: Term = Term(0);

    /// An arena without variables, within these limits.
    pub fn new(limits: Limits) -> Terms {
        Terms::within(Budget::new(limits))
    }

    /// An arena without variables, within a budget.
    pub fn within(budget: Budget) -> Terms {
        let mut terms = Terms {
            leaves: Vec::new(),
            sums: FxHashMap::default(),
            substituted: FxHashMap::default(),
            slices: slices::Slices::default(),
            wider: FxHashMap::default(),
            widened: Default::default(),
            products: Interner::new(),
            product_data: Vec::new(),
            polynomials: Interner::new(),
            term_data: Vec::new(),
            executed: NO_CODE,
            budget,
        };
        terms.product(&[]);
        terms.polynomial(&[]);
        terms
    }

    /// What was spent.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// What was spent, to spend more.
    pub fn budget_mut(&mut self) -> &mut Budget {
        &mut self.budget
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.leaves.len() + self.product_data.len() + self.term_data.len()
    }

    /// Says at which offset the instruction is that makes terms from now on; none if they are made for another reason.
    pub fn set_executed(&mut self, offset: Option<u64>) {
        self.executed = offset.and_then(|offset| offset.try_into().ok()).unwrap_or(NO_CODE);
    }

    /// The offset of the instruction that is executed.
    pub fn executed(&self) -> Option<u64> {
        (self.executed != NO_CODE).then_some(self.executed.into())
    }

    /// The offset of the instruction that made a term, if one did before anything else.
    pub fn maker(&self, term: Term) -> Option<u64> {
        let maker = self.term_data[term.0 as usize].maker;
        (maker != NO_CODE).then_some(maker.into())
    }

    /// A new variable.
    ///
    /// # Panics
    /// If the width is 0 or above 128.
    pub fn variable(&mut self, name: impl Into<String>, width: u32, secret: bool) -> Term {
        assert!((1..=128).contains(&width), "a variable of {width} bits");
        let sample = sample_of(self.leaves.len() as u32, width);
        let leaf = self.leaf(LeafKind::Variable(name.into()), width, secret, sample);
        self.window(leaf)
    }

    /// The leaf that is the whole of a term, if the term is a leaf.
    pub fn as_leaf(&self, term: Term) -> Option<Leaf> {
        match self.parts(term) {
            &[(product, mask)] => match *self.windows(product) {
                [window] if window.rotation() == 0 && mask == ones(self.width(window.leaf())) => Some(window.leaf()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Bits of a leaf.
    pub fn width(&self, leaf: Leaf) -> u32 {
        self.leaves[leaf.0 as usize].width
    }

    fn kind(&self, leaf: Leaf) -> &LeafKind {
        &self.leaves[leaf.0 as usize].kind
    }

    /// The name of a variable; `None` for what is made of others.
    pub fn name(&self, leaf: Leaf) -> Option<&str> {
        match self.kind(leaf) {
            LeafKind::Variable(name) => Some(name),
            _ => None,
        }
    }

    /// What a leaf is made of.
    fn made_of(&self, leaf: Leaf) -> Vec<Term> {
        match self.kind(leaf) {
            LeafKind::Variable(_) => Vec::new(),
            LeafKind::Sum(sum) => sum.summands.iter().map(|&(term, _)| term).collect(),
            LeafKind::Substituted(_, byte) => vec![*byte],
            LeafKind::Function(group, function) => {
                self.planes_of(*group, function).into_iter().map(|(_, plane)| plane).collect()
            }
        }
    }

    /// Whether a term depends on a secret.
    pub fn is_secret(&self, term: Term) -> bool {
        self.term_data[term.0 as usize].secret
    }

    /// The value of a term at one choice of its variables, the same for all terms of the arena. Terms that differ here differ.
    pub fn sample(&self, term: Term) -> u128 {
        self.term_data[term.0 as usize].sample
    }

    /// The value of a term that is constant.
    pub fn value(&self, term: Term) -> Option<u128> {
        match *self.parts(term) {
            [] => Some(0),
            [(Product::ONE, mask)] => Some(mask),
            _ => None,
        }
    }

    /// A constant.
    pub fn constant(&mut self, value: u128) -> Term {
        if value == 0 { Terms::ZERO } else { self.polynomial(&[(Product::ONE, value)]) }
    }

    fn leaf(&mut self, kind: LeafKind, width: u32, secret: bool, sample: u128) -> Leaf {
        let leaf = Leaf(self.leaves.len() as u32);
        // Windows have 24 bits for the leaf; the budget ends long before.
        assert!(leaf.0 < 1 << 24, "too many leaves");
        self.leaves.push(LeafData { kind, width, secret, sample: repeat(sample, width, 0) });
        self.budget.nodes(self.nodes());
        leaf
    }

    /// The term that is a leaf.
    pub fn window(&mut self, leaf: Leaf) -> Term {
        let product = self.product(&[Window::new(leaf, 0)]);
        self.polynomial(&[(product, ones(self.width(leaf)))])
    }

    pub(crate) fn parts(&self, term: Term) -> &[(Product, u128)] {
        self.polynomials.key(term.0)
    }

    pub(crate) fn windows(&self, product: Product) -> Windows<'_> {
        if product.0 & Product::SINGLE != 0 {
            Windows::Single(Window(product.0 & !Product::SINGLE))
        } else {
            Windows::Many(self.products.key(product.0))
        }
    }

    pub(crate) fn sum_of(&self, leaf: Leaf) -> Option<&Sum> {
        match self.kind(leaf) {
            LeafKind::Sum(sum) => Some(sum),
            _ => None,
        }
    }

    /// A product; the windows are sorted and differ.
    fn product(&mut self, windows: &[Window]) -> Product {
        if let [window] = windows {
            return Product::single(*window);
        }
        let (id, new) = self.products.intern(windows);
        if new {
            let data = windows.iter().fold((false, u128::MAX), |(secret, sample), &window| {
                let of_window = self.window_data(window);
                (secret | of_window.0, sample & of_window.1)
            });
            self.product_data.push(data);
            self.budget.nodes(self.nodes());
        }
        Product(id)
    }

    fn window_data(&self, window: Window) -> (bool, u128) {
        let leaf = &self.leaves[window.leaf().0 as usize];
        // Where a whole number of copies fits, all of them are rotated as one.
        let sample = if 128 % leaf.width == 0 {
            leaf.sample.rotate_right(window.rotation())
        } else {
            repeat(leaf.sample & ones(leaf.width), leaf.width, window.rotation())
        };
        (leaf.secret, sample)
    }

    fn data_of_product(&self, product: Product) -> (bool, u128) {
        match self.windows(product) {
            Windows::Single(window) => self.window_data(window),
            Windows::Many(_) => self.product_data[product.0 as usize],
        }
    }

    /// A term; the products are sorted and differ, no mask is 0.
    fn polynomial(&mut self, parts: &[(Product, u128)]) -> Term {
        if !self.budget.allows_products(parts.len()) {
            return Terms::ZERO;
        }
        let (id, new) = self.polynomials.intern(parts);
        if new {
            let (secret, sample) = parts.iter().fold((false, 0), |(secret, sample), &(product, mask)| {
                let of_product = self.data_of_product(product);
                (secret | of_product.0, sample ^ (of_product.1 & mask))
            });
            self.term_data.push(TermData { secret, maker: self.executed, sample });
            self.budget.nodes(self.nodes());
        }
        Term(id)
    }
}

/// A value of some width, rotated right and repeated over 128 bits.
pub(crate) fn repeat(value: u128, width: u32, rotation: u32) -> u128 {
    let rotated = if rotation == 0 { value } else { (value >> rotation | value << (width - rotation)) & ones(width) };
    let (mut all, mut filled) = (rotated, width);
    while filled < 128 {
        all |= rotated << filled;
        filled += width;
    }
    all
}

/// The value of a variable at the sample: any will do that differs from variable to variable.
fn sample_of(index: u32, width: u32) -> u128 {
    let mut state = u64::from(index).wrapping_add(0x5161_6d70_6c65_2131);
    let mut next = || {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        u128::from(z ^ z >> 31)
    };
    (next() << 64 | next()) & ones(width)
}
