import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { api, reasonOf } from '../api';
import type { Models, Sample } from '../protocol';

interface ModelListProps {
  list: Models['models'];
  samples: Sample[];
  /** Shown if a folder has no models. */
  none: ComponentChildren;
  /** Further options on the page. */
  more?: ComponentChildren;
}

/** A folder's models, to open one or create another. */
export function ModelList({ list, samples, none, more }: ModelListProps) {
  const [text, setText] = useState('');
  const found = list.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
  return (
    <main class="models">
      <h1>Performance Prophet</h1>
      <section aria-labelledby="open">
        <h2 id="open">Open a model</h2>
        {list.length > 8 && (
          <input
            type="search"
            aria-label="Part of a name"
            placeholder="Part of a name"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
        {list.length === 0 && none}
        <ul class="list">
          {found.map(({ name, address }) => (
            <li key={name}>
              <a href={address}>{name}</a>
            </li>
          ))}
        </ul>
      </section>
      {more}
      <NewModel samples={samples} />
    </main>
  );
}

/** Asks for a new model's name, and what to start from. */
function NewModel({ samples }: { samples: Sample[] }) {
  const [name, setName] = useState('');
  const [sample, setSample] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const create = async () => {
    try {
      window.location.href = (await api.create(name || file, sample)).address;
    } catch (failure) {
      setError(reasonOf(failure));
    }
  };
  const file = `${sample ?? 'model'}.uml`;
  const choices = [{ name: null, about: 'nothing is drawn yet' }, ...samples];
  return (
    <form
      aria-labelledby="new"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <h2 id="new">Create a model</h2>
      <p class="name">
        <label for="name">Name</label>
        <input
          id="name"
          required={sample === null}
          placeholder={file}
          value={name}
          aria-invalid={error !== null}
          aria-describedby="error"
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit">Begin</button>
      </p>
      <p id="error" role="alert">
        {error}
      </p>
      <fieldset>
        <legend>Start from</legend>
        {choices.map((one) => (
          <label key={one.name}>
            <input
              type="radio"
              name="sample"
              checked={sample === one.name}
              onChange={() => setSample(one.name)}
            />
            <span>
              <b>{one.name ?? 'an empty model'}</b> {one.about}
            </span>
          </label>
        ))}
      </fieldset>
    </form>
  );
}
