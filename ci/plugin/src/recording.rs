//! What is recorded of a guest, and written down.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use vambrace_contract::Architecture;
use vambrace_trace::announce::{Announcement, Grant};
use vambrace_trace::line;
use vambrace_trace::order::{Order, Wanted};
use vambrace_trace::recorder::{Access, Recorder};

/// What is instrumented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// Each instruction and each access.
    Calls,
    /// Each block of instructions as a whole.
    Blocks,
}

/// Instructions that are executed one after the other.
struct Block {
    instructions: Vec<u64>,
    /// The recorder of the kernel that they belong to.
    kernel: Option<usize>,
    ran: bool,
}

/// What is recorded.
pub struct Recording {
    architecture: Architecture,
    watch: Watch,
    recorders: Vec<Recorder>,
    /// The recorder of the kernel whose call, or for whose sake something, was announced last.
    current: Option<usize>,
    grants: Vec<Grant>,
    blocks: Vec<Block>,
    path: PathBuf,
    file: File,
}

impl Recording {
    /// Nothing yet, for an order.
    pub fn new(order: Order) -> Result<Recording, String> {
        let Order { architecture, wanted, output, kernels } = order;
        let fail = |error: std::io::Error| format!("{} cannot be written: {error}", output.display());
        let mut file = OpenOptions::new().create(true).append(true).open(&output).map_err(fail)?;
        writeln!(file, "{}", line::HEADER).map_err(fail)?;
        let recorder = |(code, words)| Recorder::new(architecture, code, words, wanted == Wanted::Events);
        Ok(Recording {
            architecture,
            watch: if wanted == Wanted::Coverage { Watch::Blocks } else { Watch::Calls },
            recorders: kernels.into_iter().map(recorder).collect(),
            current: None,
            grants: Vec::new(),
            blocks: Vec::new(),
            path: output,
            file,
        })
    }

    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    pub fn watch(&self) -> Watch {
        self.watch
    }

    /// Whether there is something to be recorded at an address.
    pub fn watches(&self, pc: u64) -> bool {
        self.recorders.iter().any(|recorder| recorder.code().contains(pc))
    }

    /// Takes up a block, and gives it a number.
    pub fn add_block(&mut self, instructions: Vec<u64>) -> usize {
        let first = instructions.first();
        let of_block = |recorder: &Recorder| first.is_some_and(|&pc| recorder.code().contains(pc));
        let kernel = self.recorders.iter().position(of_block);
        self.blocks.push(Block { instructions, kernel, ran: false });
        self.blocks.len() - 1
    }

    pub fn block_runs(&mut self, number: usize) {
        if let Some(block) = self.blocks.get_mut(number) {
            block.ran |= block.kernel.is_some() && block.kernel == self.current;
        }
    }

    /// The recorder of the call under way, if the instruction belongs to it.
    fn recorder(&mut self, pc: u64) -> Option<&mut Recorder> {
        self.recorders.get_mut(self.current?).filter(|recorder| recorder.code().contains(pc))
    }

    pub fn instruction(&mut self, pc: u64) {
        if let Some(recorder) = self.recorder(pc) {
            recorder.instruction(pc);
        }
    }

    pub fn access(&mut self, pc: u64, access: Access) {
        if let Some(recorder) = self.recorder(pc) {
            recorder.access(access);
        }
    }

    /// Hears the guest, and writes the call down when it has ended.
    pub fn hear(&mut self, announcement: Announcement) -> Result<(), String> {
        let at = |entry| self.recorders.iter().position(|recorder| recorder.code().address == entry);
        match announcement {
            Announcement::Grant(grant) => {
                self.grants.push(grant);
                return Ok(());
            }
            Announcement::For(entry) => {
                self.current = at(entry);
                return Ok(());
            }
            Announcement::Begin(call) => self.current = at(call.entry),
            Announcement::End => {}
        }
        let grants = std::mem::take(&mut self.grants);
        let Some(recorder) = self.current.and_then(|current| self.recorders.get_mut(current)) else { return Ok(()) };
        for grant in grants {
            recorder.hear(Announcement::Grant(grant));
        }
        match recorder.hear(announcement).filter(|_| self.watch == Watch::Calls) {
            Some(record) => self.write(&line::of_call(&record)),
            None => Ok(()),
        }
    }

    /// Writes down what has been executed. Each process of a guest does so when it ends.
    pub fn finish(&mut self) -> Result<(), String> {
        let ran = self.blocks.iter().filter(|block| block.ran).flat_map(|block| block.instructions.iter().copied());
        let text = line::of_ran(ran);
        self.write(&text)
    }

    /// In one piece, since several processes may write.
    fn write(&mut self, text: &str) -> Result<(), String> {
        self.file
            .write_all(text.as_bytes())
            .map_err(|error| format!("{} cannot be written: {error}", self.path.display()))
    }
}
