import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
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
    ['herald db:', 'copy migrate indexes'],
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
      stderr: expect.stringContaining("'npm run herald -- completion zsh'"),
    });
  });
});

describe('herald call', () => {
  let server;
  let url;
  const requests = [];
  const answers = {
    '/v1/subscribers/ada': [200, { data: { subscriberId: 'ada' } }],
    '/v1/events/trigger': [
      422,
      { statusCode: 422, code: 'workflow_not_found', message: 'No workflow.', hint: 'Did you mean x?' },
    ],
  };
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const { method, headers } = request;
      requests.push({ method, path: request.url, key: headers.authorization, body: await text(request) });
      const [status, body] = answers[request.url] ?? [204];
      response.writeHead(status).end(body && JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${server.address().port}`;
  });
  afterAll(() => server.close());

  /** Beside the server, which answers in this process. */
  const call = async (args, input = '') => {
    const env = { PATH: process.env.PATH, HERALD_URL: url, HERALD_API_KEY: 'k' };
    const child = spawn(process.execPath, [PROGRAM, 'call', ...args], { cwd: folder, env });
    child.stdin.end(input);
    const [out, err, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { status, out, err, request: requests.pop() };
  };

  it('should print the data of an answer, indented', async () => {
    expect(await call(['GET', 'subscribers/ada'])).toMatchObject({
      status: 0,
      out: '{\n  "subscriberId": "ada"\n}\n',
      request: { method: 'GET', path: '/v1/subscribers/ada', key: 'ApiKey k' },
    });
    expect(await call(['get', '/v1/subscribers/ada', '--json'])).toMatchObject({
      out: '{"data":{"subscriberId":"ada"}}\n',
    });
  });

  it('should send a body, also from standard input, and print nothing for an empty answer', async () => {
    const sent = { method: 'PUT', path: '/v1/feeds', body: '{"a":1}' };
    expect(await call(['PUT', 'feeds', '{"a":1}'])).toMatchObject({ status: 0, out: '', request: sent });
    expect(await call(['PUT', 'feeds', '-'], '{"a":1}')).toMatchObject({ status: 0, request: sent });
  });

  it('should print what is wrong and what to do, and fail', async () => {
    expect(await call(['POST', 'events/trigger', '{}'])).toMatchObject({
      status: 1,
      out: '',
      err: '422 workflow_not_found\nNo workflow.\nDid you mean x?\n',
    });
    expect(herald(['call', 'GET', 'subscribers'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no API key in'),
    });
    expect(herald(['call', 'FETCH', 'subscribers'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Usage'),
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
