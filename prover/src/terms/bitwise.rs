//! Operations on bits: all are maps of products and masks.

use super::{Product, Term, Terms, Window, Windows, ones};

impl Terms {
    /// Sorts, and adds up the masks of equal products.
    pub(super) fn collect(&mut self, mut parts: Vec<(Product, u128)>) -> Term {
        parts.sort_unstable_by_key(|&(product, _)| product);
        parts.dedup_by(|next, kept| {
            let equal = next.0 == kept.0;
            if equal {
                kept.1 ^= next.1;
            }
            equal
        });
        parts.retain(|&(_, mask)| mask != 0);
        self.polynomial(&parts)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        if a == Terms::ZERO {
            return b;
        }
        if b == Terms::ZERO {
            return a;
        }
        if let Some(combined) = self.combined(a, b, |x, y| x ^ y) {
            return combined;
        }
        let (p, q) = (self.parts(a), self.parts(b));
        let mut parts = Vec::with_capacity(p.len() + q.len());
        let (mut i, mut j) = (0, 0);
        while i < p.len() && j < q.len() {
            match p[i].0.cmp(&q[j].0) {
                std::cmp::Ordering::Less => {
                    parts.push(p[i]);
                    i += 1;
                }
                std::cmp::Ordering::Greater => {
                    parts.push(q[j]);
                    j += 1;
                }
                std::cmp::Ordering::Equal => {
                    let mask = p[i].1 ^ q[j].1;
                    if mask != 0 {
                        parts.push((p[i].0, mask));
                    }
                    (i, j) = (i + 1, j + 1);
                }
            }
        }
        parts.extend_from_slice(&p[i..]);
        parts.extend_from_slice(&q[j..]);
        self.polynomial(&parts)
    }

