import { spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestSession } from '../../../test/harness/index.js';
import { createWorkflow, delay, email, inApp, trigger } from '../../../test/support/delivery.js';
import { useDeliveryApi } from '../../../test/support/delivery-api.js';
import { eventually } from '../../../test/support/eventually.js';
import { builtProgram } from '../../../test/support/program.js';
import { useTestApi } from '../../../test/support/test-api.js';
import { UnreliableProxy } from '../../../test/support/unreliable-proxy.js';
import { dataOf, type Json } from '../../../test/support/answers.js';
import { liveProgram } from '../src/live/live-program.js';

const PROGRAM = builtProgram('apps/admin/src/live.js');

interface Command {
  readonly code: Promise<number>;
  readonly opened: string[];
  out(): string;
  err(): string;
  end(): void;
}

/** What the program runs, in this process, until it ends or the test ends it. */
function herald(line: readonly string[], session: TestSession, url: string, input = ''): Command {
  let [out, err] = ['', ''];
  const ending = new AbortController();
  const opened: string[] = [];
  const code = liveProgram(
    line,
    { HERALD_URL: url, HERALD_API_KEY: session.apiKey },
    {
      out: (text) => (out += text),
      err: (text) => (err += text),
      read: (path) => (path === '-' ? Promise.resolve(input) : readFile(path, 'utf8')),
      open: (opening) => opened.push(opening),
      signal: ending.signal,
    },
  );
  return { code, opened, out: () => out, err: () => err, end: () => ending.abort() };
}

const linesOf = (command: Command): string[] => command.out().split('\n').filter(Boolean);
const eventsOf = (command: Command): Json[] => linesOf(command).map((line) => JSON.parse(line) as Json);

