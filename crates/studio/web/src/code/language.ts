/** Describes the cost language for the editor; the server reports what is wrong. */

import { StreamLanguage, type StringStream } from '@codemirror/language';

/** Names in the language (docs/cost-language.md), by kind. */
export const VALUES = (
  'uid pid tid nid NUM_NODES NUM_CPUS NUM_PROCESSES NUM_THREADS ANY PROC_NULL true false ' +
  'M_PI M_E'
).split(' ');

export const FUNCTIONS = (
  'sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 ' +
  'log1p sqrt cbrt floor ceil round rint nearbyint trunc fabs erf erfc tgamma lgamma pow atan2 ' +
  'hypot fmod fdim fmin fmax copysign fma abs min max lround llround lrint llrint interpolate ' +
  'clc grid_left grid_right grid_up grid_down grid_front grid_back uniform exponential ' +
  'normal lognormal gamma erlang weibull triangular poisson bernoulli'
).split(' ');

export const KEYWORDS = (
  'int long short unsigned double float bool const if else for while do break continue return ' +
  'let mut loop in as i64 f64'
).split(' ');

/** Explanations next to completions. */
export const MEANINGS: Partial<Record<string, string>> = {
  uid: 'number of the unit: process and thread',
  pid: 'this process, from 0',
  tid: 'this thread, from 0',
  nid: 'the node of this process',
  NUM_NODES: 'nodes',
  NUM_CPUS: 'CPUs per node',
  NUM_PROCESSES: 'processes',
  NUM_THREADS: 'threads per process',
  ANY: 'any source or tag',
  PROC_NULL: 'no process',
  interpolate: '("table.csv", x)',
  clc: '("2*CMLL,ANDL")',
  grid_left: '(pid, nx, periodic)',
  grid_right: '(pid, nx, periodic)',
  grid_up: '(pid, nx, ny, periodic)',
  grid_down: '(pid, nx, ny, periodic)',
  grid_front: '(pid, nx, ny, nz, periodic)',
  grid_back: '(pid, nx, ny, nz, periodic)',
  uniform: '(from, to)',
  exponential: '(mean)',
  normal: '(mean, deviation)',
};

const CLASSES = new Map<string, string>([
  ...KEYWORDS.map((word): [string, string] => [word, 'keyword']),
  ...FUNCTIONS.map((word): [string, string] => [word, 'variableName.standard']),
  ...VALUES.map((word): [string, string] => [word, 'atom']),
]);

interface Place {
  comment: boolean;
}

function comment(stream: StringStream, place: Place): string {
  place.comment = !stream.match(/^.*?\*\//);
  if (place.comment) stream.skipToEnd();
  return 'comment';
}

export const costLanguage = StreamLanguage.define<Place>({
  name: 'cost',
  startState: () => ({ comment: false }),
  token(stream, place) {
    if (place.comment) return comment(stream, place);
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match('/*')) return comment(stream, place);
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFlLuU]*/)) return 'number';
    const word = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
    if (word) return CLASSES.get(word[0]) ?? 'variableName';
    if (stream.match(/^[-+*/%<>=!&|^~?:]+/)) return 'operator';
    stream.next();
    return 'punctuation';
  },
  languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } } },
});
