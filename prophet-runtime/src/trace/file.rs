//! The thread that puts records in order and writes them, while the engine goes on.

use std::cell::RefCell;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use prophet_trace::{Header, Record, Results, Sorter, Writer};

/// Chunks of records that wait for the thread; the engine waits when there are more.
const QUEUED_MAX: usize = 8;

/// A trace that is being written.
#[derive(Debug)]
pub(super) struct File {
    /// None when the thread is to end.
    queue: RefCell<Option<SyncSender<Message>>>,
    /// Emptied lists, for records to come.
    spare: Receiver<Vec<Record>>,
    thread: RefCell<Option<JoinHandle<io::Result<()>>>>,
}

#[derive(Debug)]
enum Message {
    /// Records, and a time before which no more will end.
    Records(Vec<Record>, f64),
    End(Box<Results>),
}

impl File {
    /// Begins a trace at `path`, in place of what is there.
    pub(super) fn create(path: &Path, header: Header) -> io::Result<Self> {
        let file = std::fs::File::create(path)?;
        let mut aside = path.as_os_str().to_owned();
        aside.push(".unsorted");
        let (queue, records) = sync_channel(QUEUED_MAX);
        let (give, spare) = channel();
        let write = move || {
            let mut sorter = Sorter::new(Writer::new(file, header)?, aside.into());
            for message in records {
                match message {
                    Message::Records(mut records, until_s) => {
                        sorter.add(&mut records, until_s)?;
                        records.clear();
                        // The engine may have ended.
                        let _ = give.send(records);
                    }
                    Message::End(results) => {
                        sorter.finish(*results)?;
                        break;
                    }
                }
            }
            Ok(())
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

    /// Passes records on, after which none will come that ends before `until_s`; returns an empty
    /// list. After a failure, which [`Self::finish`] tells, they are forgotten.
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

    /// Writes the end of the trace.
    pub(super) fn finish(&self, results: Results) -> io::Result<()> {
        if let Some(queue) = self.queue.take() {
            // If the thread has failed, that is what it returns.
            let _ = queue.send(Message::End(Box::new(results)));
        }
        self.join()
    }

    fn join(&self) -> io::Result<()> {
        self.queue.take();
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(written)) => written,
            Some(Err(_)) => Err(io::Error::other("the thread that writes it has panicked")),
        }
    }
}

impl Drop for File {
    /// Leaves a trace that is not finished, when nobody writes to it any more.
    fn drop(&mut self) {
        let _ = self.join();
    }
}
