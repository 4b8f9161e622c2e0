import { ApiFault, HeraldClient, HeraldUnavailable } from '../files/herald-client.js';
import { commandLine } from '#libs/config';
import { type Check, fail, messageOf, ok, warn, within } from './check.js';
import { clockChecks } from './machine-checks.js';
import type { Sender } from './mail-checks.js';

const ANSWER_MS = 5_000;
/** A provider may take as long as Herald lets it. */
const PROVIDER_MS = 25_000;
const AT_ONCE = 4;
const LATE_SECONDS = 60;
/** The header `Date` has no smaller unit. */
const DATE_PRECISION_MS = 1_000;
const MASKED = '********';

interface Health {
  readonly version: string;
  readonly details: Readonly<Record<string, { readonly status: string; readonly message?: string }>>;
}

interface Integration {
  readonly _id: string;
  readonly identifier: string;
  readonly providerId: string;
  readonly channel: string;
  readonly active: boolean;
  readonly credentials: Readonly<Record<string, unknown>>;
}

interface Backlog {
  readonly queue: string;
  readonly due: number;
  readonly setAside: number;
  readonly oldestDueSeconds: number;
}

/** What the running Herald says of itself; undefined if none answers at the address. */
export async function checkHealth(url: string): Promise<Check[] | undefined> {
  const askedAt = Date.now();
  let response: Response;
  try {
    response = await fetch(`${url}/v1/health-check`, { redirect: 'error', signal: AbortSignal.timeout(ANSWER_MS) });
  } catch {
    return undefined;
  }
  const clock = clockChecks('Herald', new Date(response.headers.get('date') ?? ''), askedAt, DATE_PRECISION_MS);
  const health = await healthIn(response);
  if (health === undefined) {
    return [fail('herald', `What answers at ${url} is not Herald.`, 'Correct HERALD_URL, or PORT and HOST.')];
  }
  const down = Object.entries(health.details).filter(([, { status }]) => status !== 'up');
  const parts = down.map(([name, { message }]) =>
    fail(
      name === 'db' ? 'store' : name,
      `Herald says: ${message ?? 'down'}.`,
      'Look at the log of Herald and at its store.',
    ),
  );
  const { status, message } = health.details['db'] ?? {};
  if (status === 'up' && message !== undefined)
    parts.push(fail('store', `Herald says: ${message}.`, `To see all of it: ${commandLine('doctor', ' --verify')}`));
  const isReady = down.length === 0;
  const whole = isReady
    ? [ok('herald', `Herald ${health.version} is ready at ${url}.`), ok('store', 'The store of Herald answers.')]
    : [fail('herald', `Herald ${health.version} at ${url} is not ready.`, 'See the next lines.')];
  return [...whole, ...parts, ...clock];
}

async function healthIn(response: Response): Promise<Health | undefined> {
  try {
    const { data } = (await response.json()) as { data?: Partial<Health> };
    return typeof data?.version === 'string' && data.details ? (data as Health) : undefined;
  } catch {
    return undefined;
  }
}

/** Late work, and what the providers say to the stored credentials. @returns also whom mails come from */
export async function checkInside(url: string, key: string): Promise<{ checks: readonly Check[]; senders: Sender[] }> {
  const client = new HeraldClient({ url, key }, 0);
  let found: Integration[];
  try {
    const { data } = await client.call('GET', '/v1/integrations', undefined, { timeoutMs: ANSWER_MS });
    found = (data as Integration[]).filter(({ active }) => active);
  } catch (error) {
    return { checks: [refusal('providers', error)], senders: [] };
  }
  const backlog = await backlogChecks(client);
  const outside = found.filter(({ channel }) => channel !== 'in_app');
  const providers: Check[] = [];
  for (let at = 0; at < outside.length; at += AT_ONCE) {
    const some = outside.slice(at, at + AT_ONCE).map((one) => checkProvider(client, one));
    providers.push(...(await Promise.all(some)));
  }
  const none = warn(
    'providers',
    'No provider is active: messages reach the inbox only.',
    'Add an integration in the console, or with POST /v1/integrations.',
  );
  return { checks: [...backlog, ...(providers.length > 0 ? providers : [none])], senders: outside.flatMap(senderOf) };
}

