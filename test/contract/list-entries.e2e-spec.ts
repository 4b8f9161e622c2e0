import type { TestSession } from '../harness/index.js';
import { faultsOf } from '../support/answers.js';
import { fill, operationsOf, readDocument, resolve } from '../support/routes.js';
import { useHerald } from '../support/herald.js';

const document = readDocument();

const api = useHerald();
let session: TestSession;
beforeAll(async () => {
  session = await api.session();
  await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
});

const push = (...deviceTokens: unknown[]): object => ({ providerId: 'fcm', credentials: { deviceTokens } });

describe('faults of entries of lists', () => {
  it.each<[string, string, object, string[]]>([
    ['put', '/v1/subscribers/ada/credentials', push(5), ['credentials.deviceTokens.0 must be a string']],
    ['put', '/v1/subscribers/ada/credentials', push('a', null), ['credentials.deviceTokens.1 must be a string']],
    ['put', '/v1/subscribers/ada/credentials', push({}), ['credentials.deviceTokens.0 must be a string']],
    ['patch', '/v1/subscribers/ada/credentials', push(['a']), ['credentials.deviceTokens.0 must be a string']],
    [
      'patch',
      '/v1/subscribers/ada/credentials',
      push(''),
      ['credentials.deviceTokens.0 must be longer than or equal to 1 characters'],
    ],
    [
      'post',
      '/v1/subscribers',
      { subscriberId: 'bob', channels: [push(5)] },
      ['channels.0.credentials.deviceTokens.0 must be a string'],
    ],
    ['post', '/v1/subscribers/bulk', { subscribers: 'text' }, ['subscribers must be an array']],
    [
      'post',
      '/v1/webhooks',
      { url: 'https://example.com/', events: ['message.sent', 'message.sent'] },
      ['events must not contain an entry twice'],
    ],
    [
      'post',
      '/v1/subscribers/ada/messages/mark-as',
      { messageId: ['x'], markAs: 'read' },
      ['messageId.0 must be a mongodb id'],
    ],
    [
      'post',
      '/v1/subscribers/ada/messages/mark-all',
      { markAs: 'read', feedIdentifier: ['a', 5] },
      ['feedIdentifier.1 must be a string'],
    ],
  ])('should name the entry: %s %s %j', async (method, path, body, faults) => {
    expect(await faultsOf(session[method as 'post'](path, body))).toEqual(faults);
  });

  it.each([
    ['/v1/notifications?templates=x', 'templates.0 must be a record id'],
    ['/v1/notifications?channels=email&channels=pigeon', 'channels.1 must be one of'],
    [`/v1/notifications?emails=${'x'.repeat(300)}`, 'emails.0 must be shorter than'],
    [`/v1/subscribers/ada/notifications/feed?feedIdentifier=${'x'.repeat(300)}`, 'feedIdentifier.0 must be shorter'],
  ])('should name the value in a query: %s', async (url, beginning) => {
    expect(await faultsOf(session.get(url))).toEqual([expect.stringMatching(new RegExp(`^${beginning}`))]);
  });

  it('should begin with a field of the body in every operation, whatever is sent', async () => {
    const odd: string[] = [];
    let seen = 0;
    for (const { method, path, operation } of operationsOf(document)) {
      const schema = resolve(document, operation.requestBody?.content['application/json']?.schema);
      for (const field of Object.keys(schema.properties ?? {})) {
        for (const value of [[5, null, {}, '', ['a']], 'text', 5, [{ credentials: { deviceTokens: [5] } }]]) {
          const answer = await session[method.toLowerCase() as 'post'](fill(path), { [field]: value });
          const { message, code } = answer.body as { message: unknown; code: string };
          if (code !== 'validation_failed') continue;
          const fields = Object.keys(schema.properties ?? {}).join('|');
          const isTold = new RegExp(`^(${fields}|further|\\d+ further)\\b`);
          const strange = (message as string[]).filter((text) => !isTold.test(text) || text.includes('each value'));
          odd.push(...strange.map((text) => `${method} ${path}: ${text}`));
          seen += 1;
        }
      }
    }
    expect(odd).toEqual([]);
    expect(seen).toBeGreaterThan(100);
  });
});
