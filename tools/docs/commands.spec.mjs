import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../bin/commands.mjs';
import { heraldTable, NPM_COMMANDS } from './commands.mjs';
import { textsIn } from './texts.mjs';

const scriptsOf = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts ?? {};
const scripts = scriptsOf('.');
describe('the tables of commands', () => {
  it('should have a row for each script, but for those that npm runs', () => {
    const names = NPM_COMMANDS.map(([command]) => command.replace(/^npm (run )?/, ''));
    const own = Object.keys(scripts).filter((name) => !['prepack', 'postpack'].includes(name));
    expect([...names].sort()).toEqual(own.sort());
  });

  it('should be all that texts, workflows and sources tell somebody to run', () => {
    const named = textsIn('.').flatMap((path) => {
      const [, workspace] = /^(packages\/[\w-]+|tools\/[\w-]+)\//.exec(path) ?? [];
      const own = workspace !== undefined && existsSync(join(workspace, 'package.json')) ? scriptsOf(workspace) : {};
      const found = [...readFileSync(path, 'utf8').matchAll(/npm run (?:(?:-s|--silent) )?([a-z][\w:-]*\w)/g)];
      return found.map(([, name]) => ({ path, name, isKnown: name in scripts || name in own }));
    });
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ isKnown }) => !isKnown)).toEqual([]);
  });

  it('should be followed by what they take', () => {
    const printed = (program, ...args) => {
      const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
      return [...`${stdout}${stderr}`.matchAll(/[a-z][\w:-]*\w/g)].map(([name]) => name);
    };
    const known = {
      herald: [...Object.keys(COMMANDS), 'completion'],
      'check:static': printed('tools/checks/all.mjs', '--list'),
      generate: printed('tools/schematics/run.mjs'),
    };
    const line = /npm run (?:(?:-s|--silent) )?(herald|check:static|generate) -- ([a-z][\w:-]*\w)/g;
    const named = textsIn('.').flatMap((path) => {
      const found = [...readFileSync(path, 'utf8').matchAll(line)];
      return found.map(([, script, name]) => ({ path, script, name }));
    });
    expect(new Set(named.map(({ script }) => script)).size).toBe(3);
    expect(named.filter(({ script, name }) => !known[script].includes(name))).toEqual([]);
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

  it('should be commands of herald', () => {
    const named = new Set(
      sources.flatMap(({ text }) => [...text.matchAll(/commandLine\('([\w:]+)'/g)].map(([, name]) => name)),
    );
    expect([...named]).toEqual(expect.arrayContaining(['backup', 'doctor', 'keys']));
    expect([...named].filter((name) => !(name in COMMANDS))).toEqual([]);
  });

  it('should not be those of npx alone, which a clone does not have', () => {
    expect(sources.filter(({ text }) => text.includes('npx herald')).map(({ file }) => file)).toEqual([]);
  });
});
