/** A worker that lays diagrams out, so that the page stays alive. */

import type { Graph } from './graph';
import { layout } from './layout';

onmessage = ({ data }: MessageEvent<Graph>) => {
  postMessage(layout(data));
};
