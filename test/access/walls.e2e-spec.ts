import { KEY_SCOPES, type KeyScope } from '#libs/common';
import { TestSession } from '../harness/index.js';
import { dataOf } from '../support/answers.js';
import { openSession } from '../support/browser-session.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { placeOfRoute } from '../support/route-place.js';
import { documentedPath, fill, operationsOf, readDocument, resolve } from '../support/routes.js';
import { apiRoutesOf } from '../support/served-routes.js';
import { joined } from '../support/signed-in-browser.js';
import { exampleOf } from '../../tools/openapi-example.mjs';
import { type Gate, OPERATIONS } from './operations.js';
import { MARK, PERSONAL, plant, SECRET, URL_SECRET } from './planted.js';

const ROLES: Readonly<Record<string, readonly KeyScope[]>> = {
  viewer: ['read'],
  editor: ['trigger', 'read', 'write'],
  owner: KEY_SCOPES,
};
/** They end sessions of others or of the caller, so they come last. */
const LAST = new Set(['signOut', 'endSubscriberSessions', 'endAllSubscriberSessions']);
const AT_ONCE = 8;
const document = readDocument();
/** Sound where the example of the document is not, for second conditions. */
const BODIES: Readonly<Record<string, object>> = { dryRunEvent: { name: 'nothing', to: 'ann', payload: {} } };

/** `false` for an event that is unknown, as the compatible system answers. */
const ANSWERS_ALWAYS = 'cancelEvent';
/** Their paths name a record by its id, so there is nothing to reach from elsewhere. */
const BY_ID = new Set(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    /\{(\w*Id|version)\}/.test(path) ? Object.values(methods).map(({ operationId }) => operationId) : [],
  ),
);

interface Caller {
  readonly name: string;
  readonly kind: 'key' | 'agent' | 'person' | 'subscriber' | 'nobody';
  readonly scopes: readonly KeyScope[];
  readonly headers: Readonly<Record<string, string>>;
}
interface Answer {
  readonly status: number;
  readonly text: string;
}

const delivery = useDeliveryApi('access_walls', { DELIVERY_MAX_ATTEMPTS: '1' });
const operations = operationsOf(document)
  .map(({ method, path, operation }) => {
    const schema = operation.requestBody?.content['application/json']?.schema;
    const example = exampleOf(document, resolve(document, schema)) as object;
    return { id: operation.operationId, method, path, hasBody: schema !== undefined, example };
  })
  .sort((a, b) => Number(LAST.has(a.id)) - Number(LAST.has(b.id)));
type Called = (typeof operations)[number];

let ids: Readonly<Record<string, string>>;
let callers: Caller[];
let strangers: Caller[];

beforeAll(async () => {
  const [own, other] = await delivery.api.siblings();
  ids = await plant(delivery, own);
  const keyOf = async (session: TestSession, name: string, scopes: readonly KeyScope[]): Promise<Caller> => {
    const { key } = await dataOf<{ key: string }>(session.post('/v1/environments/api-keys', { name, scopes }), 201);
    return { name: `key with ${name}`, kind: 'key', scopes, headers: { authorization: `ApiKey ${key}` } };
  };
  /** Whatever its scopes, no operation of the API is for it. */
  const agentOf = async (session: TestSession): Promise<Caller> => {
    const asked = { name: 'agent', kind: 'agent', scopes: ['read', 'trigger', 'write'] };
    const { key } = await dataOf<{ key: string }>(session.post('/v1/environments/api-keys', asked), 201);
    return { name: 'agent', kind: 'agent', scopes: [], headers: { authorization: `ApiKey ${key}` } };
  };
  const personOf = async (session: TestSession, role: string): Promise<Caller> => {
    const { cookie = '', csrfToken = '' } = await joined(session, role);
    return { name: role, kind: 'person', scopes: ROLES[role] ?? [], headers: { cookie, 'x-csrf-token': csrfToken } };
  };
  const subscriberOf = async (session: TestSession): Promise<Caller> => {
    const authorization = `Bearer ${await openSession(delivery.api, session, 'ann')}`;
    return { name: 'subscriber', kind: 'subscriber', scopes: [], headers: { authorization } };
  };
  callers = [
    ...(await Promise.all(KEY_SCOPES.map((scope) => keyOf(own, scope, [scope])))),
    await keyOf(own, 'all scopes', KEY_SCOPES),
    ...(await Promise.all(Object.keys(ROLES).map((role) => personOf(own, role)))),
    await agentOf(own),
    await subscriberOf(own),
    { name: 'nobody', kind: 'nobody', scopes: [], headers: {} },
  ];
  await other.post('/v1/subscribers', { subscriberId: 'ann' }).expect(201);
  strangers = [
    await keyOf(other, 'all scopes', KEY_SCOPES),
    await agentOf(other),
    await personOf(other, 'owner'),
    await subscriberOf(other),
  ];
});

