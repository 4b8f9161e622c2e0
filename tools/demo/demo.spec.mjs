import { createServer } from 'node:http';
import { createClient, DemoFailure, faultOf } from './client.mjs';
import { createPrinter, select, shorten } from './printer.mjs';

const exchange = (status, data) => ({ status, ms: 1, answer: { data } });

describe('faultOf', () => {
  const step = { status: 200, expect: { name: 'x', 'a.0.b': 1 } };

  it('should accept an answer with the expected fields', () => {
    expect(faultOf(step, exchange(200, { name: 'x', a: [{ b: 1 }], more: true }))).toBeUndefined();
  });

  it.each([
    [
      'another status',
      { status: 400, answer: { message: ['name must be a string'] } },
      'got 400 (name must be a string)',
    ],
    ['another value', exchange(200, { name: 'y', a: [{ b: 1 }] }), 'expected name to be "x", got "y"'],
    ['a missing value', exchange(200, { name: 'x' }), 'expected a.0.b to be 1, got undefined'],
    ['no answer at all', { status: 200 }, 'expected name to be "x", got undefined'],
  ])('should tell about %s', (_case, answer, fault) => {
    expect(faultOf(step, answer)).toContain(fault);
  });
});

describe('createClient', () => {
  const seen = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(seen.length < 3 ? 404 : 200).end(JSON.stringify({ data: { calls: seen.length } }));
  });
  let client;
  beforeAll(async () => {
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${server.address().port}`;
    client = createClient({ url, apiKey: 'k' }, { exchange: () => {} });
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it('should fail where the answer is another one', async () => {
    const step = { method: 'GET', path: '/x', status: 200 };
    await expect(client.call(step)).rejects.toThrow(DemoFailure);
    expect(seen).toEqual(['GET /x ApiKey k']);
  });

  it('should wait until the answer has come, and count the endpoint once', async () => {
    const data = await client.waitFor({ method: 'GET', path: '/y', status: 200, section: '4.9' });
    expect(data.calls).toBeGreaterThanOrEqual(3);
    await client.call({ method: 'GET', path: '/y', status: 200, section: '4.9' });
    expect(client.summary()).toMatchObject({ requests: 3, endpoints: ['4.9'] });
  });

  it('should read and remove without counting, and forgive what cannot be removed', async () => {
    const before = client.summary();
    expect(await client.read('/z')).toHaveProperty('calls');
    await client.remove('/z');
    expect(seen.at(-1)).toBe('DELETE /z ApiKey k');
    const nobody = createClient({ url: 'http://127.0.0.1:1', apiKey: 'k' }, {});
    await expect(nobody.remove('/z')).resolves.toBeUndefined();
    expect(client.summary()).toEqual(before);
  });
});

describe('createPrinter', () => {
  const tell = (options) => {
    let text = '';
    const printer = createPrinter({ ...options, out: { write: (chunk) => (text += chunk) } });
    const id = '0123456789abcdef01234567';
    printer.begin({ url: 'http://h', description: 'd' });
    printer.chapter({ title: 'People', about: 'Who.' });
    const step = { title: 'Make', method: 'POST', path: `/v1/x/${id}`, body: { n: 1 }, status: 201, show: ['_id'] };
    printer.exchange(step, { status: 201, ms: 1.234, answer: { data: { _id: id, other: 1 } } });
    const arrival = { subject: 'Hi', messageId: '<m>' };
    printer.arrival({ title: 'The mail.', show: ['subject'] }, { by: 'smtp', ms: 42.4, arrival, expected: true });
    printer.note('Skipped.');
    printer.end({ requests: 1, ms: 1.234, endpoints: ['4.1'], arrivals: 1 });
    return text;
  };

  it('should print what people read, with short ids and without colours where there is no terminal', () => {
    const text = tell({ json: false });
    expect(text).toContain('1. People');
    expect(text).toMatch(/POST {3}\/v1\/x\/0123…4567 +201 +1\.2 ms/);
    expect(text).toContain("← { _id: '0123…4567' }");
    expect(text).toContain('and 1 more fields');
    expect(text).toMatch(/SMTP +arrived 42 ms after the trigger\n +⇠ { subject: 'Hi' }\n/);
    expect(text).toContain('Skipped.');
    expect(text).not.toContain('\u001b');
  });

  it('should print one JSON line for each exchange and arrival, whole', () => {
    const records = tell({ json: true })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ type }) => type)).toEqual(['begin', 'chapter', 'exchange', 'arrival', 'note', 'end']);
    expect(records[2]).toMatchObject({ status: 201, answer: { data: { other: 1 } }, body: { n: 1 } });
    expect(records[3]).toMatchObject({ by: 'smtp', arrival: { subject: 'Hi', messageId: '<m>' } });
  });
});

describe('select', () => {
  it('should show a surprise whole', () => {
    expect(select({ a: 1, b: 2 }, ['a'], false)).toEqual({ shown: { a: 1, b: 2 }, hidden: 0 });
  });

  it('should take the fields out of each entry of a list', () => {
    expect(select([{ a: 1, b: 2 }, { a: 3 }], ['a'])).toEqual({ shown: [{ a: 1 }, { a: 3 }], hidden: 1 });
  });
});

describe('shorten', () => {
  it('should shorten record ids only', () => {
    expect(shorten('0123456789abcdef01234567 and 0123456789abcdef')).toBe('0123…4567 and 0123456789abcdef');
  });
});
