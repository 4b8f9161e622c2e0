import { readFileSync } from 'node:fs';
import { HELPER_NAMES } from './helper-names.js';
import { parseTemplate } from './languages.js';

const EDITOR = new URL('../../../apps/console/src/editor/suggestions.ts', import.meta.url);

describe('HELPER_NAMES', () => {
  it('should be those that the editor of the console completes', () => {
    const [, table = ''] = /const HELPERS[^{]*\{([\s\S]*?)\n\};/.exec(readFileSync(EDITOR, 'utf8')) ?? [];
    const names = [...table.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
    expect(names.toSorted()).toEqual([...HELPER_NAMES].toSorted());
  });

  it('should have examples of Liquid beside them, all of which can be read', () => {
    const [, table = ''] = /const LIQUID[^{]*\{([\s\S]*?)\n\};/.exec(readFileSync(EDITOR, 'utf8')) ?? [];
    const examples = [...table.matchAll(/^ {2}\w+: (?:'([^']*)'|"([^"]*)"),$/gm)].map(
      ([, one, other]) => one ?? other ?? '',
    );
    expect(examples.length).toBeGreaterThan(15);
    expect(examples.filter((example) => !parseTemplate(example, 'liquid').ok)).toEqual([]);
  });
});