describe('herald trigger', () => {
  const api = useTestApi();
  let session: TestSession;
  beforeEach(async () => {
    [session] = await api.siblings();
  });
  const run = async (line: readonly string[], input?: string) => {
    const command = herald(['trigger', ...line], session, api.url, input);
    return { code: await command.code, out: command.out(), err: command.err() };
  };

  it('should wait for the outcome, and explain what was not sent', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello {{name}}'), email('Hi', '<p>Hi</p>')]);
    const to = JSON.stringify({ subscriberId: 'ada', email: 'ada@example.com' });
    const { code, out, err } = await run([identifier, '--to', to, '--payload', '{"name": "Ada"}', '--wait']);
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(
      /^transaction [\w-]+\nada {2}failed\n {2}in_app +completed\n {2}email +failed +No integration to send with.*\n {6}Create or activate/,
    );
  });

  it('should read the payload of standard input and files, and print JSON', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello {{name}}')]);
    const line = [identifier, '--to', 'ada', '--transaction-id', 't-1', '--wait', '--json'];
    const { code, out } = await run([...line, '--payload', '-'], '{"name": "Ada"}');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      transactionId: 't-1',
      ended: true,
      deliveries: [{ workflow: identifier, subscriberId: 'ada', channel: 'in_app', status: 'completed' }],
    });
    const [message] = await dataOf<Json[]>(session.get('/v1/subscribers/ada/notifications/feed'), 200);
    expect(message).toMatchObject({ content: 'Hello Ada' });
    const again = await run([...line, '--payload', '@package.json']);
    expect(JSON.parse(again.out)).toMatchObject({ deliveries: [{ channel: 'in_app' }] });
  });

  it('should trigger once, also where the first answer is lost', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    const proxy = await UnreliableProxy.before(api.url);
    proxy.arm('lost after');
    const command = herald(['trigger', identifier, '--to', 'ada', '--wait'], session, proxy.url);
    expect(await command.code).toBe(0);
    proxy.close();
    const found = await dataOf<Json[]>(session.get('/v1/notifications'), 200);
    expect(found).toHaveLength(1);
  });

  it('should say when it has not ended in time, and what goes on', async () => {
    const { identifier } = await createWorkflow(session, [delay({ amount: 1, unit: 'days' }), inApp('Hello')]);
    const { code, out, err } = await run([identifier, '--to', 'ada', '--wait', '--timeout', '1']);
    expect(code).toBe(1);
    expect(out).toMatch(/delay +delayed +until 20\d\d-/);
    expect(err).toMatch(/has not ended within 1 s, and goes on: herald call GET events\/trigger\//);
  });

  it('should pass on what Herald refuses, with the hint', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello')], { active: false });
    const inactive = await run([identifier, '--to', 'ada']);
    expect(inactive).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/trigger_not_active\n.*not active/) as string,
    });
    expect(await run(['none', '--to', 'ada'])).toMatchObject({
      code: 1,
      err: expect.stringContaining("'none'") as string,
    });
  });

  it.each([
    [['w'], 'Name the recipient'],
    [[], 'Usage: npm run herald -- trigger'],
    [['w', '--to', 'ada', '--payload', '{'], '--payload is not valid JSON'],
    [['w', '--to', 'ada', '--payload', '[]'], '--payload must be a JSON object'],
    [['w', '--to', '{"a"', '--wait'], '--to is not valid JSON'],
    [['w', '--to', 'ada', '--payload', '@none.json'], 'none.json cannot be read'],
    [['w', '--to', 'ada', '--timeout', '0'], '--timeout must be'],
    [['w', '--to', 'ada', '--colour', 'red'], "Unknown option '--colour'"],
  ])('should refuse the line %j', async (line, text) => {
    expect(await run(line)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(text) as string });
  });

  it('should say that a key is rejected, and that nobody listens', async () => {
    const wrong = await liveProgram(
      ['trigger', 'w', '--to', 'a'],
      { HERALD_URL: api.url, HERALD_API_KEY: 'wrong' },
      streams(),
    );
    expect([wrong, heard]).toEqual([1, expect.stringContaining('The API key was rejected')]);
    const nobody = { HERALD_URL: 'http://127.0.0.1:1', HERALD_API_KEY: 'wrong' };
    expect(await liveProgram(['trigger', 'w', '--to', 'a'], nobody, streams())).toBe(1);
    expect(heard).toContain('did not respond');
    expect(await liveProgram(['tail'], { DATA_DIR: '/nowhere' }, streams())).toBe(1);
    expect(heard).toContain('There is no API key in /nowhere/api-key');
    for (const name of ['trigger', 'tail', 'dev', 'mcp', 'types']) {
      expect(await liveProgram([name, '--help'], {}, streams())).toBe(0);
      expect(heard).toMatch(new RegExp(`^Usage: npm run herald -- ${name} `));
    }
  });
  let heard = '';
  const streams = () => {
    heard = '';
    const hear = (text: string): string => (heard += text);
    const read = (): Promise<string> => Promise.resolve('');
    return { out: hear, err: hear, read, open: hear, signal: new AbortController().signal };
  };
});

