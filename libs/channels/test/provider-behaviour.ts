import { createChannelRegistry, findProvider, type ChannelRegistry, type SendResult } from '../src/index.js';
import { NEED_NO_ID, REFUSE_IN_BODY, SERVER, type ProviderCase } from './provider-case.js';
import {
  startRecordingServer,
  type CannedAnswer,
  type RecordedRequest,
  type RecordingServer,
} from './recording-server.js';

const NOW = new Date('2026-01-02T03:04:05.000Z');
const HTML = '<html><body>gateway</body></html>';
/** For calls that are to be answered. */
const PATIENCE_MS = 120_000;

function pointAt<T>(value: T, url: string): T;
function pointAt(value: unknown, url: string): unknown {
  if (typeof value === 'string') return value.replaceAll(SERVER, url);
  if (Array.isArray(value)) return value.map((item: unknown) => pointAt(item, url));
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pointAt(item as unknown, url)]));
}

async function decode({
  headers,
  body,
}: RecordedRequest): Promise<{ json?: unknown; form?: unknown; multipart?: unknown }> {
  const type = headers['content-type'] ?? '';
  if (type.startsWith('application/json')) return { json: JSON.parse(body.toString()) as unknown };
  if (type.startsWith('application/x-www-form')) {
    return { form: Object.fromEntries(new URLSearchParams(body.toString())) };
  }
  if (!type.startsWith('multipart/')) return {};
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const parts: Record<string, unknown> = {};
  for (const [name, value] of form.entries()) {
    parts[name] = typeof value === 'string' ? value : { name: value.name, type: value.type, text: await value.text() };
  }
  return { multipart: parts };
}

const OTHER_NUMBER = '4917099999999';

/** The fields of the request that hold the number of the message, where custom data goes beside them. */
function recipientFields({ id, message, request: { json, form } }: ProviderCase): string[] {
  // It hands custom data over apart from its own fields.
  if (id === 'generic-sms') return [];
  if (message.channel !== 'sms' && message.channel !== 'chat') return [];
  const number = message.channel === 'sms' ? message.to : message.phone;
  if (number === undefined) return [];
  const fields = new Set<string>();
  JSON.stringify([json, form], (key, value: unknown) => {
    const isWhole = !JSON.stringify(value ?? null).includes(message.content);
    if (isWhole && /\D/.test(key) && JSON.stringify(value ?? null).includes(number.replace('+', ''))) fields.add(key);
    return value;
  });
  // RingCentral has the number one level deeper.
  return [...fields].filter((field) => field !== 'phoneNumber');
}

