/** Shows the page of a folder. */

import './styles/base.css';
import './styles/models.css';

import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { api } from './api';
import { takeDrops } from './given';
import { Importer } from './importer';
import { Outcome, TAKEN } from './panels/import';
import { ModelList } from './panels/models';
import { TakeFiles } from './panels/take-files';
import { useStore } from './panels/use';

/** Creates models in the folder from the user's files. */
function ImportInto() {
  const [importer] = useState(() => new Importer());
  const importing = useStore(importer.importing);
  useEffect(() => takeDrops((given) => void importer.take(given)), [importer]);
  return (
    <section class="drop" aria-labelledby="import">
      <h2 id="import">Import</h2>
      <TakeFiles onFiles={(given) => void importer.take(given)} />
      <p>or drop them here. {TAKEN}</p>
      <Outcome importing={importing} />
    </section>
  );
}

const place = document.getElementById('models');
if (place) {
  const failed = (error: unknown) => {
    place.textContent = `The studio cannot start: ${String(error)}`;
  };
  const none = <p>There is no model in this folder yet.</p>;
  api
    .models()
    .then(({ models: list, samples }) => {
      render(<ModelList {...{ list, samples, none, more: <ImportInto /> }} />, place);
    })
    .catch(failed);
}
