//! Describes how a model's elements use custom devices.

use crate::language::element::Element;

/// A use of a custom device. A hardware model determines how long it takes.
///
/// ```
/// use prophet_runtime::{ActionPlus, DeviceUse, Duration, HardwareModel, Model, Resource};
/// use prophet_runtime::{Simulation, System, Values};
///
/// #[derive(Debug)]
/// struct Disk;
///
/// impl Duration for Disk {
///     fn duration_s(&self, resources: Values<'_>) -> f64 {
///         resources.get("bytes") / 1e9
///     }
/// }
///
/// const DISKS: [HardwareModel; 1] = [HardwareModel::device("disk", "plain", |_| Box::new(Disk))
///     .with_resources(&[Resource::new("bytes")])];
/// const SAVE: ActionPlus = ActionPlus::new(0, "Save", 1);
/// const DISK: DeviceUse = DeviceUse::new(0, "disk", &["bytes"]);
/// const MODEL: Model = Model::new("Saving", &[], 1).uses(&[DISK]).hardware(&[&DISKS]);
///
/// let run = Simulation::new(&MODEL, System::default())
///     .run(async |ctx| SAVE.execute(ctx, ctx.rud(&DISK, &[2e9])).await);
/// assert_eq!(run.map(|outcome| outcome.predicted_time_s), Ok(2.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeviceUse {
    pub(crate) index: u32,
    /// The name of the device.
    pub device: &'static str,
    /// The name of the hardware model for the device, or `None` for the machine's choice.
    pub model: Option<&'static str>,
    /// The names of the resources, in the order in which you pass their values to
    /// [`ProcessCtx::rud`](crate::ProcessCtx::rud).
    pub resources: &'static [&'static str],
    /// The first element with this use, and its stereotype.
    pub(crate) user: Option<(&'static str, Element)>,
}

impl DeviceUse {
    /// Creates a use of `device`. `index` is its index among the model's uses, and `resources`
    /// contains the names of the resources.
    pub const fn new(index: u32, device: &'static str, resources: &'static [&'static str]) -> Self {
        Self {
            index,
            device,
            model: None,
            resources,
            user: None,
        }
    }

    /// Selects the hardware model for the device by its name.
    #[must_use]
    pub const fn by(self, model: &'static str) -> Self {
        Self {
            model: Some(model),
            ..self
        }
    }

    /// Sets the first element with this use, for messages: its stereotype, name, and id.
    #[must_use]
    pub const fn used_by(self, kind: &'static str, name: &'static str, id: i64) -> Self {
        let user = Some((kind, Element { index: 0, name, id }));
        Self { user, ..self }
    }
}
