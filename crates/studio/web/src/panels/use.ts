import { useLayoutEffect, useState } from 'preact/hooks';

import type { Store } from '../store';

/** The value of a store; the component is drawn again at each change. */
export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({});
  const { value } = store;
  useLayoutEffect(() => {
    // It may have changed since it was drawn.
    if (!Object.is(value, store.value)) redraw({});
    return store.watch(() => redraw({}));
  }, [store]);
  return value;
}
