/** Lays diagrams out in a worker, so that the page stays responsive. */

import type { Graph } from './graph';
import { layout } from './layout';

onmessage = ({ data }: MessageEvent<Graph>) => {
  postMessage(layout(data));
};
