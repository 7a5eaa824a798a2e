import { useEffect, useState } from 'preact/hooks';

import type { Store } from '../store';

/** The value of a store, with the component drawn anew at each change. */
export function useStore<T>(store: Store<T>): T {
  const [, redraw] = useState({});
  useEffect(() => {
    redraw({});
    return store.watch(() => redraw({}));
  }, [store]);
  return store.value;
}
