/** The page of a folder. */

import './styles/base.css';
import './styles/models.css';

import { render } from 'preact';

import { api } from './api';
import { ModelList } from './panels/models';

const place = document.getElementById('models');
if (place) {
  const failed = (error: unknown) => {
    place.textContent = `The studio cannot start: ${String(error)}`;
  };
  const none = <p>There is no model in this folder yet.</p>;
  api
    .models()
    .then(({ models: list, samples }) => render(<ModelList {...{ list, samples, none }} />, place))
    .catch(failed);
}
