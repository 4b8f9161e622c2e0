import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../bin/commands.mjs';

const PROGRAM = join(process.cwd(), 'bin', 'herald.mjs');
const SHELLS = ['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);

let folder;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-commands-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const herald = (args, env = {}) =>
  spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });

describe('herald completion', () => {
  it.each(['bash', 'zsh'])('should name every command for %s', (shell) => {
    const { status, stdout } = herald(['completion', shell]);
    expect(status).toBe(0);
    for (const name of Object.keys(COMMANDS)) expect(stdout.replaceAll('\\:', ':')).toContain(name);
  });

  (SHELLS.includes('bash') ? it : it.skip).each([
    ['herald p', 'pull push promote'],
    ['herald db:', 'copy indexes'],
    ['herald db:c', 'copy'],
    ['herald keys r', 'rotate revoke reseal'],
    ['herald backup --', '--to --with-keys --json --help'],
    ['herald worker ', '--help'],
  ])('should complete %j in bash', (line, expected) => {
    const script = `${herald(['completion', 'bash']).stdout}
COMP_LINE="$1" COMP_POINT="\${#1}"; _herald; echo "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', line], { encoding: 'utf8' });
    expect([stdout.trim(), stderr]).toEqual([expected, '']);
  });

  (SHELLS.includes('zsh') ? it : it.skip)('should be a script that zsh can read', () => {
    const { stdout } = herald(['completion', 'zsh']);
    expect(spawnSync('zsh', ['-n', '-c', stdout]).status).toBe(0);
  });

  it('should name the shells for another one', () => {
    expect(herald(['completion', 'fish'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("'herald completion zsh'"),
    });
  });
});

describe('herald --profile', () => {
  it.each([
    [['--profile', 'none', 'version'], {}],
    [['--profile=../other', 'version'], {}],
    [['--profile'], {}],
    [['version'], { HERALD_PROFILE: 'none' }],
  ])('should refuse what is no profile: %j', (args, env) => {
    expect(herald(args, env)).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('no profile') });
  });

  it.each([
    [['--profile', 'test', 'version'], {}],
    [['--profile=test', 'version'], {}],
    [['version'], { HERALD_PROFILE: 'test' }],
  ])('should run the command after it: %j', (args, env) => {
    writeFileSync(join(folder, '.env.test'), 'HERALD_URL=http://127.0.0.1:1\n');
    expect(herald(args, env)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });
});
