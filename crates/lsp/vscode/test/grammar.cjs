// Prints, for each line of standard input, its parts with their innermost scopes, as JSON.

const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const oniguruma = require('vscode-oniguruma');
const { INITIAL, Registry, parseRawGrammar } = require('vscode-textmate');

const file = join(__dirname, '../syntaxes/plantuml.tmLanguage.json');

async function main() {
  await oniguruma.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')));
  const registry = new Registry({
    onigLib: {
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    },
    loadGrammar: async () => parseRawGrammar(readFileSync(file, 'utf8'), file),
  });
  const grammar = await registry.loadGrammar('source.plantuml');
  let state = INITIAL;
  const lines = readFileSync(0, 'utf8').split('\n').map((line) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    state = ruleStack;
    const part = (it) => [line.slice(it.startIndex, it.endIndex).trim(), it.scopes.at(-1)];
    return tokens.map(part).filter(([text]) => text !== '');
  });
  console.log(JSON.stringify(lines));
}

main();
