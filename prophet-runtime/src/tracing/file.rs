//! Runs a thread that sorts and writes records while the engine continues.

use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use prophet_files::Output;
use prophet_trace::{Header, Record, Results, Sorter, TraceWriter, Traffic};

/// Maximum number of chunks that can wait for the thread. If there are more, the engine waits.
const QUEUED_MAX: usize = 8;

#[derive(Debug)]
pub(super) struct File {
    /// The queue to the thread, or `None` once the thread must end.
    queue: RefCell<Option<SyncSender<Message>>>,
    /// Emptied lists, kept for reuse.
    spare: Receiver<Vec<Record>>,
    thread: RefCell<Option<JoinHandle<io::Result<Option<Output>>>>>,
}

#[derive(Debug)]
enum Message {
    /// Records, and a time before which no more records will end.
    Records(Vec<Record>, f64),
    Traffic(Traffic),
    End(Box<Results>),
}

impl File {
    /// Begins a trace that is written to `output`. Records that have to wait are stored on the same
    /// disk as `path`.
    pub(super) fn create(output: Output, path: &Path, header: Header) -> io::Result<Self> {
        let path = path.to_owned();
        let (queue, records) = sync_channel(QUEUED_MAX);
        let (give, spare) = channel();
        let write = move || {
            let mut sorter = Sorter::new(TraceWriter::new(output, header)?, path);
            for message in records {
                match message {
                    Message::Records(mut records, until_s) => {
                        sorter.add(&mut records, until_s)?;
                        records.clear();
                        // The engine may have ended by now.
                        let _ = give.send(records);
                    }
                    Message::Traffic(traffic) => sorter.add_traffic(&traffic)?,
                    Message::End(results) => {
                        return sorter.finish(*results).map(Some);
                    }
                }
            }
            Ok(None)
        };
        let thread = thread::Builder::new()
            .name("trace".to_owned())
            .spawn(write)?;
        Ok(Self {
            queue: RefCell::new(Some(queue)),
            spare,
            thread: RefCell::new(Some(thread)),
        })
    }

    /// Passes on records. No later record ends before `until_s`. Returns an emptied list. After a
    /// failure, the records are dropped, and [`Self::finish`] reports it.
    pub(super) fn add(&self, records: Vec<Record>, until_s: f64) -> Vec<Record> {
        let room = records.capacity();
        if let Some(queue) = &*self.queue.borrow()
            && let Err(refused) = queue.send(Message::Records(records, until_s))
            && let Message::Records(mut records, _) = refused.0
        {
            records.clear();
            return records;
        }
        self.spare
            .try_recv()
            .unwrap_or_else(|_| Vec::with_capacity(room))
    }

    /// Passes on the traffic on a network's links. After a failure, it is dropped, and
    /// [`Self::finish`] reports it.
    pub(super) fn add_traffic(&self, traffic: Traffic) {
        if let Some(queue) = &*self.queue.borrow() {
            let _ = queue.send(Message::Traffic(traffic));
        }
    }

    pub(super) fn finish(&self, results: Results) -> io::Result<Output> {
        if let Some(queue) = self.queue.take() {
            // If the thread has failed, joining it returns the error.
            let _ = queue.send(Message::End(Box::new(results)));
        }
        let whole = self.join()?;
        whole.ok_or_else(|| io::Error::other("it has already ended"))
    }

    fn join(&self) -> io::Result<Option<Output>> {
        self.queue.take();
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(None),
            Some(Ok(written)) => written,
            Some(Err(_)) => Err(io::Error::other("the thread that writes it panicked")),
        }
    }
}

impl Drop for File {
    /// Drops an unfinished trace, once the thread no longer writes to it.
    fn drop(&mut self) {
        let _ = self.join();
    }
}
