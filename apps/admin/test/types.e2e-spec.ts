import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorkflow, inApp } from '../../../test/support/delivery.js';
import { eventually } from '../../../test/support/eventually.js';
import { useHerald, useSession } from '../../../test/support/herald.js';
import { liveProgram } from '../src/live/live-program.js';

const api = useHerald();
const session = useSession(api);
const folder = mkdtempSync(join(tmpdir(), 'herald-types-'));
const file = join(folder, 'payloads.ts');
afterAll(() => rmSync(folder, { recursive: true }));

interface Run {
  readonly code: Promise<number>;
  out(): string;
  err(): string;
  end(): void;
}

function run(...line: string[]): Run {
  let [out, err] = ['', ''];
  const ending = new AbortController();
  const code = liveProgram(
    ['types', ...line],
    { HERALD_URL: api.url, HERALD_API_KEY: session.apiKey },
    {
      out: (text) => (out += text),
      err: (text) => (err += text),
      read: () => Promise.reject(new Error('nothing is read')),
      open: () => undefined,
      signal: ending.signal,
    },
  );
  return { code, out: () => out, err: () => err, end: () => ending.abort() };
}

const withVariables = (content: string, ...required: string[]): Parameters<typeof createWorkflow>[1] => [
  {
    template: {
      ...inApp(content).template,
      variables: required.map((name) => ({ name, type: 'String', required: true })),
    },
  },
];

describe('herald types', () => {
  it('should have each workflow with what its templates read, and what is required', async () => {
    await createWorkflow(session, withVariables('{{order.number}} {{carrier}}{{#if gift}}!{{/if}}', 'order.number'), {
      name: 'Order shipped',
    });
    await createWorkflow(session, [inApp('Hello {{subscriber.firstName}}')], { name: 'Greeting', active: false });
    const command = run();
    expect(await command.code).toBe(0);
    expect(command.out()).toContain(`  /** Greeting */
  "greeting": Record<string, never>;
  /** Order shipped */
  "order-shipped": {
    "order": {
      "number": string | number;
    };
    "carrier"?: string | number;
`);
    const tools = run('--as', 'tools');
    expect(await tools.code).toBe(0);
    expect(JSON.parse(tools.out())).toHaveLength(2);
  });

  it('should have all pages of workflows', async () => {
    for (let count = 0; count < 101; count += 1) await createWorkflow(session, [inApp('Hello')]);
    const command = run('--as', 'tools');
    expect(await command.code).toBe(0);
    expect(JSON.parse(command.out())).toHaveLength(101);
  });

  it('should write the file again when a workflow changes, until it is ended', async () => {
    const command = run('--out', file, '--watch', '--interval', '100');
    await eventually(() => expect(command.err()).toContain('is written.'));
    expect(readFileSync(file, 'utf8')).not.toContain('"late"');
    await createWorkflow(session, [inApp('{{word}}')], { name: 'Late' });
    await eventually(() => expect(readFileSync(file, 'utf8')).toContain('"late": {\n    "word"?: string | number;'));
    command.end();
    expect(await command.code).toBe(0);
    expect(command.err().match(/is written again/g)).toHaveLength(1);
  });

  it.each([
    [['--as', 'cobol'], 2, '--as must be one of typescript, python, tools.'],
    [['--as', 'toString'], 2, '--as must be one of'],
    [['--watch'], 2, '--watch needs a file'],
    [['--out', join(tmpdir(), 'no', 'such', 'folder', 'x.ts')], 1, 'cannot be written'],
    [['extra'], 2, 'Usage:'],
  ])('should refuse %j', async (line, code, text) => {
    const command = run(...line);
    expect([await command.code, command.out()]).toEqual([code, '']);
    expect(command.err()).toContain(text);
  });
});
