import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { AppConfig } from '#libs/config';
import { unique } from '../../../test/factories/ids.js';
import { type TestApp, workerStore } from '../../../test/harness/index.js';
import { NovuApi, NOVU_API_KEY, novuId } from '../../../test/support/novu-api.js';
import { startTestApi } from '../../../test/support/test-api.js';
import { importProgram } from '../src/importing/import-program.js';

const STORE_KEY = 'a key for tests only, of 32 or more characters';
const novu = new NovuApi();

let folder: string;
let app: TestApp;
let uri: string;
let config: AppConfig;

beforeAll(async () => {
  await novu.listen();
  folder = mkdtempSync(join(tmpdir(), 'herald-import-api-'));
  writeFileSync(join(folder, 'novu'), `${NOVU_API_KEY}\n`);
  const place = new URL(workerStore().uri);
  place.pathname += `_${unique('api')}`;
  uri = place.href;
  app = await startTestApi({ STORE_ENCRYPTION_KEY: STORE_KEY }, { ...workerStore(), uri });
  config = AppConfig.from({ STORE_ENCRYPTION_KEY: STORE_KEY, MONGODB_URI: uri, DATA_DIR: folder });
});
afterAll(async () => {
  novu.close();
  await app.close();
  const connection = await mongoose.createConnection(uri).asPromise();
  await connection.dropDatabase();
  await connection.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => novu.requests.splice(0));

interface Imported {
  readonly kinds: { kind: string; found: number; taken: number; notes: { name?: string; why: string }[] }[];
  readonly check?: { people: number; differences: string[] };
  readonly wentOn: boolean;
  readonly text: string;
}

async function imported(...more: string[]): Promise<Imported> {
  const line = ['novu', '--from', novu.url, '--api-key-file', join(folder, 'novu'), '--json', ...more];
  const { data, text } = await importProgram(line, config);
  return { ...(data as unknown as Omit<Imported, 'text'>), text };
}

const answer = async (path: string): Promise<unknown> =>
  (await fetch(`${app.url}${path}`, { headers: { authorization: `ApiKey ${NOVU_API_KEY}` } })).json();

const COUNTS = {
  organizations: [1, 1],
  environments: [1, 1],
  apiKeys: [1, 1],
  notificationGroups: [1, 1],
  feeds: [1, 1],
  layouts: [1, 1],
  integrations: [2, 2],
  tenants: [2, 1],
  workflows: [3, 2],
  workflowOverrides: [0, 0],
  subscribers: [3, 3],
  topics: [3, 3],
  topicSubscribers: [4, 4],
  preferences: [2, 2],
  messages: [2, 2],
  translations: [0, 0],
  userInvitations: [0, 0],
};
const countsOf = ({ kinds }: Imported): object =>
  Object.fromEntries(kinds.map(({ kind, found, taken }) => [kind, [found, taken]]));

describe('herald import novu from the API', () => {
  it('should say in a dry run what fits and what does not, wait as it is asked to, and write nothing', async () => {
    novu.tooMany = 2;
    const begun = performance.now();
    const found = await imported('--dry-run');
    expect(performance.now() - begun).toBeGreaterThan(900);
    expect(countsOf(found)).toEqual(COUNTS);
    expect(found.text).toContain('userInvitations were not read: the API shows no people');
    const notes = found.kinds.flatMap(({ kind, notes: own }) =>
      own.map(({ name, why }) => `${kind} ${name ?? ''}: ${why}`),
    );
    expect(notes).toEqual([
      expect.stringMatching(/^integrations mail: its credentials are not in the API/) as string,
      expect.stringMatching(/^integrations slack: its credentials/) as string,
      expect.stringMatching(/^tenants eu: it is a context of the type 'region'/) as string,
      expect.stringMatching(/^workflows code: its steps are code/) as string,
    ]);
    expect(await answer('/v1/subscribers/ada')).toMatchObject({ statusCode: 401 });
    // It only reads.
    expect(novu.requests.filter((one) => !one.startsWith('GET '))).toEqual([]);
  });

  it('should go on where it ended, page by page, and keep ids, dates, identifiers and the key', async () => {
    // In the second page of the subscribers.
    const plain = novu.requests.length;
    await imported('--dry-run');
    const second = novu.requests
      .slice(plain)
      .findIndex((one) => one.startsWith('GET /v2/subscribers?limit=100&after='));
    novu.until = second;
    await expect(imported()).rejects.toThrow("Novu's API answered with status 403");
    novu.until = Infinity;
    novu.requests.splice(0);
    const found = await imported();
    expect(found).toMatchObject({ wentOn: true, check: { people: 3, differences: [] } });
    expect(countsOf(found)).toEqual(COUNTS);
    const lists = novu.requests.filter((one) => /\/v2\/subscribers\?|\/v1\/feeds/.test(one));
    expect(lists[0]).toBe('GET /v2/subscribers?limit=100&after=2');

    expect(await answer('/v1/environments/me')).toMatchObject({
      data: { _id: novuId(2), identifier: 'app-of-a-test' },
    });
    expect(await answer('/v1/subscribers/ada')).toMatchObject({
      data: {
        _id: novuId(20),
        createdAt: '2025-05-05T10:00:00.000Z',
        channels: [{ integrationIdentifier: 'slack', credentials: { webhookUrl: 'https://hooks.example/1' } }],
      },
    });
    expect(await answer('/v1/topics/team')).toMatchObject({
      data: { subscribers: expect.arrayContaining(['ada', 'a/b']) as object },
    });
    expect(await answer('/v1/layouts')).toMatchObject({
      data: [{ content: '<main>{{{body}}}</main>', isDefault: true }],
    });
    expect(await answer('/v1/tenants')).toMatchObject({
      data: [{ identifier: 'acme', name: 'Acme', data: { plan: 'pro' } }],
    });
    expect(await answer('/v1/workflows/welcome')).toMatchObject({
      data: {
        _id: novuId(30),
        templateLanguage: 'liquid',
        preferenceSettings: { sms: false, email: true },
        steps: [
          { _id: novuId(33), template: { subject: 'Hi' } },
          { metadata: { amount: 2, unit: 'hours' } },
          { template: { content: '<p>{{payload.code}}</p>' } },
        ],
      },
    });
    expect(await answer('/v1/workflows/older')).toMatchObject({
      data: { _id: novuId(32), tags: ['shop'], steps: [{ template: { content: 'Code {{code}}' } }] },
    });
    expect(await answer('/v2/subscribers/ada/preferences')).toMatchObject({
      data: {
        workflows: expect.arrayContaining([
          expect.objectContaining({ channels: expect.objectContaining({ email: false }) as object }),
        ]) as object,
      },
    });
    expect(await answer('/v2/subscribers/bob/preferences')).toMatchObject({
      data: { global: { channels: { sms: false } } },
    });
  });

  it('should not replace credentials that were set meanwhile', async () => {
    const id = novuId(10);
    const set = await fetch(`${app.url}/v1/integrations/${id}`, {
      method: 'PUT',
      headers: { authorization: `ApiKey ${NOVU_API_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        active: true,
        credentials: { apiKey: 'SG.x', from: 'shop@example.com', senderName: 'Shop' },
      }),
    });
    expect(set.status).toBe(200);
    await imported();
    expect(await answer('/v1/integrations')).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ _id: id, active: true, primary: true })]) as object,
    });
  });

  it('should take over what another Herald has', async () => {
    writeFileSync(join(folder, 'herald'), NOVU_API_KEY);
    const place = new URL(uri);
    place.pathname += '_copy';
    await (await startTestApi({ STORE_ENCRYPTION_KEY: STORE_KEY }, { ...workerStore(), uri: place.href })).close();
    const into = AppConfig.from({ STORE_ENCRYPTION_KEY: STORE_KEY, MONGODB_URI: place.href, DATA_DIR: folder });
    const line = ['novu', '--from', app.url, '--api-key-file', join(folder, 'herald'), '--json'];
    const { data } = await importProgram(line, into);
    expect(data).toMatchObject({ check: { people: 3, differences: [] } });
    expect(countsOf(data as unknown as Imported)).toMatchObject({
      workflows: [2, 2],
      subscribers: [3, 3],
      topicSubscribers: [4, 4],
      preferences: [2, 2],
      messages: [2, 2],
    });
    const connection = await mongoose.createConnection(place.href).asPromise();
    await connection.dropDatabase();
    await connection.close();
  });

  it('should say what to do with a wrong key', async () => {
    writeFileSync(join(folder, 'wrong'), 'wrong');
    const line = ['novu', '--from', novu.url, '--api-key-file', join(folder, 'wrong')];
    await expect(importProgram(line, config)).rejects.toThrow(
      'Give an API key of its environment with --api-key-file.',
    );
  });
});
