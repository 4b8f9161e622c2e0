import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import type { TestSession } from '../../../test/harness/index.js';
import { filesProgram } from '../src/files/files-program.js';
import { DefinitionText } from '../src/files/definition-text.js';
import { useTestApi } from '../../../test/support/test-api.js';
import { createWorkflow } from '../../../test/factories/workflow.factory.js';
import { dataOf, type Json } from '../../../test/support/answers.js';
import { type ProgramEnd, runProgram } from '../../../test/support/program.js';

const api = useTestApi();
const PROGRAM = 'apps/admin/src/files.js';
const WORKFLOW = 'workflows/order-shipped.yaml';

let development: TestSession;
let production: TestSession;
let folder: string;

beforeEach(async () => {
  [development, production] = await api.siblings();
  folder = mkdtempSync(join(tmpdir(), 'herald-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Run = (line: string, env?: Record<string, string>) => Promise<ProgramEnd>;
const settings = (): Record<string, string> => ({ HERALD_URL: api.url, HERALD_API_KEY: development.apiKey });
/** The built program, in a process of its own. */
const program: Run = (line, env) =>
  runProgram(PROGRAM, [...line.split(' '), '--dir', folder], { ...settings(), ...env }, folder);
/** What that process runs, in this one. */
const herald: Run = async (line, env) => {
  let [out, err] = ['', ''];
  const code = await filesProgram(
    [...line.split(' '), '--dir', folder],
    { ...settings(), ...env },
    { out: (text) => (out += text), err: (text) => (err += text) },
  );
  return { code, out, err };
};
const promote = (line = ''): Promise<ProgramEnd> =>
  herald(`promote ${line}`.trim(), { HERALD_TARGET_API_KEY: production.apiKey });
const pathOf = (path: string): string => join(folder, path);
const read = (path: string): string => readFileSync(pathOf(path), 'utf8');
const edit = (path: string, change: (text: string) => string): void => writeFileSync(pathOf(path), change(read(path)));
const workflows = (session: TestSession): Promise<Json[]> => dataOf(session.get('/v1/workflows'), 200);
const kindOf: Readonly<Record<string, string>> = {
  'notification-groups': 'notification-group',
  feeds: 'feed',
  layouts: 'layout',
  translations: 'translation',
  workflows: 'workflow',
  'workflow-overrides': 'workflow-override',
  budgets: 'budget',
};
const files = (): string[] =>
  Object.keys(kindOf).flatMap((kind) =>
    readdirSync(folder).includes(kind) ? readdirSync(pathOf(kind)).map((name) => `${kind}/${name}`) : [],
  );

/** Something of every kind, as a user made it with the API. */
async function seed(): Promise<void> {
  for (const session of [development, production]) {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
  }
  const feed = await dataOf(development.post('/v1/feeds', { name: 'Orders & more' }), 201);
  const content = '<html>\n  <body>{{{body}}}</body>\n</html>\n';
  const layout = await dataOf(
    development.post('/v1/layouts', { name: 'Company', identifier: 'company', content }),
    201,
  );
  const messages = { 'order.ready': 'Ihre Bestellung {number}:\n{count, plural, one {#} other {#}}', b: 'b', a: 'a' };
  await development.put('/v1/translations/de-AT', { messages }).expect(200);
  await createWorkflow(development, {
    active: true,
    tags: ['orders'],
    steps: [
      { uuid: 'message', template: { type: 'in_app', content: 'Hello {{name}}', feedId: feed['_id'] } },
      { template: { type: 'delay' }, metadata: { type: 'regular', amount: 1, unit: 'hours' } },
      {
        template: {
          type: 'email',
          subject: 'Order {{number}}',
          contentType: 'customHtml',
          content: '<p>\n  Hello {{name}}\n</p>',
          layoutId: layout['_id'],
        },
        filters: [{ children: [{ on: 'previousStep', step: 'message', stepType: 'unread' }] }],
      },
    ],
  });
  const override = { workflowId: 'order-shipped', tenantId: 'acme', preferenceSettings: { sms: false } };
  await development.post('/v1/workflow-overrides', override).expect(200);
  await development.post('/v1/budgets', { name: 'a day', channels: ['email'], max: 5 }).expect(201);
}

describe('herald pull, push and promote', () => {
  it('should pull all kinds, and change nothing when it pushes or pulls them again', async () => {
    await seed();
    const before = await workflows(development);
    const pulled = await program('pull');
    expect(pulled).toMatchObject({ code: 0, err: '' });
    expect(files()).toEqual([
      'notification-groups/General.yaml',
      'feeds/Orders %26 more.yaml',
      'layouts/company.yaml',
      'translations/de-AT.yaml',
      WORKFLOW,
      'workflow-overrides/order-shipped.acme.yaml',
      'budgets/a day.yaml',
    ]);
    expect(read('budgets/a day.yaml')).toContain('channels:\n  - email\nmax: 5\n');
    expect(read(WORKFLOW)).toContain('content: |-\n        <p>\n          Hello {{name}}\n        </p>\n');
    expect(read(WORKFLOW)).not.toMatch(/[0-9a-f]{24}/);
    expect(await program('push --dry-run')).toMatchObject({ code: 0, err: '' });
    expect(await program('push')).toMatchObject({ code: 0, err: '' });
    expect(await workflows(development)).toEqual(before);
    const written = files().map((path) => statSync(pathOf(path)).mtimeMs);
    const again = await program('pull');
    expect(again.out).toContain('0 of 7 definitions differed');
    expect(files().map((path) => statSync(pathOf(path)).mtimeMs)).toEqual(written);
    expect([pulled, again].map(({ out, err }) => out + err).join('')).not.toContain(development.apiKey);
  });

  it('should name the schemas that Herald serves, if it is asked to, and leave what files name', async () => {
    await seed();
    await herald('pull --schemas url --format json');
    expect(readdirSync(folder)).not.toContain('.schemas');
    const path = 'layouts/company.json';
    const { $schema, ...definition } = JSON.parse(read(path)) as Json;
    expect($schema).toBe(`${api.url}/schemas/layout.json`);
    const served = (await (await fetch(String($schema))).json()) as Json;
    expect(served).toMatchObject({ title: 'Herald: layout' });
    edit(path, (text) => text.replace('"Company"', '"Other"'));
    await herald('pull');
    expect(JSON.parse(read(path))).toEqual({ $schema, ...definition });
    expect(JSON.parse(read('.schemas/layout.json'))).toEqual(served);
  });

  it('should show what changes, store it with --yes only, and be done the second time', async () => {
    await seed();
    await herald('pull');
    edit(WORKFLOW, (text) => text.replace('Hello {{name}}\n        </p>', 'Good news, {{name}}\n        </p>'));
    const rehearsed = await herald('push --dry-run');
    expect(rehearsed.code).toBe(2);
    expect(rehearsed.out).toContain('update workflow order-shipped');
    expect(rehearsed.out).toMatch(/^ {4}- +Hello {{name}}\n {4}\+ +Good news, {{name}}$/m);
    expect(await herald('push')).toMatchObject({ code: 3, err: expect.stringContaining('--yes') as string });
    expect(JSON.stringify(await dataOf(development.get('/v1/workflows/order-shipped'), 200))).not.toContain(
      'Good news',
    );
    expect(await herald('push --yes --detailed-exit-code')).toMatchObject({ code: 2 });
    expect(JSON.stringify(await dataOf(development.get('/v1/workflows/order-shipped'), 200))).toContain('Good news');
    expect(await herald('push --yes --detailed-exit-code')).toMatchObject({ code: 0 });
  });

  it('should keep comments when it pulls a change, and name files without a record', async () => {
    await seed();
    await herald('pull');
    edit(WORKFLOW, (text) =>
      text.replace('name: Order shipped', 'critical: false\nname: Order shipped # for customers'),
    );
    writeFileSync(pathOf('feeds/New.json'), '{"name": "New"}');
    expect((await herald('pull')).out).toContain('0 of 7 definitions differed');
    const [workflow] = await workflows(development);
    await development.put(`/v1/workflows/${String(workflow?.['_id'])}`, { name: 'Order sent' }).expect(200);
    const { out } = await herald('pull');
    expect(out).toContain(`wrote ${WORKFLOW}`);
    expect(out).toContain('feeds/New.json: Development has no such feed.');
    expect(read(WORKFLOW)).toContain('name: Order sent # for customers');
  });

  it('should delete what has no file only when it is asked to', async () => {
    await seed();
    await herald('pull');
    unlinkSync(pathOf('workflow-overrides/order-shipped.acme.yaml'));
    unlinkSync(pathOf(WORKFLOW));
    unlinkSync(pathOf('feeds/Orders %26 more.yaml'));
    expect(await herald('push --yes')).toMatchObject({ code: 0, out: expect.stringContaining('up to date') as string });
    const { code, out } = await herald('push --dry-run --prune');
    expect(code).toBe(2);
    expect(out).toMatch(
      /delete workflow override order-shipped for acme\ndelete workflow order-shipped\ndelete feed Orders & more\n/,
    );
    expect(await workflows(development)).toHaveLength(1);
    expect(await herald('push --yes --prune')).toMatchObject({ code: 0, err: '' });
    expect(await workflows(development)).toEqual([]);
  });

  it('should promote to another environment, and find nothing to do the second time', async () => {
    await seed();
    const first = await promote('--dry-run');
    expect(first).toMatchObject({ code: 2, err: '' });
    expect(first.out).toContain('To Production');
    expect(await workflows(production)).toEqual([]);
    expect(await promote('--yes')).toMatchObject({ code: 0, err: '' });
    expect(await promote('--yes')).toMatchObject({ code: 0, out: expect.stringContaining('up to date') as string });
    const definitions = (session: TestSession): Promise<Json[]> =>
      dataOf(session.get('/v1/definitions/workflows'), 200);
    const [there, here] = [await definitions(production), await definitions(development)];
    expect(there.map(({ definition }) => definition)).toEqual(here.map(({ definition }) => definition));
    const same = await herald('promote', { HERALD_TARGET_API_KEY: development.apiKey });
    expect(same).toMatchObject({ code: 3, err: expect.stringContaining('Both keys') as string });
  });

  it('should promote into a read-only environment, and refuse to push to it', async () => {
    await seed();
    expect(await herald('pull')).toMatchObject({
      code: 0,
      out: expect.stringContaining('wrote workflows/order-shipped.yaml (version 0)') as string,
    });
    await production.patch('/v1/environments/me', { isReadOnly: true }).expect(200);
    const pushed = await herald('push --yes', { HERALD_API_KEY: production.apiKey });
    expect(pushed).toMatchObject({ code: 3, err: expect.stringContaining('Production is read-only') as string });
    expect(await workflows(production)).toEqual([]);
    const { out } = await promote('--yes');
    expect(out).toMatch(/^created workflow order-shipped \(version 0\)$/m);
    const [promoted] = await workflows(production);
    const versions = await dataOf<Json[]>(production.get(`/v1/workflows/${String(promoted?.['_id'])}/versions`), 200);
    expect(versions).toEqual([
      expect.objectContaining({ action: 'promoted', note: 'Promoted from Development (version 0)' }),
    ]);
    await development.delete(`/v1/workflows/${String((await workflows(development))[0]?.['_id'])}`).expect(200);
    expect(await promote('--yes --prune')).toMatchObject({ code: 0, err: '' });
    expect(await workflows(production)).toEqual([]);
  });

  it.each([
    ['a syntax error', (text: string) => text.replace('tags:', 'tags: ['), /^workflows\/order-shipped\.yaml:\d+:\d+ /],
    [
      'an unknown feed',
      (text: string) => text.replace('Orders & more', 'Nowhere'),
      /yaml:\d+:\d+ steps\.0\.template\.feed: the environment has no feed 'Nowhere'/,
    ],
    [
      'an unknown field',
      (text: string) => text.replace('name: Order', 'nmae: x\nname: Order'),
      /yaml:3:1 nmae is not a field that Herald knows\. Did you mean name\?/,
    ],
    [
      'an unknown field of a template',
      (text: string) => text.replace('subject: Order', 'subjct: Order'),
      /yaml:\d+:7 steps\.2\.template\.subjct is not a field that Herald knows\. Did you mean subject\?/,
    ],
    [
      'an unknown field of metadata',
      (text: string) => text.replace('amount: 1', 'amonut: 1'),
      /yaml:\d+:7 steps\.1\.metadata\.amonut is not a field that Herald knows\. Did you mean amount\?/,
    ],
    [
      'a broken template',
      (text: string) => text.replace('Order {{number}}', 'Order {{number'),
      /yaml:\d+:\d+ steps\.2\.template\.subject is not a valid template/,
    ],
    [
      'no identifier',
      (text: string) => text.replace('identifier: order-shipped\n', ''),
      /yaml:1:1 identifier must be a string/,
    ],
  ])('should name file, line and column of %s, and store nothing', async (_case, change, fault) => {
    await seed();
    await herald('pull');
    edit('layouts/company.yaml', (text) => text.replace('name: Company', 'name: Other'));
    edit(WORKFLOW, change);
    const { code, err } = await herald('push --yes');
    expect(code).toBe(3);
    expect(err).toMatch(fault);
    expect(err).toMatch(/Nothing was saved\.\n$/);
    expect(await dataOf<Json[]>(development.get('/v1/layouts'), 200)).toMatchObject([{ name: 'Company' }]);
  });

  it.each([
    ['layouts/company.yaml', 'name:', 'isDefualt: true\nname:', /company\.yaml:\d+:1 isDefualt is not a field/],
    ['feeds/Orders %26 more.yaml', 'name:', 'nmae: a\nname:', /more\.yaml:2:1 nmae is not .*mean name\?/],
    [
      'workflow-overrides/order-shipped.acme.yaml',
      'sms: false',
      'smss: false',
      /acme\.yaml:\d+:3 preferenceSettings\.smss is not a field/,
    ],
  ])('should name an unknown field of %s', async (path, from, to, fault) => {
    await seed();
    await herald('pull');
    edit(path, (text) => text.replace(from, to));
    const { code, err } = await herald('push --yes');
    expect([code, err]).toEqual([3, expect.stringMatching(fault)]);
    expect(err).toMatch(/1 error\. Nothing was saved\.\n$/);
  });

  it('should store unknown fields of templates only when it is asked to, and then keep them', async () => {
    await seed();
    await herald('pull');
    edit(WORKFLOW, (text) => text.replace('type: in_app\n', 'type: in_app\n      colour: red\n'));
    expect(await herald('push --yes')).toMatchObject({ code: 3, err: expect.stringContaining('colour') as string });
    expect(await herald('push --yes --allow-unknown')).toMatchObject({ code: 0, err: '' });
    expect(await herald('push --yes')).toMatchObject({ code: 0, err: '' });
    expect(await promote('--yes')).toMatchObject({ code: 0, err: '' });
    expect(await herald('pull')).toMatchObject({ code: 0, out: expect.stringContaining('0 of 7') as string });
    edit(WORKFLOW, (text) => text.replace('active: true', 'active: true\nnmae: x'));
    expect(await herald('push --yes --allow-unknown')).toMatchObject({
      code: 3,
      err: expect.stringContaining('nmae is not a field') as string,
    });
  });

  it('should refer to what is pushed with it', async () => {
    await seed();
    await herald('pull');
    writeFileSync(pathOf('feeds/New.yaml'), 'name: New\n');
    edit(WORKFLOW, (text) => text.replace('feed: Orders & more', 'feed: New'));
    expect(await herald('push --yes')).toMatchObject({ code: 0, err: '' });
  });

  it('should fail with a key that is not accepted, and without showing it', async () => {
    const env = { HERALD_API_KEY: 'a-key-that-was-revoked' };
    const { code, out, err } = await herald('pull', env);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('The API key was rejected');
    expect(err).not.toContain(env.HERALD_API_KEY);
    expect(await program('pull --retries 0', { HERALD_URL: 'http://127.0.0.1:1' })).toMatchObject({ code: 1 });
    expect(await program('pull --retries x')).toMatchObject({
      code: 3,
      out: '',
      err: '--retries must be a number from 0 to 99.\n',
    });
  });

  it('should show control characters of names as text', async () => {
    const name = 'a\u001b]0;pwned\u0007\u001b[2J\u001b[31mEVIL\rdone\nwrote x\u009b1m\u202eb';
    const shown = 'feed a\\u001b]0;pwned\\u0007\\u001b[2J\\u001b[31mEVIL\\u000ddone\\u000awrote x\\u009b1m\\u202eb';
    await development.post('/v1/feeds', { name }).expect(201);
    const pulled = await herald('pull --dry-run');
    const promoted = await promote('--yes');
    const pruned = await herald('push --yes --prune');
    expect(pulled.out).toContain(`would write ${shown}\n`);
    expect(promoted.out).toContain(`create ${shown}\n`);
    expect(promoted.out).toContain(`created ${shown}\n`);
    expect(pruned.out).toContain(`deleted ${shown}\n`);
    for (const { out, err } of [pulled, promoted, pruned]) {
      // eslint-disable-next-line no-control-regex -- these are what is looked for
      expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it('should write through no link that is in the folder', async () => {
    await seed();
    const outside = mkdtempSync(join(tmpdir(), 'herald-outside-'));
    const victim = join(outside, 'victim');
    writeFileSync(victim, 'mine');
    mkdirSync(pathOf('.schemas'));
    symlinkSync(victim, pathOf('.schemas/feed.json.new'));
    symlinkSync(victim, pathOf('.schemas/layout.json'));
    expect(await herald('pull')).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(JSON.parse(read('.schemas/feed.json'))).toMatchObject({ title: 'Herald: feed' });
    expect(readdirSync(pathOf('.schemas')).filter((name) => !name.endsWith('.json'))).toEqual(['feed.json.new']);
    rmSync(pathOf('feeds'), { recursive: true });
    symlinkSync(outside, pathOf('feeds'));
    const refused = await herald('pull');
    expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('feeds') as string });
    expect(readdirSync(outside)).toEqual(['victim']);
    rmSync(outside, { recursive: true });
  });

  it('should name the file of a record whose name cannot be part of an address', async () => {
    mkdirSync(pathOf('feeds'));
    writeFileSync(pathOf('feeds/dots.yaml'), '# up\nname: ..\n');
    expect(await herald('push --yes')).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^feeds\/dots\.yaml:2:1 name .*'\.\.'/) as string,
    });
  });

  it('should end in one of two states when two push at once', async () => {
    await seed();
    await herald('pull');
    const others = ['one', 'two'].map((name) => {
      const copy = mkdtempSync(join(tmpdir(), `herald-files-${name}-`));
      return { name, copy };
    });
    for (const { name, copy } of others) {
      await runProgram(
        PROGRAM,
        ['pull', '--dir', copy],
        { HERALD_URL: api.url, HERALD_API_KEY: development.apiKey },
        copy,
      );
      const path = join(copy, WORKFLOW);
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('Hello {{name}}', `Hello ${name}`));
    }
    const ends = await Promise.all(
      others.map(({ copy }) =>
        runProgram(
          PROGRAM,
          ['push', '--yes', '--dir', copy],
          { HERALD_URL: api.url, HERALD_API_KEY: development.apiKey },
          copy,
        ),
      ),
    );
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    const text = JSON.stringify(await dataOf(development.get('/v1/definitions/workflows'), 200));
    expect(new Set(text.match(/Hello (?:one|two)/g)).size).toBe(1);
    for (const { copy } of others) rmSync(copy, { recursive: true });
  });

  describe('behind a proxy that fails', () => {
    let proxy: Server;
    /** What the proxy answers in place of Herald. */
    let statusOf: (request: IncomingMessage) => number | undefined;
    beforeEach(async () => {
      proxy = createServer((request, response) => {
        void forward(request, response);
      });
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    });
    afterEach(() => new Promise((resolve) => proxy.close(resolve)));

    const proxyUrl = (): string => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

    async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const status = statusOf(request);
      if (status !== undefined) {
        response.writeHead(status, { 'content-type': 'application/json' }).end('{"message":"no"}');
        return;
      }
      const { authorization = '' } = request.headers;
      const answer = await fetch(`${api.url}${request.url ?? ''}`, {
        method: request.method ?? 'GET',
        headers: { authorization, 'content-type': 'application/json' },
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    }

    it('should write files that fit their JSON schema', async () => {
      await seed();
      // One of an older version, so that the program writes its own schemas.
      statusOf = ({ url }) => (url?.startsWith('/schemas/') ? 404 : undefined);
      await herald('pull', { HERALD_URL: proxyUrl() });
      for (const path of files()) {
        const kind = kindOf[path.split('/')[0] ?? ''];
        expect(read(path)).toMatch(`# yaml-language-server: $schema=../.schemas/${kind}.json`);
        const fits = new Ajv({ strict: false }).compile(JSON.parse(read(`.schemas/${kind}.json`)) as Json);
        expect([fits(DefinitionText.parse(read(path)).definition), fits.errors]).toEqual([true, null]);
      }
    });

    it('should report what was stored, and store the rest the next time', async () => {
      await seed();
      await herald('pull');
      const target = {
        HERALD_URL: proxyUrl(),
        HERALD_API_KEY: production.apiKey,
      };
      statusOf = ({ method, url }) =>
        method === 'PUT' && url === '/v1/definitions/workflows/order-shipped' ? 503 : undefined;
      const { code, out, err } = await herald('push --yes --retries 0', target);
      expect(code).toBe(1);
      expect(out).toContain('created layout company');
      expect(err).toMatch(/status 503/);
      expect(err).toContain('3 of 6 changes were saved. Run the command again for the rest.');
      statusOf = () => undefined;
      expect(await herald('push --yes', target)).toMatchObject({ code: 0, err: '' });
      expect(await herald('push', target)).toMatchObject({
        code: 0,
        out: expect.stringContaining('up to date') as string,
      });
    });

    it('should repeat requests while Herald is unavailable', async () => {
      await seed();
      await herald('pull');
      let left = 2;
      statusOf = () => (left-- > 0 ? 503 : undefined);
      const target = {
        HERALD_URL: proxyUrl(),
        HERALD_API_KEY: production.apiKey,
      };
      expect(await herald('push --yes', target)).toMatchObject({ code: 0, err: '' });
    });
  });
});
