import { useLayoutEffect, useState } from 'preact/hooks';

import type { Store } from '../store';

/** Returns a store's value; redraws the component at each change. */
export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({});
  const { value } = store;
  useLayoutEffect(() => {
    // It may have changed since the component was drawn.
    if (!Object.is(value, store.value)) redraw({});
    return store.watch(() => redraw({}));
  }, [store]);
  return value;
}
