//! A cache of the most recently unpacked data of all streams.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::blocks::Blocks;
use super::window::Window;

/// The most recently unpacked data of all streams.
#[derive(Default)]
pub(super) struct Cache {
    windows: Mutex<VecDeque<(u64, u64, Arc<Window>)>>,
    blocks: Mutex<VecDeque<(u64, Arc<Blocks>)>>,
}

/// The maximum number of windows: some for each thread, on most machines.
const MAX_WINDOWS: usize = 24;

/// The maximum size of the blocks of all streams except the last one. Bytes.
const MAX_BLOCK_BYTES: usize = 96 << 20;

impl Cache {
    pub(super) fn window(&self, stream: u64, number: u64) -> Option<Arc<Window>> {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        let place = windows.iter().position(|(id, n, _)| (*id, *n) == (stream, number))?;
        let found = windows.remove(place)?;
        let window = found.2.clone();
        windows.push_front(found);
        Some(window)
    }

    pub(super) fn keep(&self, stream: u64, number: u64, window: Arc<Window>) -> Arc<Window> {
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.retain(|(id, n, _)| (*id, *n) != (stream, number));
        windows.push_front((stream, number, window.clone()));
        windows.truncate(MAX_WINDOWS);
        window
    }

    pub(super) fn blocks(&self, stream: u64) -> Option<Arc<Blocks>> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let place = blocks.iter().position(|(id, _)| *id == stream)?;
        let found = blocks.remove(place)?;
        let known = found.1.clone();
        blocks.push_front(found);
        Some(known)
    }

    pub(super) fn keep_blocks(&self, stream: u64, read: Arc<Blocks>) -> Arc<Blocks> {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.push_front((stream, read.clone()));
        let mut size = 0;
        let too_many = blocks.iter().skip(1).position(|(_, known)| {
            size += known.size;
            size > MAX_BLOCK_BYTES
        });
        if let Some(place) = too_many {
            blocks.truncate(place + 1);
        }
        read
    }
}
