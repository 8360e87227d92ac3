//! Stands for the crate `arrayvec` where there are no crates: what the playing core uses of its list, by the
//! same names and with the same results. Instead of being left uninitialised, which takes `unsafe`, the free
//! places hold defaults; so the elements are `Copy` and have a default.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// A list of at most `CAPACITY` elements, which it holds in itself.
#[derive(Clone)]
pub struct ArrayVec<T, const CAPACITY: usize> {
    elements: [T; CAPACITY],
    len: usize,
}

impl<T: Copy + Default, const CAPACITY: usize> ArrayVec<T, CAPACITY> {
    /// An empty list.
    #[inline(always)]
    pub fn new() -> ArrayVec<T, CAPACITY> {
        ArrayVec { elements: [T::default(); CAPACITY], len: 0 }
    }
}

impl<const CAPACITY: usize> ArrayVec<u64, CAPACITY> {
    /// An empty list as a constant. Defaults are none, so this is for one type only.
    #[inline(always)]
    pub const fn new_const() -> ArrayVec<u64, CAPACITY> {
        ArrayVec { elements: [0; CAPACITY], len: 0 }
    }
}

impl<T: Copy, const CAPACITY: usize> ArrayVec<T, CAPACITY> {
    /// Adds an element to the end. Panics where the list is full.
    #[inline(always)]
    pub fn push(&mut self, element: T) {
        self.elements[self.len] = element;
        self.len += 1;
    }

    /// Adds an element to the end, or returns it where the list is full.
    #[inline(always)]
    pub fn try_push(&mut self, element: T) -> Result<(), T> {
        let place = self.elements.get_mut(self.len).ok_or(element)?;
        *place = element;
        self.len += 1;
        Ok(())
    }

    /// Drops all but the first `len` elements.
    #[inline(always)]
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}

impl<T: Copy, const CAPACITY: usize> Extend<T> for ArrayVec<T, CAPACITY> {
    /// Adds elements to the end. Panics where the list is full.
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