/** The behaviour that every HTTP provider shares, described by its case. */
export function itBehavesLikeAnHttpProvider(given: ProviderCase): void {
  describe(given.id, () => {
    let server: RecordingServer;
    let registry: ChannelRegistry;

    beforeAll(async () => {
      server = await startRecordingServer();
      registry = createChannelRegistry({
        allowPrivateUrls: true,
        now: () => NOW,
        baseUrls: { [given.id]: server.url },
      });
    });
    beforeEach(() => server.requests.splice(0));
    afterAll(async () => {
      await registry.close();
      await server.close();
    });

    const answer = (main: CannedAnswer): void => {
      server.answer = (request) => given.prelude?.[request.path] ?? main;
    };
    const credentials = (): Record<string, unknown> => pointAt(given.credentials, server.url);
    const send = (keys = credentials()): Promise<SendResult> =>
      registry.send(given.channel, given.id, pointAt(given.message, server.url), {
        credentials: keys,
        idempotencyKey: 'key-1',
        timeoutMs: PATIENCE_MS,
      });
    const secrets = (): string[] =>
      Object.entries(given.credentials)
        .filter(([key]) => findProvider(given.id, given.channel)?.credentials.some((f) => f.key === key && f.secret))
        .map(([, value]) => String(value));

    describe('send', () => {
      const numbers = recipientFields(given);
      if (numbers.length > 0) {
        it.each(numbers)('should send to nobody whom custom data names as %s', async (key) => {
          answer(given.success);
          const customData = { [key]: OTHER_NUMBER };
          const message = { ...given.message, customData } as ProviderCase['message'];
          await registry.send(given.channel, given.id, pointAt(message, server.url), {
            credentials: credentials(),
            idempotencyKey: 'key-1',
            timeoutMs: PATIENCE_MS,
          });
          const request = server.requests.at(-1);
          expect(`${request?.path ?? ''} ${request?.body.toString() ?? ''}`).not.toContain(OTHER_NUMBER);
        });
      }

      const sentWith = async (changes: object): Promise<RecordedRequest> => {
        answer(given.success);
        const message = { ...given.message, ...changes };
        await registry.send(given.channel, given.id, pointAt(message, server.url), {
          credentials: credentials(),
          idempotencyKey: 'key-1',
          timeoutMs: PATIENCE_MS,
        });
        const request = server.requests.at(-1);
        if (!request) throw new Error('no request');
        return request;
      };
      /** Its bytes, path and headers as text, with those of texts in base64. */
      const textOf = ({ path, headers, body }: RecordedRequest): string =>
        decodeURIComponent(`${path} ${JSON.stringify(headers)} ${body.toString().replace(/[+%]/g, ' ')}`);
      const declared = findProvider(given.id, given.channel);

      const handsOn = declared?.ownFields !== undefined && declared.ownFields.only === undefined;

      // Nobody but the browser can read what web push sends.
      if (given.id !== 'web-push') {
        it(`should ${handsOn ? '' : 'not '}hand on fields that Herald does not know`, async () => {
          const isTable = given.channel === 'email' || given.channel === 'push';
          const request = await sentWith({ [isTable ? 'overrides' : 'customData']: { ownWord: 'own-4711' } });
          expect(textOf(request).includes('own-4711')).toBe(handsOn);
        });
      }

      if (declared?.limit) {
        const { most, unit } = declared.limit;
        it(`should refuse a text of more than ${most} ${unit} before the call`, async () => {
          const letter = unit === 'bytes' ? 'x' : '✓';
          await sentWith({ content: letter.repeat(most) });
          await expect(sentWith({ content: letter.repeat(most + 1) })).rejects.toMatchObject({
            code: 'message_incomplete',
            retryable: false,
          });
        });
      }

      if (given.channel === 'email') itBehavesLikeMail(given, sentWith, textOf);

      it('should make exactly the documented request and give back the id', async () => {
        answer(given.success);
        const result = await send();
        const request = server.requests.at(-1);
        if (!request) throw new Error('no request');
        const { method = 'POST', path, headers = {}, ...body } = given.request;
        expect([request.method, request.path]).toEqual([method, path]);
        expect(request.headers).toMatchObject(headers);
        expect(await decode(request)).toEqual(body);
        expect(result.id).toBe(given.result.id);
        expect(result.date).toBe(given.result.date ?? NOW.toISOString());
      });

      it('should pass on why a request was refused, for good and without secrets', async () => {
        answer({ status: 400, body: given.failure.body });
        await expect(send()).rejects.toMatchObject({
          name: 'ProviderError',
          retryable: false,
          statusCode: 400,
          message: expect.stringContaining(given.failure.words) as string,
        });
        answer({ status: 400, body: { echo: [...secrets(), 'secret-part'].join(' ') } });
        const failure = await send().catch((error: unknown) => error as Error & { raw: unknown });
        const shown = 'message' in failure ? `${failure.message} ${JSON.stringify(failure.raw)}` : '';
        expect(shown).toContain('HTTP 400');
        for (const secret of secrets()) expect(shown).not.toContain(secret);
      });

      it('should call refused credentials final', async () => {
        answer({ status: 401, body: {} });
        await expect(send()).rejects.toMatchObject({ code: 'unauthorized', retryable: false, statusCode: 401 });
      });

      it('should wait as long as a rate limit says', async () => {
        answer({ status: 429, headers: { 'retry-after': '7' }, body: {} });
        await expect(send()).rejects.toMatchObject({ code: 'rate_limited', retryable: true, retryAfterMs: 7_000 });
        answer({ status: 429, headers: { 'retry-after': 'Fri, 02 Jan 2026 03:04:35 GMT' }, body: 'slow down' });
        await expect(send()).rejects.toMatchObject({ retryable: true, retryAfterMs: 30_000 });
      });

      it('should call a server error passing', async () => {
        answer({ status: 500, body: HTML });
        await expect(send()).rejects.toMatchObject({ code: 'unavailable', retryable: true, statusCode: 500 });
      });

      it.each<[string, CannedAnswer]>([
        ['without an id', { status: 200, body: {} }],
        ['with a page of markup', { status: 200, body: HTML }],
        ['with nothing', { status: 202, body: '' }],
      ])('should take every other success for an acceptance: %s', async (_name, success) => {
        answer(success);
        const result = await send();
        expect(result).not.toHaveProperty('id');
        const namesIds = given.result.id !== undefined && !NEED_NO_ID.has(given.id);
        expect(result.lacksId).toBe(namesIds ? true : undefined);
      });

      it('should take a success that breaks off for an acceptance, unless refusals can stand in it', async () => {
        answer({ status: 200, breaksOff: 'inside' });
        if (REFUSE_IN_BODY.has(given.id)) {
          await expect(send()).rejects.toMatchObject({ code: 'bad_answer', outcome: 'uncertain' });
        } else await expect(send()).resolves.not.toHaveProperty('id');
      });

      it('should tell that the message may have been sent when no answer follows the request', async () => {
        answer({ breaksOff: 'before' });
        await expect(send()).rejects.toMatchObject({ code: 'unreachable', retryable: true, outcome: 'uncertain' });
      });

      it.each([
        [400, 'not_sent'],
        [429, 'not_sent'],
        [500, 'not_sent'],
        [502, 'uncertain'],
        [503, 'not_sent'],
        [504, 'uncertain'],
      ])('should tell whether the message may have been sent from HTTP %s', async (status, outcome) => {
        answer({ status, body: HTML });
        await expect(send()).rejects.toMatchObject({ outcome });
      });

      it('should tell that the message was surely not sent where nobody listens', async () => {
        const gone = await startRecordingServer();
        await gone.close();
        const lost = createChannelRegistry({
          allowPrivateUrls: true,
          now: () => NOW,
          baseUrls: { [given.id]: gone.url },
        });
        const sending = lost.send(given.channel, given.id, pointAt(given.message, gone.url), {
          credentials: pointAt(given.credentials, gone.url),
          idempotencyKey: 'key-1',
          timeoutMs: PATIENCE_MS,
        });
        await expect(sending).rejects.toMatchObject({ code: 'unreachable', retryable: true, outcome: 'not_sent' });
        await lost.close();
      });

      it('should give up on silence', async () => {
        // A server of its own: what reaches it late is not counted in another test.
        const silent = await startRecordingServer();
        silent.answer = (request) => given.prelude?.[request.path];
        const impatient = createChannelRegistry({
          allowPrivateUrls: true,
          now: () => NOW,
          baseUrls: { [given.id]: silent.url },
        });
        const sending = impatient.send(given.channel, given.id, pointAt(given.message, silent.url), {
          credentials: pointAt(given.credentials, silent.url),
          idempotencyKey: 'key-1',
          timeoutMs: 300,
        });
        await expect(sending).rejects.toMatchObject({ code: 'timeout', retryable: true });
        await impatient.close();
        await silent.close();
      });

      it('should name missing credentials without a request', async () => {
        const required = findProvider(given.id, given.channel)?.credentials.filter(
          ({ key, required }) => required && key !== 'from' && key !== 'senderName',
        );
        if (!required?.[0]) return;
        const sending = send({});
        await expect(sending).rejects.toMatchObject({
          code: 'credentials_incomplete',
          message: expect.stringContaining(`credentials.${required[0].key}`) as string,
        });
        expect(server.requests).toHaveLength(0);
      });
    });

    describe('check', () => {
      const { check } = given;

      it('should be declared when there is one', () => {
        expect(findProvider(given.id, given.channel)?.supports.check === true).toBe(check !== undefined);
      });

      if (!check) return;

      it('should prove credentials by a request that sends nothing', async () => {
        answer(check.success ?? { status: 200, body: {} });
        await registry.check(given.channel, given.id, credentials(), PATIENCE_MS);
        const request = server.requests.at(-1);
        expect([request?.method, request?.path]).toEqual([check.method, check.path]);
        if (request && check.json !== undefined) expect(await decode(request)).toEqual({ json: check.json });
      });

      it('should pass on that credentials are refused', async () => {
        answer({ status: 401, body: {} });
        await expect(registry.check(given.channel, given.id, credentials(), PATIENCE_MS)).rejects.toMatchObject({
          code: 'unauthorized',
          retryable: false,
        });
      });
    });
  });
}

