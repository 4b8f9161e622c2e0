import { spawnSync } from 'node:child_process';
import { SCENARIOS } from './scenarios/index.mjs';

const program = new URL('./run.mjs', import.meta.url).pathname;
const dryRun = (...args) => spawnSync(process.execPath, [program, '--dry', ...args], { encoding: 'utf8' });
const namesOf = (...kinds) =>
  Object.entries(SCENARIOS)
    .filter(([, { kind }]) => kinds.includes(kind))
    .map(([name]) => name);

describe('npm run bench', () => {
  it.each([
    ['without --only: the short scenarios', [], namesOf('short')],
    ['with --full: all but the checks', ['--full'], namesOf('short', 'full')],
    ['with --only: these, and checks too', ['--only', 'mail,crash'], ['mail', 'crash']],
  ])('should load what it is to run %s', (_name, args, expected) => {
    const { status, stdout, stderr } = dryRun(...args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(expected);
  });

  it('should take options of scenarios, and refuse a scenario that does not exist', () => {
    expect(dryRun('--only', 'mail', '--rounds', '1', '--set', 'mails=7').stdout).toBe('mail rounds=1 mails=7\n');
    expect(dryRun('--only', 'post').status).toBe(2);
    expect(dryRun('print').status).toBe(2);
  });
});
