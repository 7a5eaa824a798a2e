import type { Point, Table } from '../protocol';
import type { Studio } from '../studio';
import { TextField } from './field';
import { Plot } from './plot';
import { useStore } from './use';

/** Tables of `interpolate`, which are files next to the model. */
export function Tables({ studio }: { studio: Studio }) {
  const { tables, editable } = useStore(studio.document.state);
  if (tables.length === 0) return null;
  return (
    <section>
      <h2>Tables</h2>
      <p class="hint">
        Files next to the model, written immediately. Each line is x and the value at x, or x, y
        and the value there.
      </p>
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
        about="Lines of two or three numbers, separated by commas; all but the last must increase"
        value={text ?? ''}
        lines={6}
        readOnly={readOnly}
        onChange={(now) => void studio.document.writeTable(name, now)}
      />
      {text === null && <p class="hint">There is no such file: what is written here begins it.</p>}
      <Curves name={name} rows={rowsOf(text ?? '')} />
    </div>
  );
}

/** A point; in a table over two numbers, with the first of them. */
interface Row {
  at: number | null;
  point: Point;
}

/**
 * Parses lines with two numbers, or with three like the first line, in the same way as the checker.
 */
function rowsOf(text: string): Row[] {
  const rows = text.split('\n').flatMap((line) => rowOf(line.trim().split(/[,;\t]/)));
  return rows.filter((row) => (row.at === null) === (rows[0]?.at === null));
}

function rowOf(cells: string[]): Row[] {
  const [a, b, c, ...others] = cells.map((cell) => (cell.trim() ? Number(cell) : NaN));
  if (a === undefined || b === undefined || others.length > 0) return [];
  if (![a, b, c ?? 0].every(isFinite)) return [];
  return [c === undefined ? { at: null, point: [a, b] } : { at: a, point: [b, c] }];
}

/**
 * Returns the points over one number; in a table over two numbers, the points over the second for
 * each first.
 */
function curvesOf(rows: Row[]): Point[][] {
  const curves = new Map<number | null, Point[]>();
  for (const { at, point } of rows) {
    const curve = curves.get(at) ?? [];
    curve.push(point);
    curves.set(at, curve);
  }
  return [...curves.values()];
}

/** Draws the table as `interpolate` reads it: lines between its points. */
function Curves({ name, rows }: { name: string; rows: Row[] }) {
  if (rows.length < 2) return null;
  const curves = curvesOf(rows);
  const [first, last] = [words(rows[0]), words(rows.at(-1))];
  const about = `${name}: ${rows.length} points from ${first} to ${last}`;
  return <Plot about={about} curves={curves} />;
}

function words(row?: Row): string {
  return row === undefined ? '' : [row.at ?? [], row.point].flat().join(',');
}
