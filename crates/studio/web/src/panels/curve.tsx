import { useEffect, useState } from 'preact/hooks';

import { Curve, type Range } from '../curve';
import { flagOf, withFlag } from '../flags';
import { seconds } from '../format';
import type { Flag, Point } from '../protocol';
import type { Studio } from '../studio';
import { Plot } from './plot';
import { useStore } from './use';

interface CurveProps {
  studio: Studio;
  flag: Flag;
  /** The ends of the slider, so that its thumb is above its point. */
  range: Range;
}

/** The predicted time over a slider's values, with the current value. */
export function TimeCurve({ studio, flag, range }: CurveProps) {
  const { name, kind } = flag;
  const { revision } = useStore(studio.document.state);
  const all = useStore(studio.predictor.flags);
  const { result } = useStore(studio.predictor.prediction);
  const others = withFlag(all, name, null);
  const [points, setPoints] = useState<Point[]>([]);
  useEffect(() => {
    setPoints([]);
    const asked = { flag: name, flags: others, range, integer: kind === 'integer' };
    const curve = new Curve(asked, setPoints);
    return () => curve.end();
  }, [name, kind, revision, JSON.stringify(others), ...range]);
  const first = points[0];
  if (first === undefined || points.length < 2) return null;
  const value = Number(flagOf(all, name) ?? flag.default ?? NaN);
  const now = points.find(([at]) => at === value)?.[1] ?? result?.predicted_time_s;
  const mark: Point | null = now === undefined || isNaN(value) ? null : [value, now];
  const up: Range = [0, Math.max(...points.map(([, time]) => time), now ?? 0)];
  const last = points.at(-1) ?? first;
  const ends = [first, last].map(([at, time]) => `${seconds(time)} with ${at}`);
  const faster = mark && mark[1] > 0 ? first[1] / mark[1] : null;
  return (
    <figure class="time-curve">
      <Plot
        about={`Predicted time over ${name}: ${ends.join(', ')}`}
        curves={[points]}
        across={range}
        {...{ up, mark }}
      />
      <figcaption>
        {mark && `${seconds(mark[1])} with ${value}`}
        {faster !== null && value !== first[0] && (
          <>
            : {faster.toPrecision(3)} times as fast as with {first[0]}
          </>
        )}
      </figcaption>
    </figure>
  );
}