    /// Bitwise and.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        if let Some(mask) = self.value(b) {
            return self.mask(a, mask);
        }
        if let Some(mask) = self.value(a) {
            return self.mask(b, mask);
        }
        if a == b {
            return a;
        }
        if let Some(combined) = self.combined(a, b, |x, y| x & y) {
            return combined;
        }
        let (p, q) = (self.parts(a).to_vec(), self.parts(b).to_vec());
        // Products of masks that do not meet fall away, so that this is a bound only where they do.
        let mut parts = Vec::new();
        for &(x, k) in &p {
            for &(y, l) in &q {
                if k & l != 0 {
                    parts.push((self.meet(x, y), k & l));
                }
            }
            if !self.budget_mut().allows_products(parts.len() / 16) {
                return Terms::ZERO;
            }
        }
        self.collect(parts)
    }

    /// The AND of two products.
    fn meet(&mut self, x: Product, y: Product) -> Product {
        if x == y || y == Product::ONE {
            return x;
        }
        if x == Product::ONE {
            return y;
        }
        let mut windows = [&*self.windows(x), &*self.windows(y)].concat();
        windows.sort_unstable();
        windows.dedup();
        self.product(&windows)
    }

    /// AND with a constant.
    pub fn mask(&mut self, a: Term, mask: u128) -> Term {
        if self.parts(a).iter().all(|&(_, k)| k & !mask == 0) {
            return a;
        }
        let parts: Vec<_> =
            self.parts(a).iter().map(|&(product, k)| (product, k & mask)).filter(|&(_, k)| k != 0).collect();
        self.polynomial(&parts)
    }

    /// Complement of the lowest `width` bits.
    pub fn not(&mut self, a: Term, width: u32) -> Term {
        let all = self.constant(ones(width));
        self.xor(a, all)
    }

    /// Bitwise or.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (either, both) = (self.xor(a, b), self.and(a, b));
        self.xor(either, both)
    }

    /// `a` where `choose` is one, `b` where it is zero.
    pub fn select(&mut self, choose: Term, a: Term, b: Term) -> Term {
        let differ = self.xor(a, b);
        let change = self.and(choose, differ);
        self.xor(b, change)
    }

    /// The product seen `by` bits further right (negative: left).
    pub(super) fn moved(&mut self, product: Product, by: i32) -> Product {
        let turned = |terms: &Terms, window: Window| {
            let width = terms.width(window.leaf()) as i32;
            let rotation = (window.rotation() as i32 + by).rem_euclid(width);
            Window::new(window.leaf(), rotation as u32)
        };
        let mut windows: Vec<Window> = match self.windows(product) {
            Windows::Single(window) => return self.product(&[turned(self, window)]),
            Windows::Many(windows) => windows.iter().map(|&window| turned(self, window)).collect(),
        };
        windows.sort_unstable();
        windows.dedup();
        self.product(&windows)
    }

    pub(super) fn moved_parts(&mut self, a: Term, by: i32, kept: u128, parts: &mut Vec<(Product, u128)>) {
        for (product, mask) in self.parts(a).to_vec() {
            let mask = if by >= 0 { mask >> by } else { mask << -by } & kept;
            if mask != 0 {
                parts.push((self.moved(product, by), mask));
            }
        }
    }

    /// Shift right, with zeros from the left; by less than 128.
    pub fn shr(&mut self, a: Term, by: u32) -> Term {
        if by == 0 {
            return a;
        }
        let mut parts = Vec::new();
        self.moved_parts(a, by as i32, u128::MAX, &mut parts);
        self.collect(parts)
    }

    /// Shift left within `width` bits; by less than 128.
    pub fn shl(&mut self, a: Term, by: u32, width: u32) -> Term {
        if by == 0 {
            return self.low(a, width);
        }
        let mut parts = Vec::new();
        self.moved_parts(a, -(by as i32), ones(width), &mut parts);
        self.collect(parts)
    }

    /// Rotation right of `width` bits; `a` has no more.
    pub fn rotr(&mut self, a: Term, by: u32, width: u32) -> Term {
        let by = by % width;
        if by == 0 {
            return a;
        }
        let mut parts = Vec::new();
        self.moved_parts(a, by as i32, u128::MAX, &mut parts);
        self.moved_parts(a, by as i32 - width as i32, ones(width), &mut parts);
        self.collect(parts)
    }

    /// The lowest `width` bits. Where they are a word of a wider sum, they are a sum of that width.
    pub fn low(&mut self, a: Term, width: u32) -> Term {
        // Bytes are taken apart to be put together again.
        if width.is_multiple_of(32) { self.low_sum(a, width) } else { self.mask(a, ones(width)) }
    }

    /// The lowest `width` bits; of a wider sum they are a sum of that width.
    pub(crate) fn low_sum(&mut self, a: Term, width: u32) -> Term {
        let masked = self.mask(a, ones(width));
        match *self.parts(masked) {
            [(product, mask)] if mask == ones(width) => match *self.windows(product) {
                [window] if window.rotation() == 0 => self.narrowed(window.leaf(), width).unwrap_or(masked),
                _ => masked,
            },
            _ => masked,
        }
    }

    /// Bits `from .. from + width`.
    pub fn extract(&mut self, a: Term, from: u32, width: u32) -> Term {
        if from == 0 {
            return self.low(a, width);
        }
        let low = self.mask(a, ones((from + width).min(128)));
        let high = self.shr(low, from);
        self.low(high, width)
    }

    /// The same bits, of whatever number they are a part.
    pub fn extract_bits(&mut self, a: Term, from: u32, width: u32) -> Term {
        let there = self.mask(a, ones((from + width).min(128)));
        self.shr(there, from)
    }

    /// One number out of parts and their widths, the lowest first. No part has more bits than its width.
    pub fn concat(&mut self, parts: &[(Term, u32)]) -> Term {
        let (mut all, mut at) = (Vec::new(), 0);
        for &(part, width) in parts {
            self.moved_parts(part, -(at as i32), u128::MAX, &mut all);
            at += width;
        }
        debug_assert!(at <= 128);
        self.collect(all)
    }

    /// The elements of a vector, the lowest first.
    pub fn lanes(&mut self, a: Term, element: u32, width: u32) -> Vec<Term> {
        (0..width / element).map(|lane| self.extract(a, lane * element, element)).collect()
    }

    /// The vector of these elements.
    pub fn vector(&mut self, lanes: &[Term], element: u32) -> Term {
        let parts: Vec<_> = lanes.iter().map(|&lane| (lane, element)).collect();
        self.concat(&parts)
    }

    /// The bytes of each element in reverse order.
    pub fn reverse_bytes(&mut self, a: Term, element: u32, width: u32) -> Term {
        self.reverse_units(a, 8, element, width)
    }

    /// The units (of 8, 16 or 32 bits) of each element in reverse order.
    pub fn reverse_units(&mut self, a: Term, unit: u32, element: u32, width: u32) -> Term {
        let units = self.lanes(a, unit, width);
        let reversed: Vec<Term> =
            units.chunks((element / unit) as usize).flat_map(|element| element.iter().rev().copied()).collect();
        self.vector(&reversed, unit)
    }
}
