/** The minimap has no types of its own. */
declare module 'diagram-js-minimap' {
  const module: Record<string, unknown>;
  export default module;
}

/** The only parts of Node that the build needs. */
declare module 'node:fs' {
  export function readFileSync(path: string, encoding: 'utf8'): string;
}

declare module 'node:crypto' {
  interface Hash {
    update(text: string): Hash;
    digest(encoding: 'base64'): string;
  }
  export function createHash(name: 'sha256'): Hash;
}
