import { percent, seconds } from '../format';
import { nodeOfElement } from '../model';
import type { PathOfRun, Result } from '../protocol';
import type { Studio } from '../studio';
import { RunProgress } from './progress';
import { useStore } from './use';

/** Maximum number of listed elements. */
const MOST_LISTED = 20;

/** The switch that marks the critical path on diagrams, and the parts of the path. */
export function CriticalPathPanel({ studio, result }: { studio: Studio; result: Result }) {
  const { reporter, view } = studio;
  const marks = useStore(reporter.marksPath);
  const { path, error, running, outdated } = useStore(reporter.reported);
  return (
    <section>
      <h2>Critical path</h2>
      <label class="switch">
        <input
          type="checkbox"
          checked={marks}
          onChange={(event) => reporter.marksPath.set(event.currentTarget.checked)}
        />
        Mark it on the diagrams
      </label>
      {marks && running && (
        <RunProgress
          run="report"
          measure={{ endS: result.predicted_time_s, exact: true }}
          stop={() => reporter.stop()}
        />
      )}
      {marks && outdated && !running && (
        <button type="button" class="wide" onClick={() => void reporter.update()}>
          Find the path again
        </button>
      )}
      {marks && error !== null && <p class="finding error">{error}</p>}
      {marks && path !== null && <PathElements studio={studio} path={path} result={result} />}
      <button type="button" class="wide" onClick={() => view.tab.set('report')}>
        Open the report
      </button>
    </section>
  );
}

interface PathElementsProps {
  studio: Studio;
  path: PathOfRun;
  result: Result;
}

/** Elements by their time on the path; a click shows one in its diagram. */
function PathElements({ studio, path, result }: PathElementsProps) {
  const state = studio.document.state.value;
  const names = new Map(result.elements.map(({ id, name }) => [id, name]));
  const held = path.elements.filter(({ seconds }) => seconds > 0);
  const sorted = held.toSorted((a, b) => b.seconds - a.seconds).slice(0, MOST_LISTED);
  return (
    <ul class="shares on-path">
      {sorted.map(({ element, seconds: time }) => {
        const node = nodeOfElement(state, element);
        const share = path.end_s > 0 ? time / path.end_s : 0;
        return (
          <li key={element}>
            <button
              type="button"
              disabled={node === null}
              title={`${seconds(time)} of the critical path`}
              onClick={() => node !== null && studio.view.reveal(node)}
            >
              <span class="name">{names.get(element) ?? element}</span>
              <span class="figure">{percent(share)}</span>
              <span class="bar">
                <span style={{ width: `${Math.min(100, share * 100)}%` }} />
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