async function backlogChecks(client: HeraldClient): Promise<readonly Check[]> {
  return within('work', ANSWER_MS * 2, async () => {
    try {
      const { data } = await client.call('GET', '/v1/health-check/work', undefined, { timeoutMs: ANSWER_MS });
      return workChecks(data as Backlog[]);
    } catch (error) {
      // Only keys with the scope admin may see the work of all environments.
      return error instanceof ApiFault && error.status === 403 ? [] : [refusal('work', error)];
    }
  });
}

function workChecks(queues: readonly Backlog[]): Check[] {
  const late = queues.filter(({ oldestDueSeconds }) => oldestDueSeconds > LATE_SECONDS);
  const aside = queues.reduce((sum, { setAside }) => sum + setAside, 0);
  const checks = late.map(({ queue, due, oldestDueSeconds }) =>
    warn(
      'work',
      `${due} ${queue} are due, the oldest for ${oldestDueSeconds} s.`,
      'Start more workers, and look at the log of Herald.',
    ),
  );
  if (aside > 0)
    checks.push(
      warn(
        'work',
        `${aside} records were set aside because workers ended over them.`,
        'Look at the log of Herald, then replay them.',
      ),
    );
  return checks.length > 0 ? checks : [ok('work', 'No work is late.')];
}

async function checkProvider(client: HeraldClient, { _id, identifier, providerId }: Integration): Promise<Check> {
  const name = `provider ${identifier}`;
  try {
    const path = `/v1/integrations/${_id}/check`;
    const { data } = await client.call('POST', path, undefined, { timeoutMs: PROVIDER_MS });
    const { result, reason = '' } = data as { result: string; reason?: string };
    if (result === 'accepted') return ok(name, `${providerId} accepts the credentials.`);
    if (result === 'not_offered') return ok(name, `${providerId} cannot be asked without sending a message.`);
    const sentence =
      result === 'incomplete'
        ? `The integration is incomplete: ${reason}`
        : `${providerId} refuses the credentials: ${reason}`;
    return fail(name, sentence, 'Correct the integration in the console, or with PUT /v1/integrations.');
  } catch (error) {
    return refusal(name, error);
  }
}

function refusal(name: string, error: unknown): Check {
  if (error instanceof ApiFault) {
    const advice =
      error.status === 401
        ? 'Set HERALD_API_KEY to a key of this Herald.'
        : 'Set HERALD_API_KEY to a key with the scopes read and write.';
    return fail(name, error.faults.join(' '), advice);
  }
  if (error instanceof HeraldUnavailable) return fail(name, error.message, 'Look at the log of Herald.');
  return fail(name, messageOf(error), 'Look at the log of Herald.');
}

/** Whom the mails of an integration come from. */
function senderOf({ channel, credentials }: Integration): Sender[] {
  const text = (key: string): string | undefined => {
    const value = credentials[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const domain = /@([\w.-]+)>?\s*$/.exec(text('from') ?? '')?.[1]?.toLowerCase();
  if (channel !== 'email' || domain === undefined) return [];
  const [host, selector, signing, privateKey] = [text('host'), text('accountSid'), text('domain'), text('secretKey')];
  // Other providers have other meanings for these fields.
  if (host === undefined) return [{ domain }];
  const isSigned = selector !== undefined && signing !== undefined && privateKey !== undefined;
  const key = privateKey === MASKED ? {} : { privateKey: privateKey ?? '' };
  return [{ domain, host, ...(isSigned && { dkim: { domain: signing.toLowerCase(), selector, ...key } }) }];
}
