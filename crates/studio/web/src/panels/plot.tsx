/** Draws lines through points for tables and predictions. */

import type { Range } from '../curve';
import type { Point } from '../protocol';

const WIDTH = 240;
const HEIGHT = 72;
const EDGE = 5;

interface PlotProps {
  about: string;
  curves: Point[][];
  /** Ends of the axes; by default, those of the points. */
  across?: Range;
  up?: Range;
  /** The highlighted point. */
  mark?: Point | null;
}

export function Plot({ about, curves, across, up, mark = null }: PlotProps) {
  const points = curves.flat();
  const x = scale(across ?? rangeOf(points.map(([x]) => x)), WIDTH);
  const y = scale(up ?? rangeOf(points.map(([, y]) => y)), HEIGHT);
  const place = (point: Point): Point => [x(point[0]), HEIGHT - y(point[1])];
  const [markX, markY] = mark ? place(mark) : [0, 0];
  return (
    <svg class="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={about}>
      {curves.map((curve, index) => (
        <polyline key={index} points={curve.map(place).join(' ')} />
      ))}
      {points.map(place).map(([x, y], index) => (
        <circle key={index} cx={x} cy={y} r={mark ? 1.5 : 2.5} />
      ))}
      {mark && <circle class="mark" cx={markX} cy={markY} r="4" />}
    </svg>
  );
}

function rangeOf(values: number[]): Range {
  return [Math.min(...values), Math.max(...values)];
}

/** Maps values to positions on an axis of this length. */
function scale([least, most]: Range, length: number): (value: number) => number {
  const factor = most > least ? (length - 2 * EDGE) / (most - least) : 0;
  return (value) => EDGE + (value - least) * factor;
}
