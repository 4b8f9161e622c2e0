import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { PROMISES } from './promises.mjs';

const SIMULATE = 'simulation/simulate.mjs';
const sources = readdirSync('simulation', { recursive: true, encoding: 'utf8' }).filter((name) =>
  /(?<!spec)\.mjs$/.test(name),
);

/** Whole Node processes: what one run leaves behind must not reach the next one. @returns lines of the runs by seed */
function play(...options) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [SIMULATE, ...options], { encoding: 'utf8' });
  const runs = Object.fromEntries([...stdout.matchAll(/^seed (\d+): (.*)$/gm)].map(([, seed, line]) => [seed, line]));
  return { runs, status, all: stdout + stderr };
}

describe('the simulator', () => {
  it('should play the same run for the same seed, in any process and after any other seed', () => {
    const first = play('--seeds', '2', '--from', '1');
    const second = play('--seeds', '1', '--from', '2');
    expect(first.all).toContain('2 seeds');
    expect(first.runs['2']).toMatch(/[0-9a-f]{16}$/);
    expect(second.runs['2']).toBe(first.runs['2']);
    expect(first.runs['1']).not.toBe(first.runs['2']);
    expect([first.status, second.status]).toEqual([0, 0]);
  });
});

describe('promises', () => {
  const judged = new Set(
    sources
      .filter((name) => name !== 'promises.mjs')
      .flatMap((name) => readFileSync(`simulation/${name}`, 'utf8').match(/'P\d+'/g) ?? []),
  );

  it.each(Object.entries(PROMISES))('should be held: %s', (id, { tests }) => {
    if (tests === undefined) expect(judged).toContain(`'${id}'`);
    else expect(tests.filter((path) => !existsSync(path))).toEqual([]);
  });

  it('should be the only ones that are judged', () => {
    expect([...judged].map((text) => text.slice(1, -1)).filter((id) => PROMISES[id] === undefined)).toEqual([]);
  });

  it('should stand in the manual as they are declared', () => {
    const page = readFileSync('docs/manual/promises.md', 'utf8');
    const shown = [...page.matchAll(/^\| (P\d+) +\| (.*?) +\|/gm)].map(([, id, sentence]) => [id, sentence]);
    expect(shown).toEqual(Object.entries(PROMISES).map(([id, { sentence }]) => [id, sentence]));
  });
});
