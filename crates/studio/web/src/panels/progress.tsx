import { useEffect, useState } from 'preact/hooks';

import { api } from '../api';
import { percent, seconds } from '../format';
import type { Progress, Runs } from '../protocol';

/** Runs that take less than this show no progress. */
const PATIENCE_MS = 500;
const EVERY_MS = 300;

/** The simulated time of another run, which a run of this kind comes close to. */
export interface Measure {
  endS: number;
  /** Whether the run ends at that time; false if it may have changed since. */
  exact: boolean;
}

interface RunProgressProps {
  run: keyof Runs;
  measure: Measure | null;
  stop?(): void;
}

/** The progress of a run that takes a while, and the button that stops it. */
export function RunProgress({ run, measure, stop }: RunProgressProps) {
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
      {progress !== null && <Reached progress={progress} measure={measure} />}
      {stop && (
        <button type="button" class="stop" onClick={stop}>
          Stop
        </button>
      )}
    </div>
  );
}

interface ReachedProps {
  progress: Progress;
  measure: Measure | null;
}

function Reached({ progress: { time_s: time, events }, measure }: ReachedProps) {
  const words = `${seconds(time)} simulated, ${events.toLocaleString('en-US')} events`;
  // If a run takes longer than the last one, its share is unknown.
  const share = measure && time <= measure.endS ? time / measure.endS : null;
  if (share === null || !Number.isFinite(share)) return <p class="hint">{words}</p>;
  const of = measure?.exact ? '' : ' of the last predicted time';
  return (
    <>
      <progress value={share} aria-label={`Simulated part${of || ' of the run'}`} />
      <p class="hint">{`${percent(share)}${of}: ${words}`}</p>
    </>
  );
}
