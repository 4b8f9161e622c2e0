import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../bin/commands.mjs';
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

describe('the commands that texts of Herald name', () => {
  const sources = ['src', 'libs', 'apps'].flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
      .map((file) => ({ file: join(folder, file), text: readFileSync(join(folder, file), 'utf8') })),
  );

  it('should be there in a clone and in the package', () => {
    const named = new Set(
      sources.flatMap(({ text }) => [...text.matchAll(/commandLine\('([\w:]+)'/g)].map(([, name]) => name)),
    );
    expect([...named]).toEqual(expect.arrayContaining(['backup', 'doctor', 'keys']));
    expect([...named].filter((name) => !(name in scripts) || !(name in COMMANDS))).toEqual([]);
  });

  it('should not be those of npx alone, which a clone does not have', () => {
    expect(sources.filter(({ text }) => text.includes('npx herald')).map(({ file }) => file)).toEqual([]);
  });
});
