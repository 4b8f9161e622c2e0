import { repetitions, type TestSession } from '../harness/index.js';
import { openSession } from '../support/browser-session.js';
import { fill, isForSubscribers, operationsOf, readDocument } from '../support/routes.js';
import { useHerald } from '../support/herald.js';

const base64 = (json: string): string => encodeURIComponent(Buffer.from(json).toString('base64'));

/** What stands behind the name of a parameter. */
const ODD = [
  '',
  '=',
  '=%00',
  '=x%00y',
  '=%ff',
  '=%ED%A0%80',
  '=NaN',
  '=Infinity',
  '=1e400',
  '=-1e400',
  '=0x10',
  '=-0',
  '=99999999999999999999999999',
  `=${'9'.repeat(4_000)}`,
  `=${'x'.repeat(4_000)}`,
  '=%7B%22%24gt%22%3A1%7D',
  '=__proto__',
  '=[object%20Object]',
  '[]=1',
  '[]=1&limit[]=2',
  '[0]=1',
  '[100]=1',
  '[toString]=1',
  '[valueOf]=1',
  '[length]=1',
  '[constructor]=1',
  '[constructor][prototype][x]=1',
  '[__proto__][x]=1',
  '[prototype]=1',
  '[then]=1',
  '[toJSON]=1',
  '[_bsontype]=ObjectId',
  '[$gt]=',
  '[$where]=sleep(1)',
  '[$regex]=(a%2B)%2B$',
  '[a][b][c][d][e][f][g][h]=1',
  `=${base64('{"a":[{"_bsontype":"Code"}]}')}`,
  `=${base64('{"a":{"_bsontype":"ObjectId","id":1}}')}`,
  `=${base64('{"a\\u0000b":1}')}`,
  `=${base64('{"a":"\\ud800"}')}`,
  `=${base64('{"__proto__":{"x":1}}')}`,
  `=${base64('{"a":{"$where":"1"}}')}`,
  `=${base64('{"a":[{"$gt":1}]}')}`,
  `=${base64(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`)}`,
];

/** Each parameter is tried with every n-th of them, the next one with those after these: all together with all. */
const EVERY = repetitions({ short: 3, long: 1 });

const document = readDocument();
const parameters = operationsOf(document).flatMap(({ method, path, operation }) =>
  (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => ({ method, path, name, isNumber: /^(number|integer)$/.test(String(schema?.type)) })),
);

const api = useHerald();
let session: TestSession;
let token: string;
beforeAll(async () => {
  session = await api.session();
  await session.post('/v1/subscribers', { subscriberId: 'ann' }).expect(201);
  token = await openSession(api, session, 'ann');
});

interface Answer {
  readonly status: number;
  readonly message?: unknown;
}

async function answerOf(method: string, path: string): Promise<Answer> {
  const authorization = isForSubscribers(path) ? `Bearer ${token}` : `ApiKey ${session.apiKey}`;
  const answer = await fetch(api.url + path, { method, headers: { authorization } });
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') === true) {
    await answer.body?.cancel(); // it would not end
    return { status: answer.status };
  }
  const text = await answer.text();
  // Lines of JSON, which are none together.
  if (answer.headers.get('content-type')?.startsWith('application/x-ndjson') === true) return { status: answer.status };
  return { status: answer.status, ...(text !== '' && (JSON.parse(text) as object)) };
}

/** So that a subscriber is found, and the query is what is looked at. */
const target = (path: string): string => fill(path.replace('{subscriberId}', 'ann'));

/** The compatible system takes the default for what is no number. */
const LENIENT: ReadonlySet<string> = new Set(
  ['unseen', 'unread', 'count'].map((count) => `/v1/widgets/notifications/${count} limit`),
);

describe('odd queries', () => {
  it('should be tried on every parameter', () => {
    expect(parameters.length).toBeGreaterThan(40);
  });

  const tried = parameters.map((parameter, at) => ({
    ...parameter,
    odds: ODD.filter((_, n) => (n + at) % EVERY === 0),
  }));
  it.each(tried)('should be no fault of ours: $method $path $name', async ({ method, path, name, odds }) => {
    const faults: string[] = [];
    for (const odd of odds) {
      const { status, message } = await answerOf(method, `${target(path)}?subscriberId=ann&${name}${odd}`);
      if (status >= 500) faults.push(`${name}${odd.slice(0, 100)}: ${status} ${String(message)}`);
    }
    expect(faults).toEqual([]);
  });

  it.each(parameters.filter(({ isNumber, path, name }) => isNumber && !LENIENT.has(`${path} ${name}`)))(
    'should be refused with the name of the parameter where a number belongs: $method $path $name',
    async ({ method, path, name }) => {
      for (const odd of ['[toString]=1', '[a][b]=1', '[]=1', '=1&NAME=2', '=x', '=1e400', '=0x']) {
        const query = `${name}${odd.replace('NAME', name)}`;
        const { status, message } = await answerOf(method, `${target(path)}?subscriberId=ann&${query}`);
        const named = expect.arrayContaining([expect.stringMatching(new RegExp(`^${name} must `))]) as unknown;
        expect({ query, status, message }).toEqual({ query, status: 400, message: named });
      }
    },
  );

  it.each([
    ['{"a":[{"_bsontype":"Code"}]}', 'payload.a.0._bsontype is not allowed as a key'],
    ['{"a":{"b\\u0000c":1}}', 'payload.a has a key with a null character'],
    ['{"b\\u0000c":1}', 'payload has a key with a null character'],
    ['{"a":["\\ud800"]}', 'payload.a.0 must be valid Unicode'],
    ['{"a":{"$gt":1}}', 'payload.a.$gt is not allowed: keys must not begin with $'],
    ['{"a":[{"$gt":1}]}', 'payload.a.0.$gt is not allowed: keys must not begin with $'],
  ])('should be refused with the path as a payload: %s', async (payload, fault) => {
    expect(await answerOf('GET', `/v1/subscribers/ann/notifications/feed?payload=${base64(payload)}`)).toMatchObject({
      status: 400,
      message: [fault],
    });
  });

  it('should be refused with the key where it reaches for prototypes', async () => {
    expect(await answerOf('GET', '/v1/subscribers?page[constructor][prototype][x]=1')).toMatchObject({
      status: 400,
      message: ['page.constructor is not allowed as a key'],
    });
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});
