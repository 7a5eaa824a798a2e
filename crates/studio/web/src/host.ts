/** The studio that answers the page. */

export interface Host {
  /** Sends a request. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The changes that others make; null if there are no others. */
  events(): EventSource | null;
  /** Leaves the model for the list of all models. */
  showModels(): void;
}

/** The server that the page came from: addresses are relative to the page's, which has a token. */
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

/** Gives the page another host, before it starts. */
export function setHost(other: Host): void {
  current = other;
}
