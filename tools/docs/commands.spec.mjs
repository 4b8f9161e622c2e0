import { readFileSync } from 'node:fs';
import { heraldTable, NPM_COMMANDS } from './commands.mjs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));

describe('the tables of commands', () => {
  it('should name scripts that there are', () => {
    const names = NPM_COMMANDS.map(([command]) => command.replace(/^npm (run )?/, ''));
    expect(names.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('should have a row for each command of herald', () => {
    expect(heraldTable({ start: ['starts Herald', 'a', 'b'] })).toContain('| `herald start` | starts Herald |');
  });
});
