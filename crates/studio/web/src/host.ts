/** Represents the studio that answers the page. */

export interface Host {
  /** Sends a request. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Returns the changes made elsewhere; null if that is impossible. */
  events(): EventSource | null;
  /** Leaves the model for the list of all models. */
  showModels(): void;
}

/**
 * The server that the page came from; addresses are relative to the page, which contains a token.
 */
const SERVER: Host = {
  request: (path, init) => fetch(path, init),
  events: () => new EventSource('api/events'),
  showModels: () => {
    const [, token] = window.location.pathname.split('/');
    window.location.href = `/${token}/models/`;
  },
};

let current = SERVER;

export function host(): Host {
  return current;
}

/** Sets another host for the page, before it starts. */
export function setHost(other: Host): void {
  current = other;
}
