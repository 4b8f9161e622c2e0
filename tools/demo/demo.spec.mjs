import { createServer } from 'node:http';
import { createPrinter, DemoFailure, faultOf, Narrator, select, shorten } from './narrator.mjs';

const exchange = (status, data) => ({ expected: 200, status, ms: 1, answer: { data } });

describe('faultOf', () => {
  const fields = { name: 'x', 'a.0.b': 1 };

  it('should accept an answer with the expected fields', () => {
    expect(faultOf(exchange(200, { name: 'x', a: [{ b: 1 }], more: true }), fields)).toBeUndefined();
  });

  it.each([
    [
      'another status',
      { expected: 200, status: 400, answer: { message: ['name must be a string'] } },
      'got 400 (name must be a string)',
    ],
    ['another value', exchange(200, { name: 'y', a: [{ b: 1 }] }), 'expected name to be "x", got "y"'],
    ['a missing value', exchange(200, { name: 'x' }), 'expected a.0.b to be 1, got undefined'],
    ['no answer at all', { expected: 200, status: 200 }, 'expected name to be "x", got undefined'],
  ])('should report %s', (_case, answer, fault) => {
    expect(faultOf(answer, fields)).toContain(fault);
  });
});

describe('Narrator', () => {
  let mail;
  let printed;
  const shown = [];
  const printer = {
    arrival: (_title, { ms }) => printed.push(ms),

    exchange: (_title, _exchange, show) => shown.push(show),
  };
  const narratorFor = (withinMs = 120_000, herald = {}) => new Narrator(herald, [mail], printer, withinMs);
  beforeEach(() => {
    mail = { kind: 'smtp', arrivals: [] };
    printed = [];
  });

  describe('when calling', () => {
    const seen = [];
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.writeHead(seen.length < 3 ? 404 : 200).end(JSON.stringify({ data: { calls: seen.length } }));
    });
    let narrator;
    beforeAll(async () => {
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      const herald = { url: `http://127.0.0.1:${server.address().port}`, apiKey: 'k' };
      narrator = narratorFor(undefined, herald);
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    it('should print the whole answer before it fails where the answer is another one', async () => {
      await expect(narrator.call('X.', 'GET /x', { show: ['a'] })).rejects.toThrow(DemoFailure);
      expect(seen).toEqual(['GET /x ApiKey k']);
      expect(shown).toEqual([undefined]);
    });

    it('should wait until the answer is the expected one, and count its requests', async () => {
      const data = await narrator.waitFor('Y.', 'GET /y', {});
      expect(data.calls).toBeGreaterThanOrEqual(3);
      await narrator.call('Y.', 'GET /y');
      expect(narrator.totals).toMatchObject({ requests: 3, arrivals: 0 });
    });

    it('should read and remove without counting, and ignore what cannot be removed', async () => {
      const before = { ...narrator.totals };
      expect(await narrator.read('/z')).toHaveProperty('calls');
      await narrator.remove('/z');
      expect(seen.at(-1)).toBe('DELETE /z ApiKey k');
      const unreachable = narratorFor(undefined, { url: 'http://127.0.0.1:1', apiKey: 'k' });
      await expect(unreachable.remove('/z')).resolves.toBeUndefined();
      expect(narrator.totals).toEqual(before);
    });
  });

  describe('when waiting for an arrival', () => {
    const step = (more) => ({ at: mail, match: ({ subject }) => subject === 'x', since: 100, ...more });
    const arrival = (more) => ({ at: 150, subject: 'x', ...more });

    it('should wait for what is meant, and print how long it took', async () => {
      const waiting = narratorFor().arrived('The mail.', step({ expect: { to: 'ann' } }));
      mail.arrivals.push(arrival({ subject: 'y' }), arrival({ to: 'ann' }));
      await expect(waiting).resolves.toEqual({ subject: 'x', to: 'ann' });
      expect(printed).toEqual([50]);
    });

    it('should print what is wrong before it fails', async () => {
      mail.arrivals.push(arrival({ to: 'bob' }));
      await expect(narratorFor().arrived('The mail.', step({ expect: { to: 'ann' } }))).rejects.toThrow(
        new DemoFailure('The mail. expected to to be "ann", got "bob"'),
      );
      expect(printed).toEqual([50]);
    });

    it('should fail where nothing comes', async () => {
      const waiting = narratorFor(0).arrived('The mail.', step());
      await expect(waiting).rejects.toThrow('The mail. It did not arrive by smtp within 0 s.');
    });

    it('should notice what came twice', async () => {
      const narrator = narratorFor();
      mail.arrivals.push(arrival(), arrival());
      await narrator.arrived('The mail.', step());
      expect(() => narrator.assertNothingElse()).toThrow(DemoFailure);
      await narrator.arrived('The mail.', step());
      expect(() => narrator.assertNothingElse()).not.toThrow();
      expect(narrator.totals.arrivals).toBe(2);
    });
  });
});

describe('createPrinter', () => {
  const print = (options) => {
    let text = '';
    const printer = createPrinter({ ...options, out: { write: (chunk) => (text += chunk) } });
    const id = '0123456789abcdef01234567';
    const route = { method: 'POST', path: `/v1/x/${id}`, body: { n: 1 } };
    printer.begin({ url: 'http://h', description: 'd' });
    printer.chapter('Subscribers', 'Who.');
    const answer = { data: { _id: id, other: 1 } };
    printer.exchange('Make', { ...route, expected: 201, status: 201, ms: 1.234, answer }, ['_id']);
    const arrival = { subject: 'Hi', messageId: '<m>' };
    printer.arrival('The mail.', { by: 'smtp', ms: 42.4, arrival }, ['subject']);
    printer.end({ requests: 1, ms: 1.234, arrivals: 1 });
    return text;
  };

  it('should print a readable text, with short ids and without colours where there is no terminal', () => {
    const text = print({ json: false });
    expect(text).toContain('1. Subscribers');
    expect(text).toMatch(/POST {3}\/v1\/x\/0123…4567 +201 +1\.2 ms/);
    expect(text).toContain("← { _id: '0123…4567' }");
    expect(text).toMatch(/SMTP +arrived 42 ms after the trigger\n +⇠ { subject: 'Hi' }\n/);
    expect(text).toContain('1 requests answered as expected, 1 messages arrived');
    expect(text).not.toContain('\u001b');
  });

  it('should print one JSON line for each exchange and arrival, whole', () => {
    const records = print({ json: true })
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ type }) => type)).toEqual(['begin', 'chapter', 'exchange', 'arrival', 'end']);
    expect(records[2]).toMatchObject({ status: 201, answer: { data: { other: 1 } }, body: { n: 1 } });
    expect(records[3]).toMatchObject({ by: 'smtp', arrival: { subject: 'Hi', messageId: '<m>' } });
  });
});

describe('select', () => {
  it('should show everything where no fields are named', () => {
    expect(select({ a: 1, b: 2 })).toEqual({ a: 1, b: 2 });
  });

  it('should take the fields out of each entry of a list', () => {
    expect(select([{ a: 1, b: 2 }, { a: 3 }], ['a'])).toEqual([{ a: 1 }, { a: 3 }]);
  });
});

describe('shorten', () => {
  it('should shorten record ids only', () => {
    expect(shorten('0123456789abcdef01234567 and 0123456789abcdef')).toBe('0123…4567 and 0123456789abcdef');
  });
});
