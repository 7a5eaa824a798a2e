//! Models the device `disk`, with two models for different hardware.

use prophet_runtime::{Duration, HardwareModel, Resource, Setting, Values};

/// Description of the model `hard`.
pub(crate) const HARD_DISK: HardwareModel = HardwareModel::device("disk", "hard", |settings| {
    Box::new(HardDisk {
        seek_s: settings.get("seek"),
        bytes_per_s: settings.get("bandwidth"),
    })
})
.with_settings(&[
    Setting::seconds("seek", "the time of a seek").or(5e-3),
    Setting::bytes_per_s("bandwidth", "the bandwidth after a seek").above(0.0),
])
.with_resources(&[Resource::new("bytes"), Resource::new("seeks")])
.with_work("two multiplications");

/// Description of the model `flash`.
pub(crate) const FLASH: HardwareModel = HardwareModel::device("disk", "flash", |settings| {
    Box::new(Flash {
        channel_bytes_per_s: settings.get("bandwidth"),
        channels: settings.get("channels"),
        page_bytes: settings.get("page"),
    })
})
.with_settings(&[
    Setting::bytes_per_s("bandwidth", "the bandwidth of a channel")
        .or(0.5e9)
        .above(0.0),
    Setting::number(
        "channels",
        "the number of channels that work at the same time",
    )
    .or(8.0)
    .within(1.0, 1024.0),
    Setting::bytes("page", "the number of bytes per write")
        .or(16384.0)
        .above(0.0),
])
.with_resources(&[Resource::new("bytes")])
.with_work("a division and a rounding");

/// A disk with an arm.
#[derive(Debug)]
struct HardDisk {
    seek_s: f64,
    bytes_per_s: f64,
}

impl Duration for HardDisk {
    fn duration_s(&self, resources: Values<'_>) -> f64 {
        let seeks_s = resources.get("seeks") * self.seek_s;
        seeks_s + resources.get("bytes") / self.bytes_per_s
    }
}

/// A disk without an arm. Each of its channels writes one page at a time.
#[derive(Debug)]
struct Flash {
    channel_bytes_per_s: f64,
    channels: f64,
    page_bytes: f64,
}

impl Duration for Flash {
    fn duration_s(&self, resources: Values<'_>) -> f64 {
        let pages = (resources.get("bytes") / self.page_bytes).ceil();
        let rounds = (pages / self.channels).ceil();
        rounds * self.page_bytes / self.channel_bytes_per_s
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arm_has_to_move() {
        let disk = HardDisk {
            seek_s: 0.005,
            bytes_per_s: 1e8,
        };
        let resources = [("bytes", 2e8), ("seeks", 4.0)];
        assert!((disk.duration_s(Values::new(&resources)) - 2.02).abs() < 1e-12);
    }

    #[test]
    fn channels_write_whole_pages() {
        let disk = Flash {
            channel_bytes_per_s: 1e6,
            channels: 2.0,
            page_bytes: 1000.0,
        };
        let time_s = |bytes| disk.duration_s(Values::new(&[("bytes", bytes)]));
        assert!((time_s(2000.0) - 1e-3).abs() < 1e-15);
        assert!((time_s(2001.0) - 2e-3).abs() < 1e-15);
    }
}
