import 'diagram-js/assets/diagram-js.css';
import 'diagram-js-minimap/assets/diagram-js-minimap.css';
import './styles/base.css';
import './styles/canvas.css';
import './styles/palette.css';
import './styles/panels.css';
import './styles/problems.css';
import './styles/fields.css';
import './styles/prediction.css';
import './styles/dialogs.css';
import './styles/compare.css';
import './styles/animation.css';
import './styles/report.css';
import './styles/machines.css';
import './styles/tool.css';

import { render } from 'preact';

import { Player } from './animation/player';
import { api } from './api';
import { copying } from './canvas/clipboard';
import { Document } from './document';
import { takeDrops } from './given';
import { Importer } from './importer';
import { listen } from './keyboard';
import { App } from './panels/app';
import { fetchEditor } from './panels/code-field';
import { takeFiles } from './panels/import';
import { Predictor } from './prediction';
import { Reporter } from './report';
import { Store } from './store';
import type { Dialog, Studio } from './studio';
import { Sweeper } from './sweeper';
import { View } from './view';
import { watchVisits } from './visit';

/** Shows the host's model in a place on the page. */
export async function start(place: HTMLElement): Promise<Studio> {
  const [vocabulary, state] = await Promise.all([api.vocabulary(), api.state()]);
  const model = new Document(state);
  const view = new View(model);
  const predictor = new Predictor(model);
  const studio: Studio = {
    vocabulary,
    document: model,
    view,
    predictor,
    player: new Player(model, predictor),
    reporter: new Reporter(model, predictor, view),
    sweeper: new Sweeper(),
    importer: new Importer(),
    dialog: new Store<Dialog | null>(null),
    drawing: null,
  };
  document.title = `${state.name || state.file} - studio`;
  render(<App studio={studio} />, place);
  listen(studio);
  watchVisits(model);
  copying(studio);
  takeDrops((given) => void takeFiles(studio, given));
  window.setTimeout(() => void fetchEditor(), 0);
  return studio;
}