describe('herald tail', () => {
  const delivery = useDeliveryApi('tail');
  let session: TestSession;
  let commands: Command[];
  beforeEach(async () => {
    [session] = await delivery.api.siblings();
    commands = [];
  });
  afterEach(async () => {
    for (const command of commands) command.end();
    for (const command of commands) await command.code;
  });
  const tail = async (line: readonly string[] = [], url = delivery.api.url): Promise<Command> => {
    const command = herald(['tail', '--interval', '100', ...line], session, url);
    commands.push(command);
    await eventually(() => expect(command.err()).toContain('Following'));
    return command;
  };

  it('should tell once of each of several with the same time, of those that come later, and of nothing before', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    await trigger(session, { name: identifier, to: 'early' });
    await delivery.drain();
    const command = await tail(['--json']);
    const expected: string[] = [];
    for (const round of [0, 1, 2]) {
      // The clock stands: all of them have the same millisecond.
      for (const name of ['ann', 'bob']) {
        expected.push(`${name}-${round}`);
        await trigger(session, { name: identifier, to: `${name}-${round}` });
      }
      await delivery.drain();
      await eventually(() => expect(eventsOf(command)).toHaveLength(expected.length));
    }
    expect(
      eventsOf(command)
        .map((one) => one['subscriberId'])
        .sort(),
    ).toEqual(expected.sort());
    command.end();
    expect(await command.code).toBe(0);
  });

  it('should tell of a step that ends long after it was triggered, also before the command began', async () => {
    const { identifier } = await createWorkflow(session, [
      inApp('One'),
      delay({ amount: 1, unit: 'days' }),
      inApp('Two'),
    ]);
    await trigger(session, { name: identifier, to: 'ada' });
    await delivery.drain(1_000);
    const command = await tail(['--json']);
    await delivery.drain(86_500_000);
    await eventually(() => expect(eventsOf(command)).toHaveLength(2));
    expect(eventsOf(command).map((one) => one['channel'])).toEqual(['delay', 'in_app']);
  });

  it('should go on after an interruption, and lose and repeat nothing', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    const proxy = await UnreliableProxy.before(delivery.api.url);
    try {
      const command = await tail(['--json'], proxy.url);
      await trigger(session, { name: identifier, to: 'ann' });
      await delivery.drain();
      proxy.arm('lost before', { status: 503 }, 'lost after', 'lost before');
      await trigger(session, { name: identifier, to: 'bob' });
      await delivery.drain();
      await eventually(() => expect(command.err()).toContain('Herald responds again.'));
      await eventually(() => expect(eventsOf(command)).toHaveLength(2));
      await trigger(session, { name: identifier, to: 'cy' });
      await delivery.drain();
      await eventually(() => expect(eventsOf(command)).toHaveLength(3));
      expect(command.err()).toContain('Trying again.');
    } finally {
      proxy.close();
    }
  });

  it('should filter by workflow, subscriber and status, and say why nothing was sent', async () => {
    const [one, two] = [await createWorkflow(session, [inApp('1')]), await createWorkflow(session, [email('2', '2')])];
    const failed = await tail(['--status', 'failed,skipped']);
    const ofOne = await tail(['--workflow', one.identifier]);
    const ofAda = await tail(['--subscriber', 'ada', '--subscriber', 'cy', '--since', '1h']);
    for (const { identifier } of [one, two]) {
      for (const to of ['ada', 'bob'])
        await trigger(session, { name: identifier, to: { subscriberId: to, email: `${to}@example.com` } });
    }
    await delivery.drain();
    await eventually(() => expect([failed, ofOne, ofAda].map((each) => linesOf(each).length)).toEqual([2, 2, 2]));
    expect(failed.out()).toMatch(
      /^20\d\d-\S+ \S+ failed +email +\S+ -> (?:ada|bob) - No integration to send with.* \[\S+\]$/m,
    );
    expect(ofOne.out()).not.toContain(two.identifier);
    expect(ofAda.out()).not.toContain('bob');
  });

  it.each([
    [['--status', 'sent'], "'sent' is not one of completed"],
    [['--since', 'yesterday'], '--since must be'],
    [['--interval', '5'], '--interval must be'],
    [['all'], 'Usage: npm run herald -- tail'],
  ])('should refuse the line %j', async (line, text) => {
    const command = herald(['tail', ...line], session, delivery.api.url);
    expect([await command.code, command.err()]).toEqual([2, expect.stringContaining(text)]);
  });

  it('should say that there is no such workflow', async () => {
    const command = herald(['tail', '--workflow', 'none'], session, delivery.api.url);
    expect([await command.code, command.err()]).toEqual([1, expect.stringMatching(/none/)]);
  });

  it('should end clean with Ctrl-C as the built program, and say no secret', async () => {
    const { identifier } = await createWorkflow(session, [inApp('Hello')]);
    const env = { HERALD_URL: delivery.api.url, HERALD_API_KEY: session.apiKey };
    const child = spawn(process.execPath, [...PROGRAM, 'tail', '--interval', '100'], { env });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const ended = new Promise((resolve) => child.once('close', (...end) => resolve(end)));
    await eventually(() => expect(said).toContain('Following'));
    await trigger(session, { name: identifier, to: 'ada' });
    await delivery.drain();
    await eventually(() => expect(said).toContain(`${identifier} -> ada`));
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(said).not.toContain(session.apiKey);
  });
});

