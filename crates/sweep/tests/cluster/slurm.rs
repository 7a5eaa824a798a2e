//! Tests Slurm itself on this machine: its daemons run in the test's folder, without systemd or
//! control groups.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use prophet_testing::{has, skip, stderr};

use crate::cluster::Study;

/// A point that takes several seconds (chunk 3 of 4), among quick ones.
const POINTS: &str = "--vary steps=10,20,30000000,30";

struct Cluster {
    folder: tempfile::TempDir,
    daemons: Vec<Child>,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for daemon in self.daemons.iter_mut().rev() {
            // It doesn't matter if a daemon has already ended.
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn words_of(program: &str, flag: &str) -> String {
    let output = Command::new(program).arg(flag).output().unwrap();
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

impl Cluster {
    /// Starts a cluster; returns `None` if Slurm isn't installed.
    fn start() -> Option<Self> {
        let programs = [
            ("munged", "--version"),
            ("slurmctld", "-V"),
            ("slurmd", "-V"),
            ("sbatch", "-V"),
        ];
        if !programs.iter().all(|(program, flag)| has(program, flag)) {
            return None;
        }
        let folder = tempfile::Builder::new()
            .prefix("slurm")
            .tempdir_in("/tmp")
            .unwrap();
        let mut cluster = Self {
            folder,
            daemons: Vec::new(),
        };
        cluster.write_files();
        let root = cluster.folder.path().to_owned();
        let path = |name: &str| root.join(name).display().to_string();
        let of_munge = ["socket", "key-file", "pid-file", "log-file", "seed-file"];
        let munge = of_munge.map(|it| format!("--{it}={}", path(&format!("munge-{it}"))));
        let conf = path("slurm.conf");
        let munge: Vec<&str> = munge.iter().map(String::as_str).collect();
        cluster.daemon(
            "munged",
            &[&["--foreground", "--force"], &munge[..]].concat(),
        );
        cluster.daemon("slurmctld", &["-D", "-c", "-f", &conf]);
        cluster.daemon("slurmd", &["-D", "-f", &conf]);
        if cluster.is_idle() {
            return Some(cluster);
        }
        let logs = ["slurmctld.log", "slurmd.log"].map(|log| fs::read_to_string(path(log)));
        skip(format_args!("Slurm does not start here: {logs:?}"));
        None
    }

    fn write_files(&self) {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = self.folder.path();
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        let key = folder.join("munge-key-file");
        fs::write(&key, [7; 128]).unwrap();
        fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
        fs::write(folder.join("slurm.conf"), self.conf()).unwrap();
        // Control groups need systemd, and older versions need the plugin.
        let version = words_of("slurmd", "-V");
        let year = version
            .split([' ', '.'])
            .find_map(|it| it.parse::<u32>().ok());
        let plugin = if year.is_some_and(|year| year >= 24) {
            "disabled"
        } else {
            "cgroup/v1"
        };
        fs::write(
            folder.join("cgroup.conf"),
            format!("CgroupPlugin={plugin}\n"),
        )
        .unwrap();
    }

    fn conf(&self) -> String {
        let folder = self.folder.path().display();
        let name = words_of("uname", "-n");
        let name = name.split('.').next().unwrap_or_default();
        let user = words_of("id", "-un");
        let (first, second) = (free_port(), free_port());
        format!(
            "ClusterName=test\nSlurmctldHost={name}(127.0.0.1)\nSlurmUser={user}\n\
             SlurmdUser={user}\nSlurmctldPort={first}\nSlurmdPort={second}\n\
             AuthType=auth/munge\nAuthInfo=socket={folder}/munge-socket\n\
             StateSaveLocation={folder}\nSlurmdSpoolDir={folder}/spool\n\
             SlurmctldPidFile={folder}/slurmctld.pid\nSlurmdPidFile={folder}/slurmd.pid\n\
             SlurmctldLogFile={folder}/slurmctld.log\nSlurmdLogFile={folder}/slurmd.log\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nMailProg=/bin/true\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n\
             JobAcctGatherType=jobacct_gather/none\nReturnToService=2\nKillWait=1\n\
             SchedulerParameters=batch_sched_delay=0,sched_interval=1\n\
             SlurmdParameters=config_overrides\n\
             NodeName={name} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN\n\
             PartitionName=test Nodes=ALL Default=YES State=UP\n"
        )
    }

    fn daemon(&mut self, program: &str, words: &[&str]) {
        let mut command = Command::new(program);
        command
            .args(words)
            .env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        let output = fs::File::create(self.folder.path().join(format!("{program}.txt"))).unwrap();
        let error = output.try_clone().unwrap();
        let daemon = command
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(error)
            .spawn();
        self.daemons.push(daemon.unwrap());
    }

    /// Waits up to a minute. Returns `true` if the node is ready.
    fn is_idle(&self) -> bool {
        Self::eventually(600, || {
            self.ask("sinfo", &["-h", "-o", "%T"]).trim() == "idle"
        })
    }

    fn ask(&self, program: &str, words: &[&str]) -> String {
        let mut command = Command::new(program);
        command
            .args(words)
            .env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        let output = command.stdin(Stdio::null()).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    #[expect(clippy::disallowed_methods, reason = "daemons take their time")]
    fn eventually(looks: u32, is_so: impl Fn() -> bool) -> bool {
        (0..looks).any(|_| {
            let so = is_so();
            if !so {
                std::thread::sleep(Duration::from_millis(100));
            }
            so
        })
    }

    fn kill(&self, task: &str, rows: &Path) {
        let running = ["-h", "-r", "-t", "RUNNING", "-o", "%F_%K"];
        let is_killed = Self::eventually(1200, || {
            let all = self.ask("squeue", &running);
            let ending = format!("_{task}");
            let Some(id) = all.lines().map(str::trim).find(|id| id.ends_with(&ending)) else {
                return false;
            };
            self.ask("scancel", &["--signal=KILL", "--full", id]);
            true
        });
        assert!(is_killed && !rows.exists(), "task {task} was not killed");
    }
}

#[test]
fn a_sweep_on_slurm_is_that_of_one_machine_though_a_task_is_killed() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let study = Study::new();
    study.plan("study.plan", 4, POINTS);
    let mut command = study.command("submit study.plan --slurm --every 1 --out rows.csv");
    command.env("SLURM_CONF", cluster.folder.path().join("slurm.conf"));
    let submitter = command.stderr(Stdio::piped()).spawn().unwrap();
    cluster.kill("3", &study.path("study.plan.chunks/000003.rows"));
    let output = submitter.wait_with_output().unwrap();
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines.len() == 2 && lines[0].ends_with(": chunks 1-4"),
        "{said}"
    );
    assert!(lines[1].ends_with(": chunks 3"), "{said}");
    assert_eq!(study.read("rows.csv"), study.local(POINTS, "csv"));
}
