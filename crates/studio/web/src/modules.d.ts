/** The minimap has no types of its own. */
declare module 'diagram-js-minimap' {
  const module: Record<string, unknown>;
  export default module;
}
