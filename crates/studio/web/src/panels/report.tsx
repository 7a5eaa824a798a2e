import { useEffect, useRef } from 'preact/hooks';

import { elementOf, nodeOfElement, title } from '../model';
import { elementsOf } from '../report';
import type { Studio } from '../studio';
import { RunProgress } from './progress';
import { useStore } from './use';

/** Maximum length of a report's text about its view. */
const FRAGMENT_MAX = 8192;

/** The view of the last report, for the next one. */
let fragment = '';

/** The prediction's whole report, with the same elements as the drawing. */
export function ReportPanel({ studio }: { studio: Studio }) {
  const { reporter, predictor } = studio;
  const { address, error, running, outdated } = useStore(reporter.reported);
  const { result } = useStore(predictor.prediction);
  return (
    <div class="report">
      <div class="report-bar">
        {outdated && !running && (
          <button type="button" class="wide" onClick={() => void reporter.update()}>
            Update the report
          </button>
        )}
        {running && (
          <RunProgress
            run="report"
            measure={result && { endS: result.predicted_time_s, exact: true }}
            stop={() => reporter.stop()}
          />
        )}
        {error !== null && (
          <p class="finding error" role="alert">
            {error}
          </p>
        )}
        {address !== null && (
          <a href={address} target="_blank" rel="noopener">
            Open in a new tab
          </a>
        )}
      </div>
      {address !== null && <ReportFrame key={address} studio={studio} address={address} />}
    </div>
  );
}

/** A message from a report. */
type Message =
  | { type: 'ready' }
  | { type: 'element'; id: string }
  | { type: 'address'; fragment: string };

/** An isolated page, which exchanges messages with this one. */
function ReportFrame({ studio, address }: { studio: Studio; address: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    // The element that the report itself has selected.
    let chosen: string | null = null;
    const mark = () => {
      const state = studio.document.state.value;
      const [id] = studio.view.selection.value;
      const found = id === undefined ? undefined : elementOf(state, id);
      const node = found?.type === 'node' ? found.node : null;
      const message = {
        type: 'mark',
        name: node ? title(node) : '',
        ids: node ? elementsOf(state, node).map(String) : [],
        seen: node !== null && node.id !== chosen,
      };
      // A sandboxed frame has no origin to name; the messages contain nothing secret.
      frame.current?.contentWindow?.postMessage(message, '*');
    };
    const receive = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || origin !== 'null') return;
      const message = data as Message | null;
      if (message?.type === 'ready') mark();
      else if (message?.type === 'element') {
        chosen = nodeOfElement(studio.document.state.value, Number(message.id));
        if (chosen !== null) studio.view.reveal(chosen);
      } else if (message?.type === 'address' && typeof message.fragment === 'string') {
        fragment = message.fragment.slice(0, FRAGMENT_MAX);
      }
    };
    window.addEventListener('message', receive);
    const forget = studio.view.selection.watch(mark);
    return () => {
      window.removeEventListener('message', receive);
      forget();
    };
  }, [studio, address]);
  return (
    <iframe
      ref={frame}
      title="Report on the prediction"
      sandbox="allow-scripts allow-downloads"
      src={fragment === '' ? address : `${address}#${fragment}`}
    />
  );
}
