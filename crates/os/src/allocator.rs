//! Speeds up over-aligned allocations on glibc: takes a larger block and stores its base pointer before the aligned part.
//!
//! tokio aligns each task, each watched descriptor and each channel to 128 bytes, against false sharing. For that glibc's
//! `memalign` cuts both ends off a larger block and frees them: some 1800 instructions, several times for each call that is
//! answered (decision 0017). For the program `runward` alone: a library that brings an allocator would take the choice
//! from the program that uses it. May not keep anything of its own.

use std::alloc::{GlobalAlloc, Layout, System};

/// The alignment that every allocation of the system has.
const USUAL: usize = 16;

/// Larger alignments are rare, and would waste much.
const ROUND: usize = 128;

/// The system's allocator, quicker for alignments of 17 to 128. To be used as `#[global_allocator]`.
#[derive(Debug, Clone, Copy, Default)]
pub struct AlignedAllocator;

/// The larger piece that a round one lies in, where it is done here.
fn larger(layout: Layout) -> Option<Layout> {
    let round = cfg!(target_os = "linux") && layout.align() > USUAL && layout.align() <= ROUND;
    let size = layout.size().checked_add(layout.align()).filter(|_| round)?;
    Layout::from_size_align(size, USUAL).ok()
}

/// Where a round piece remembers the larger one that it lies in: in the bytes before it.
fn memory_of(round: *mut u8) -> *mut *mut u8 {
    round.cast::<*mut u8>().wrapping_sub(1)
}

/// The first round address in a larger piece that has room before it.
///
/// # Safety
/// `piece` is null, or the system gave it for what [`larger`] made of `layout`.
unsafe fn rounded(piece: *mut u8, layout: Layout) -> *mut u8 {
    if piece.is_null() {
        return piece;
    }
    // At least `USUAL`, which a pointer fits into; at most the alignment, which the piece is larger by.
    let round = piece.wrapping_add(layout.align() - piece.addr() % layout.align());
    // SAFETY: it lies in the piece, at a multiple of what a pointer needs.
    unsafe { memory_of(round).write(piece) };
    round
}

// SAFETY: everything is the system's. A round piece lies wholly in the larger one that was taken for it, and that one is
// remembered in bytes that nobody else is given.
unsafe impl GlobalAlloc for AlignedAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(larger) = larger(layout) else {
            // SAFETY: what the caller promises is what the system asks for.
            return unsafe { System.alloc(layout) };
        };
        // SAFETY: it is not empty: it is larger than an alignment.
        let piece = unsafe { System.alloc(larger) };
        // SAFETY: the system just gave it for that.
        unsafe { rounded(piece, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let Some(larger) = larger(layout) else {
            // SAFETY: what the caller promises is what the system asks for.
            return unsafe { System.alloc_zeroed(layout) };
        };
        // SAFETY: it is not empty: it is larger than an alignment.
        let piece = unsafe { System.alloc_zeroed(larger) };
        // SAFETY: the system just gave it for that.
        unsafe { rounded(piece, layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        let Some(larger) = larger(layout) else {
            // SAFETY: it was taken from the system with this layout.
            return unsafe { System.dealloc(at, layout) };
        };
        // SAFETY: it was given out by `rounded`, which wrote that.
        let piece = unsafe { memory_of(at).read() };
        // SAFETY: it was taken from the system with that layout.
        unsafe { System.dealloc(piece, larger) };
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if larger(layout).is_none() {
            // SAFETY: it was taken from the system with this layout, and the caller promises the rest.
            return unsafe { System.realloc(at, layout, size) };
        }
        // SAFETY: the caller promises a size that fits this alignment.
        let asked = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        // SAFETY: the caller promises that it is not empty.
        let new = unsafe { self.alloc(asked) };
        if !new.is_null() {
            // SAFETY: both hold as much as is copied, and the new one was just taken.
            unsafe { new.copy_from_nonoverlapping(at, layout.size().min(size)) };
            // SAFETY: the caller gives the old one up.
            unsafe { self.dealloc(at, layout) };
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A piece, taken and given back.
    struct Piece(*mut u8, Layout);

    impl Piece {
        fn of(size: usize, align: usize, take: unsafe fn(&AlignedAllocator, Layout) -> *mut u8) -> Self {
            let layout = Layout::from_size_align(size, align).unwrap();
            // SAFETY: it is not empty.
            let piece = Self(unsafe { take(&AlignedAllocator, layout) }, layout);
            assert!(!piece.0.is_null() && piece.0.addr().is_multiple_of(align), "{layout:?}");
            piece
        }

        fn resized(self, size: usize) -> Self {
            // SAFETY: it was taken with this layout, and is not used again.
            let at = unsafe { AlignedAllocator.realloc(self.0, self.1, size) };
            let layout = Layout::from_size_align(size, self.1.align()).unwrap();
            std::mem::forget(self);
            assert!(at.addr().is_multiple_of(layout.align()), "{layout:?}");
            Self(at, layout)
        }

        fn fill(&self, with: u8) {
            // SAFETY: so many bytes are ours.
            unsafe { self.0.write_bytes(with, self.1.size()) };
        }

        fn holds(&self, len: usize, what: u8) -> bool {
            // SAFETY: so many bytes are ours, and were written.
            unsafe { std::slice::from_raw_parts(self.0, len) }.iter().all(|byte| *byte == what)
        }
    }

    impl Drop for Piece {
        fn drop(&mut self) {
            // SAFETY: it was taken with this layout.
            unsafe { AlignedAllocator.dealloc(self.0, self.1) };
        }
    }

    #[test]
    fn every_address_is_as_round_as_asked_and_pieces_do_not_touch() {
        let sizes = [1, 24, 200, 1000, 5000];
        let aligns = [1, 8, 16, 32, 64, 128, 256, 4096];
        let pieces: Vec<Piece> = aligns
            .into_iter()
            .flat_map(|align| sizes.map(|size| Piece::of(size, align, AlignedAllocator::alloc)))
            .collect();
        (0..).zip(&pieces).for_each(|(number, piece)| piece.fill(number));
        for (number, piece) in (0..).zip(&pieces) {
            assert!(piece.holds(piece.1.size(), number), "{:?}", piece.1);
        }
    }

    #[test]
    fn what_grows_or_shrinks_keeps_what_it_holds() {
        for align in [8, 64, 128, 256] {
            let piece = Piece::of(100, align, AlignedAllocator::alloc);
            piece.fill(7);
            let grown = piece.resized(3000);
            assert!(grown.holds(100, 7), "{align}");
            grown.fill(8);
            assert!(grown.resized(10).holds(10, 8), "{align}");
        }
    }

    #[test]
    fn what_is_asked_for_empty_is_empty() {
        for align in [16, 128, 512] {
            for _ in 0..20 {
                let piece = Piece::of(777, align, AlignedAllocator::alloc_zeroed);
                assert!(piece.holds(777, 0), "{align}");
                piece.fill(9);
            }
        }
    }

    #[test]
    fn a_piece_that_cannot_be_had_is_refused() {
        let layout = Layout::from_size_align(isize::MAX as usize - 200, 128).unwrap();
        // SAFETY: nothing is given out.
        assert!(unsafe { AlignedAllocator.alloc(layout) }.is_null());
    }
}
