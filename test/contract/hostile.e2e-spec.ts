import { repetitions, type TestSession } from '../harness/index.js';
import { type HostileRequest, someHostileRequests } from '../support/hostile.js';
import { operationsOf, readDocument } from '../support/routes.js';
import { useHerald } from '../support/herald.js';

/**
 * Far more than any of these takes on the busiest machine; a regular expression that has been led astray by twenty thousand
 * characters takes longer.
 */
const ANSWERS_WITHIN_MS = 60_000;
const AT_ONCE = 8;
/** For each operation. */
const MOST = repetitions({ short: 24, long: Infinity });

const document = readDocument();
const operations = operationsOf(document);
const requestsOf = (operation: (typeof operations)[number]): HostileRequest[] =>
  someHostileRequests(document, operation, MOST);

const api = useHerald();
let session: TestSession;
beforeAll(async () => {
  session = await api.session();
});

interface Finding {
  readonly request: string;
  readonly fault: string;
}

/** Sends one request and says what is wrong with the answer. */
async function judge(hostile: HostileRequest): Promise<Finding[]> {
  const { method, path, body, contentType = 'application/json' } = hostile;
  const request = `${method} ${path.slice(0, 200)} ${contentType} ${body?.slice(0, 300) ?? ''}`;
  const sent = await fetch(api.url + path, {
    method,
    headers: { authorization: `ApiKey ${session.apiKey}`, ...(body !== undefined && { 'content-type': contentType }) },
    ...(body !== undefined && method !== 'GET' && { body }),
    signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
  }).catch((error: unknown) => error);
  if (!(sent instanceof Response)) return [{ request, fault: `no answer: ${String(sent)}` }];
  const text = await sent.text();
  const faults = [];
  if (sent.status >= 500) faults.push(`status ${sent.status}: ${text.slice(0, 300)}`);
  if (sent.status >= 400 && sent.status < 500) faults.push(...errorFaults(sent.status, text));
  return faults.map((fault) => ({ request, fault }));
}

function errorFaults(status: number, text: string): string[] {
  const fields = ['code', 'error', 'message', 'path', 'statusCode', 'timestamp'];
  try {
    // `type` and `errors` are for clients of version 3.
    const { hint = '', type = '', errors: _errors, ...body } = JSON.parse(text) as Record<string, unknown>;
    if (typeof type !== 'string') return [`error body with a type that is no text: ${JSON.stringify(type)}`];
    if (typeof hint !== 'string') return [`error body with a hint that is no text: ${JSON.stringify(hint)}`];
    if (Object.keys(body).sort().join() !== fields.join()) return [`error body with ${Object.keys(body).join()}`];
    if (body['statusCode'] !== status) return [`statusCode ${String(body['statusCode'])} with status ${status}`];
    return [];
  } catch {
    return [`error body that is no JSON: ${text.slice(0, 100)}`];
  }
}

async function judgeAll(requests: readonly HostileRequest[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const waiting = [...requests];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) findings.push(...(await judge(next)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return findings;
}

describe('hostile requests', () => {
  it('should be several hundred', () => {
    expect(operations.flatMap(requestsOf).length).toBeGreaterThan(500);
  });

  it.each(operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    'should be answered in time and without a fault of ours by %s',
    async (_name, operation) => {
      expect(await judgeAll(requestsOf(operation))).toEqual([]);
    },
    300_000,
  );

  it('should leave Herald well, and prototypes as they were', async () => {
    await session.get('/v1/health-check').expect(200);
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as Record<string, unknown>)['deleted']).toBeUndefined();
  });
});
