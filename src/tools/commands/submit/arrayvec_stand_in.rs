//! Replaces the crate `arrayvec` where no crates are available: the part of its list that the playing core uses, with
//! the same names and results. Unused slots hold default values instead of uninitialised memory, which would need
//! `unsafe`; elements must therefore be `Copy` and `Default`.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// A list of at most `CAPACITY` elements, stored inline.
#[derive(Clone)]
pub struct ArrayVec<T, const CAPACITY: usize> {
    elements: [T; CAPACITY],
    len: usize,
}

impl<T: Copy + Default, const CAPACITY: usize> ArrayVec<T, CAPACITY> {
    /// Creates an empty list.
    #[inline(always)]
    pub fn new() -> ArrayVec<T, CAPACITY> {
        ArrayVec { elements: [T::default(); CAPACITY], len: 0 }
    }
}

impl<const CAPACITY: usize> ArrayVec<u64, CAPACITY> {
    /// Creates an empty list in a constant. `Default` is not `const`, so only `u64` is supported.
    #[inline(always)]
    pub const fn new_const() -> ArrayVec<u64, CAPACITY> {
        ArrayVec { elements: [0; CAPACITY], len: 0 }
    }
}

impl<T: Copy, const CAPACITY: usize> ArrayVec<T, CAPACITY> {
    /// Appends an element. Panics if the list is full.
    #[inline(always)]
    pub fn push(&mut self, element: T) {
        self.elements[self.len] = element;
        self.len += 1;
    }

    /// Appends an element, or returns it if the list is full.
    #[inline(always)]
    pub fn try_push(&mut self, element: T) -> Result<(), T> {
        let slot = self.elements.get_mut(self.len).ok_or(element)?;
        *slot = element;
        self.len += 1;
        Ok(())
    }

    /// Keeps only the first `len` elements.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl<T: Copy, const CAPACITY: usize> Extend<T> for ArrayVec<T, CAPACITY> {
    /// Appends elements. Panics if the list is full.
    #[inline(always)]
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| self.push(element));
    }
}

impl<T, const CAPACITY: usize> Deref for ArrayVec<T, CAPACITY> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.elements[..self.len]
    }
}

impl<T, const CAPACITY: usize> DerefMut for ArrayVec<T, CAPACITY> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.elements[..self.len]
    }
}

impl<T: fmt::Debug, const CAPACITY: usize> fmt::Debug for ArrayVec<T, CAPACITY> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests;