describe('herald dev', () => {
  const api = useTestApi();
  let [session, production]: TestSession[] = [];
  let folder: string;
  let running: Command | undefined;
  beforeEach(async () => {
    [session, production] = await api.siblings();
    folder = mkdtempSync(join(tmpdir(), 'herald-dev-'));
    cpSync('examples/workflow-tests', folder, { recursive: true });
  });
  afterEach(async () => {
    running?.end();
    await running?.code;
    running = undefined;
    rmSync(folder, { recursive: true, force: true });
  });
  const own = (): TestSession => session ?? fail('no session');
  const dev = (line: readonly string[] = [], url = api.url, as = own()): Command =>
    (running = herald(['dev', '--dir', folder, ...line], as, url));
  const workflow = (): Promise<Json> => dataOf(own().get('/v1/workflows/order-shipped'), 200);
  const path = (): string => join(folder, 'workflows/order-shipped.yaml');
  const edit = (change: (text: string) => string): void => writeFileSync(path(), change(readFileSync(path(), 'utf8')));

  it('should push at the start and on save, and open the preview once', async () => {
    const command = dev(['--open']);
    await eventually(() => expect(command.out().match(/^preview /gm)).toHaveLength(2));
    const { _id, steps } = (await workflow()) as { _id: string; steps: { _id: string }[] };
    expect(command.out()).toContain(`preview ${api.url}/console/workflows/${_id}/steps/${steps[0]?._id}`);
    expect(command.opened).toHaveLength(1);
    edit((text) => text.replace(/^name: .*/m, 'name: Renamed'));
    await eventually(async () => expect(await workflow()).toMatchObject({ name: 'Renamed' }));
    await eventually(() => expect(command.out().match(/^preview /gm)).toHaveLength(3));
    expect(command.opened).toHaveLength(1);
    command.end();
    expect(await command.code).toBe(0);
    expect(command.out() + command.err()).not.toContain(own().apiKey);
  });

  it('should print the place of a fault, and push nothing until it is mended', async () => {
    const command = dev();
    await eventually(() => expect(command.out()).toContain('preview '));
    const good = readFileSync(path(), 'utf8');
    appendFileSync(path(), 'nmae: [\n');
    await eventually(() => expect(command.err()).toMatch(/^\S+\/workflows\/order-shipped\.yaml:\d+:\d+ /m));
    writeFileSync(path(), good.replace(/^name: .*/m, 'name: Before\nnmae: Typo'));
    await eventually(() =>
      expect(command.err()).toMatch(/order-shipped\.yaml:\d+:1 nmae is not a field that Herald knows/),
    );
    expect(await workflow()).not.toMatchObject({ name: 'Before' });
    writeFileSync(path(), good.replace(/^name: .*/m, 'name: Mended'));
    await eventually(async () => expect(await workflow()).toMatchObject({ name: 'Mended' }));
  });

  it('should push what was saved while Herald was away', async () => {
    const proxy = await UnreliableProxy.before(api.url);
    try {
      const command = dev([], proxy.url);
      await eventually(() => expect(command.out()).toContain('preview '));
      proxy.arm('lost before', { status: 503 });
      edit((text) => text.replace(/^name: .*/m, 'name: Later'));
      await eventually(() => expect(command.err()).toContain('It is pushed as soon as Herald responds.'));
      await eventually(async () => expect(await workflow()).toMatchObject({ name: 'Later' }));
      expect(command.out()).toContain('Herald responds again.');
    } finally {
      proxy.close();
    }
  });

  it('should delete what has no file only if it is asked to', async () => {
    const command = dev();
    await eventually(() => expect(command.out()).toContain('preview '));
    unlinkSync(path());
    await eventually(() => expect(command.out()).toContain('up to date'));
    await workflow();
    command.end();
    await command.code;
    const pruning = dev(['--prune']);
    await eventually(() => expect(pruning.out()).toContain('deleted workflow order-shipped'));
    await own().get('/v1/workflows/order-shipped').expect(404);
  });

  it('should refuse a production environment unless it is forced, and a folder that does not exist', async () => {
    const refused = dev([], api.url, production);
    expect([await refused.code, refused.err()]).toEqual([
      1,
      expect.stringContaining('which is a production environment'),
    ]);
    const forced = dev(['--force'], api.url, production);
    await eventually(() => expect(forced.out()).toContain('preview '));
    forced.end();
    await forced.code;
    const missing = herald(['dev', '--dir', join(folder, 'none')], own(), api.url);
    expect([await missing.code, missing.err()]).toEqual([1, expect.stringContaining('Run herald pull --dir')]);
  });
});