/** What mail has besides its text, as the declaration of the provider states it. */
function itBehavesLikeMail(
  { id, request: usual }: ProviderCase,
  sentWith: (changes: object) => Promise<RecordedRequest>,
  textOf: (request: RecordedRequest) => string,
): void {
  const { supports, storedTemplate, ownFields } = findProvider(id, 'email') ?? { supports: {} };

  it(`should ${supports.inline ? '' : 'not '}show a file inside the mail`, async () => {
    const logo = { name: 'logo.png', mime: 'image/png', content: Buffer.from('png') };
    const inside = { ...logo, cid: 'logo-4711', disposition: 'inline' } as const;
    const request = textOf(await sentWith({ attachments: [inside] }));
    expect(request.includes('logo-4711')).toBe(supports.inline === true);
    const attached = textOf(await sentWith({ attachments: [logo] }));
    expect(attached).not.toMatch(/inline/i);
    const told = textOf(await sentWith({ attachments: [{ ...inside, disposition: 'attachment' }] }));
    expect(told).not.toMatch(/inline/i);
  });

  it.each([
    ['customData', { order: 'data-4711' }, 'data-4711'],
    ['ipPools', 'pool-4711', 'pool-4711'],
  ] as const)('should send %s only if it says so', async (feature, value, word) => {
    const key = feature === 'ipPools' ? 'ipPoolName' : feature;
    const sent = textOf(await sentWith({ customData: undefined, [key]: value }));
    expect(sent.includes(word)).toBe(supports[feature] === true);
  });

  // A webhook gets the message as it is.
  if (id !== 'email-webhook') {
    it('should leave out a name that is empty, which providers refuse', async () => {
      const text = textOf(await sentWith({ senderName: '' }));
      expect(text).toContain('news@herald.example');
      expect(text).not.toMatch(/name" ?: ?""|"" </i);
    });
  }

  if (storedTemplate) {
    it('should send a stored template instead of the text of the workflow', async () => {
      const keys = Object.entries(storedTemplate.data).map(([key, place]) => {
        const isName = storedTemplate.names.includes(place);
        return [key, isName ? 'template-4711' : { name: 'Ada-4711' }] as const;
      });
      const request = await sentWith({ customData: { ...Object.fromEntries(keys), order: 'data-4711' } });
      const text = textOf(request);
      expect(request.path).toBe(storedTemplate.path ?? usual.path);
      expect(text).toContain('template-4711');
      expect(text).toContain('Ada-4711');
      expect(text).not.toContain('Hello');
      expect(text).not.toContain('Gr');
      for (const [key] of keys) if (!text.includes(`"${key}":`)) expect(text).not.toContain(`name="v:${key}"`);
      expect(text).toContain('ada@example.com');
    });
  }

  for (const path of ownFields?.not ?? []) {
    it(`should not let an override say ${path}`, async () => {
      const [field = '', ...rest] = path.toLowerCase().split('.').reverse();
      const inner: unknown = { [field]: 'eve@example.com' };
      const fields = rest.reduce((value, key) => (key === '*' ? [value] : { [key]: value }), inner);
      await expect(sentWith({ overrides: fields })).rejects.toMatchObject({ retryable: false });
    });
  }
}
