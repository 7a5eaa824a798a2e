import type { Table } from '../protocol';
import type { Studio } from '../studio';
import { TextField } from './field';
import { useStore } from './use';

/** Tables of `interpolate`, which are files beside the model. */
export function Tables({ studio }: { studio: Studio }) {
  const { tables, editable } = useStore(studio.document.state);
  if (tables.length === 0) return null;
  return (
    <section>
      <h2>Tables</h2>
      <p class="hint">Files beside the model, written at once: x, and the value at x, by line.</p>
      {tables.map((table) => (
        <TableFields key={table.name} studio={studio} table={table} readOnly={!editable} />
      ))}
    </section>
  );
}

interface TableProps {
  studio: Studio;
  table: Table;
  readOnly: boolean;
}

function TableFields({ studio, table, readOnly }: TableProps) {
  const { name, text, why } = table;
  if (why !== null) {
    return (
      <p>
        {name}: {why}.
      </p>
    );
  }
  return (
    <div class="function">
      <TextField
        label={name}
        about="Lines of two numbers, with a comma between them; x grows from line to line"
        value={text ?? ''}
        lines={6}
        readOnly={readOnly}
        onChange={(now) => void studio.document.writeTable(name, now)}
      />
      {text === null && <p class="hint">There is no such file: what is written here begins it.</p>}
      <Curve name={name} points={pointsOf(text ?? '')} />
    </div>
  );
}

type Point = [number, number];

/** The lines that are two numbers, as the checker reads them. */
export function pointsOf(text: string): Point[] {
  const lines = text.split('\n').map((line) => line.trim().split(/[,;\t]/));
  const numbers = lines.map((cells) => cells.map((cell) => (cell.trim() ? Number(cell) : NaN)));
  return numbers.filter((cells): cells is Point => cells.length === 2 && cells.every(isFinite));
}

const WIDTH = 240;
const HEIGHT = 72;
const EDGE = 5;

/** The table as `interpolate` reads it: lines between its points. */
function Curve({ name, points }: { name: string; points: Point[] }) {
  if (points.length < 2) return null;
  const [x, y] = [scale(points.map(([x]) => x), WIDTH), scale(points.map(([, y]) => y), HEIGHT)];
  const places = points.map((point): Point => [x(point[0]), HEIGHT - y(point[1])]);
  const [first, last] = [points[0], points.at(-1)];
  const about = `${name}: ${points.length} points from ${String(first)} to ${String(last)}`;
  return (
    <svg class="curve" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={about}>
      <polyline points={places.join(' ')} />
      {places.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r="2.5" />
      ))}
    </svg>
  );
}

/** Places of values on an axis of that length, which begins at the least of them. */
function scale(values: number[], length: number): (value: number) => number {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const factor = most > least ? (length - 2 * EDGE) / (most - least) : 0;
  return (value) => EDGE + (value - least) * factor;
}
