import { useEffect, useState } from 'preact/hooks';

import { api } from '../api';
import { percent, seconds } from '../format';
import type { Progress, Runs } from '../protocol';

/** Time that most runs take less than: their progress is not shown. */
const PATIENCE_MS = 500;
const EVERY_MS = 300;

interface RunProgressProps {
  run: keyof Runs;
  /** The simulated time at which the run ends, if it is known. */
  end: number | null;
  stop(): void;
}

/** How far a run has come, if it takes a while, and the button that stops it. */
export function RunProgress({ run, end, stop }: RunProgressProps) {
  const [progress, setProgress] = useState<Progress | null>(null);
  useEffect(() => {
    let timer = 0;
    const look = async () => {
      const runs = await api.progress().catch(() => null);
      if (timer === 0) return;
      setProgress(runs?.[run] ?? null);
      timer = window.setTimeout(() => void look(), EVERY_MS);
    };
    timer = window.setTimeout(() => void look(), PATIENCE_MS);
    return () => {
      window.clearTimeout(timer);
      timer = 0;
    };
  }, [run]);
  return (
    <div class="run-progress">
      {progress !== null && <Reached progress={progress} end={end} />}
      <button type="button" class="stop" onClick={stop}>
        Stop
      </button>
    </div>
  );
}

function Reached({ progress, end }: { progress: Progress; end: number | null }) {
  const { time_s: time, events } = progress;
  const share = end !== null && end > 0 ? Math.min(1, time / end) : null;
  const words = `${seconds(time)} simulated, ${events.toLocaleString('en-US')} events`;
  return (
    <>
      {share !== null && <progress value={share} aria-label="Simulated part of the run" />}
      <p class="hint">{share === null ? words : `${percent(share)}: ${words}`}</p>
    </>
  );
}
