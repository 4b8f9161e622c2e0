import { readFileSync } from 'node:fs';
import { HELPER_NAMES } from './helper-names.js';

const EDITOR = new URL('../../../apps/console/src/editor/suggestions.ts', import.meta.url);

describe('HELPER_NAMES', () => {
  it('should be those that the editor of the console completes', () => {
    const [, table = ''] = /const HELPERS[^{]*\{([\s\S]*?)\n\};/.exec(readFileSync(EDITOR, 'utf8')) ?? [];
    const names = [...table.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
    expect(names.toSorted()).toEqual([...HELPER_NAMES].toSorted());
  });
});