/** @param body as text; none for GET */
async function send({ headers }: Caller, { method }: Called, path: string, body: string): Promise<Answer> {
  const hasBody = method !== 'GET';
  const response = await fetch(delivery.api.url + path, {
    method,
    headers: { ...headers, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body }),
    redirect: 'manual',
  });
  // Streams do not end.
  if (response.headers.get('content-type')?.includes('event-stream') === true) {
    await response.body?.cancel();
    return { status: response.status, text: '' };
  }
  return { status: response.status, text: await response.text() };
}

const planted = (path: string): string =>
  path.replace(/\{([^}]+)\}/g, (_all, name: string) => encodeURIComponent(ids[name] ?? '0123456789abcdef01234567'));

/** Some at a time, in their order. */
async function each<T>(list: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const left = [...list].reverse();
  const work = async (): Promise<void> => {
    for (let one = left.pop(); one !== undefined; one = left.pop()) await act(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

function isOpenTo(gate: Gate, { kind, scopes }: Caller): boolean {
  if (gate === 'public') return true;
  if (gate === 'subscriber') return kind === 'subscriber';
  return gate.split(' + ').every((part) => (part === 'person' ? kind === 'person' : scopes.includes(part as KeyScope)));
}

/** Whether the guards let a caller through, whatever comes after them. */
const passesGuards = (gate: Gate, caller: Caller): boolean => isOpenTo(gate.split(' + ')[0] as Gate, caller);

const isRefused = ({ status }: Answer): boolean => status === 401 || status === 403;

describe('the table of operations', () => {
  it('should have a row for each operation of the API, and no other', () => {
    const ids = operations.map(({ id }) => id);
    const missing = ids.filter((id) => !(id in OPERATIONS));
    const rows = missing.map(
      (id) => `Add ${id}: 'read' or another gate to test/access/operations.ts; it is ${placeOfRoute(id)}`,
    );
    expect(rows).toEqual([]);
    expect(Object.keys(OPERATIONS).sort()).toEqual(ids.sort());
  });

  it('should miss no route that is served', () => {
    const known = new Set(operations.map(({ method, path }) => `${method} ${path}`));
    const others = apiRoutesOf(delivery.api.app)
      .map(({ method, path }) => `${method} ${documentedPath(path)}`)
      .filter((name) => !known.has(name))
      .map((name) => `${name} is not in openapi.json; npm run docs writes it`);
    expect(others).toEqual([]);
  });
});

describe('what is planted in an environment', () => {
  /** The answers of all operations that read, with the ids of what is planted. */
  const seenBy = async (caller: Caller, which = (one: Called): boolean => one.method === 'GET') => {
    const seen: { id: string; answer: Answer }[] = [];
    await each(operations.filter(which), async (one) => {
      seen.push({ id: one.id, answer: await send(caller, one, planted(one.path), JSON.stringify(one.example)) });
    });
    return seen;
  };
  const showing = (seen: Awaited<ReturnType<typeof seenBy>>, word: string): string[] =>
    seen.filter(({ answer }) => answer.text.includes(word)).map(({ id }) => id);

  it('should be seen by the owner, so that it can be missed elsewhere', async () => {
    const owner = callers.find(({ name }) => name === 'key with all scopes');
    const seen = owner === undefined ? [] : await seenBy(owner);
    expect(showing(seen, MARK).length).toBeGreaterThan(30);
    expect(showing(seen, PERSONAL).length).toBeGreaterThan(5);
    expect(showing(seen, SECRET)).toEqual(expect.arrayContaining(['listIntegrations', 'listInvitations']));
  });

  it('should be neither seen nor reached from another environment, with its ids in paths and bodies', async () => {
    for (const stranger of strangers) {
      const seen = await seenBy(stranger, () => true);
      // What an answer repeats of the request is no data.
      const told = seen.map(({ id, answer: { status, text } }) => ({
        id,
        answer: { status, text: status < 400 ? text : '' },
      }));
      const reached = seen
        .filter(({ id, answer }) => BY_ID.has(id) && id !== ANSWERS_ALWAYS && answer.status < 400)
        .map(({ id }) => id);
      expect([stranger.name, reached]).toEqual([stranger.name, []]);
      for (const word of [MARK, PERSONAL, SECRET])
        expect([stranger.name, showing(told, word)]).toEqual([stranger.name, []]);
    }
  });

  it('should show its secrets, and the people of the console, to nobody without the scope admin', async () => {
    for (const caller of callers.filter(({ scopes }) => !scopes.includes('admin'))) {
      expect([caller.name, showing(await seenBy(caller), SECRET)]).toEqual([caller.name, []]);
    }
  });

  it('should show what its URLs hold to those who may change them, and to nobody else', async () => {
    // The audit log is for those who may give the rights to change them.
    const reads = ({ id, method }: Called): boolean =>
      !/AuditLog$/.test(id) && (method === 'GET' || OPERATIONS[id] === 'read' || id === 'previewPromotion');
    for (const caller of callers) {
      const seen = showing(await seenBy(caller, reads), URL_SECRET);
      if (!caller.scopes.includes('write')) expect([caller.name, seen]).toEqual([caller.name, []]);
      else if (caller.scopes.includes('read')) {
        expect(seen).toEqual(
          expect.arrayContaining([
            'listWebhooks',
            'getWorkflow',
            'getWorkflowByOlderPath',
            'getWorkflowVersion',
            'listWorkflowDefinitions',
            'getNotification',
          ]),
        );
      }
    }
  });

  it('should show nothing of other people to a subscriber, and nothing to nobody', async () => {
    for (const caller of callers.filter(({ scopes }) => scopes.length === 0)) {
      const seen = await seenBy(caller);
      expect([caller.name, showing(seen, PERSONAL)]).toEqual([caller.name, []]);
      if (caller.kind === 'nobody') expect(showing(seen, MARK)).toEqual([]);
    }
  });
});

describe('each operation', () => {
  it('should be open to the callers of its row, and to nobody else', async () => {
    const wrong: string[] = [];
    const judge = async (one: Called, caller: Caller): Promise<void> => {
      const gate = OPERATIONS[one.id] ?? 'public';
      const isOpen = isOpenTo(gate, caller);
      // The second condition of a row is looked at with a sound body. What is open changes nothing that there is.
      const isSound = passesGuards(gate, caller) && (!isOpen || gate.includes('+ trigger') || gate.includes('+ read'));
      const body = isSound ? JSON.stringify(BODIES[one.id] ?? one.example) : '{}';
      const path = one.method === 'GET' ? planted(one.path) : fill(one.path);
      // A guard refuses before the body is read: what is no JSON would be a 400 otherwise.
      const answer = await send(caller, one, path, passesGuards(gate, caller) ? body : '{');
      if (isRefused(answer) === isOpen)
        wrong.push(`${one.id} (${gate}), ${caller.name}: ${answer.status} ${answer.text.slice(0, 120)}`);
    };
    const calls = (which: readonly Called[]) => which.flatMap((one) => callers.map((caller) => ({ one, caller })));
    await each(calls(operations.filter(({ id }) => !LAST.has(id))), ({ one, caller }) => judge(one, caller));
    for (const { one, caller } of calls(operations.filter(({ id }) => LAST.has(id)))) await judge(one, caller);
    expect(wrong).toEqual([]);
  });
});
