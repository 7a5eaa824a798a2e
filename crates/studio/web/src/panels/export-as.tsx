import { useEffect, useState } from 'preact/hooks';

import { api, reasonOf } from '../api';
import { download, exportFilm, exportPng, exportSvg } from '../canvas/export';
import type { Choice } from '../protocol';
import type { Studio } from '../studio';
import { Chooser, type Item } from './chooser';

/** Pictures of the displayed diagram, which the page makes itself. */
const PICTURES: (Item & { run(studio: Studio): unknown })[] = [
  { key: 'page svg', label: 'this diagram as SVG', detail: 'as it is shown', run: exportSvg },
  {
    key: 'page film',
    label: 'the animation as SVG',
    detail: 'one file that plays in any browser',
    run: exportFilm,
  },
  { key: 'page png', label: 'this diagram as PNG', detail: 'as it is shown', run: exportPng },
];

/** Downloads the model as a target, or the events of its run. */
async function exportTarget(studio: Studio, target: string): Promise<void> {
  const { document: model, predictor } = studio;
  const isTrace = target.startsWith('trace-');
  if (isTrace) model.notice.set('The model runs for its trace …');
  try {
    const made = isTrace ? api.traceFile(target, predictor.flags.value) : api.export(target);
    const { name, blob } = await made;
    download(blob, name);
    model.notice.set(null);
  } catch (failure) {
    model.notice.set(reasonOf(failure));
  }
}

/** Chooses a picture, or a target of the generator. */
export function ExportAs({ studio, close }: { studio: Studio; close(): void }) {
  const [targets, setTargets] = useState<Choice[]>([]);
  useEffect(() => {
    void api.targets().then(setTargets, () => setTargets([]));
  }, []);
  const offered = targets.map(({ name, about }) => ({ key: name, label: name, detail: about }));
  const choose = ({ key }: Item) => {
    close();
    const picture = PICTURES.find((one) => one.key === key);
    if (picture) void picture.run(studio);
    else void exportTarget(studio, key);
  };
  const items = [...PICTURES, ...offered];
  return <Chooser title="Export as" items={items} onChoose={choose} onCancel={close} />;
}
