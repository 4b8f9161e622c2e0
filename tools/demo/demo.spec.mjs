import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';

const ifBuilt = existsSync(join('dist', 'src', 'main.js')) ? it : it.skip;
/** A demo starts a Herald of its own. */
const WITHIN_MS = 600_000;

/** @param onLine is called with each line as it is printed */
async function demo(args, env = {}, onLine = () => undefined) {
  const child = spawn(process.execPath, ['tools/demo/run.mjs', ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: tmpdir(), ...env },
  });
  let [out, err, unread] = ['', '', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
    const lines = `${unread}${chunk}`.split('\n');
    unread = lines.pop();
    lines.forEach(onLine);
  });
  child.stderr.on('data', (chunk) => (err += chunk));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return {
    code,
    out,
    err,
    records: () =>
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

describe('the demo', () => {
  ifBuilt(
    'should print one JSON line for each request and message, and leave nothing behind',
    async () => {
      const temp = mkdtempSync(join(tmpdir(), 'herald-demo-spec-'));
      const { code, records } = await demo(['--json'], { TMPDIR: temp });
      const lines = records();
      expect([code, lines.at(-1)]).toEqual([0, expect.objectContaining({ type: 'end', ok: true, arrivals: 4 })]);
      const arrivals = lines.filter(({ type }) => type === 'arrival');
      expect(arrivals.map(({ by }) => by)).toEqual(['smtp', 'http', 'http', 'smtp']);
      expect(arrivals[0].arrival).toMatchObject({ subject: 'Invoice F-7', messageId: expect.any(String) });
      expect(arrivals[3].arrival.text).toMatch(/Order 51[^]*Order 52[^]*Order 53/);
      const exchanges = lines.filter(({ type }) => type === 'exchange');
      expect(exchanges).toHaveLength(lines.at(-1).requests);
      for (const one of exchanges) {
        expect(one).toMatchObject({ status: expect.any(Number), ms: expect.any(Number), answer: expect.anything() });
      }
      expect(readdirSync(temp)).toEqual([]);
      rmSync(temp, { recursive: true });
    },
    WITHIN_MS,
  );

  ifBuilt(
    'should fail where a message arrives that is not due, and print text with short ids and without escapes',
    async () => {
      let sending;
      const { code, out } = await demo([], {}, (line) => {
        const port = /port: '(\d+)'/.exec(line)?.[1];
        if (port === undefined || sending !== undefined) return;
        const transport = createTransport({ host: '127.0.0.1', port: Number(port) });
        const mail = { from: 'eve@example.com', to: 'ada@example.com', subject: 'Uninvited', text: 'x' };
        sending = transport.sendMail(mail).finally(() => transport.close());
      });
      await sending;
      expect(out).toContain('Failed: Unexpected messages arrived: ');
      expect(out).toContain('Uninvited');
      expect(code).toBe(1);
      expect(out).toMatch(/POST {3}\/v1\/feeds {2}201 {2}[\d.]+ ms\n {6}→ \{ name: 'Orders \w+' \}/);
      expect(out).toMatch(/_id: '[\da-f]{4}…[\da-f]{4}'/);
      expect(out).not.toMatch(/\b[\da-f]{24}\b/);
      expect(out).not.toContain('\u001b');
    },
    WITHIN_MS,
  );

  describe('at a Herald that is not as it should be', () => {
    let answer;
    const server = createServer((request, response) => {
      void text(request).then((sent) => {
        const { status, body } = answer(request, sent);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    const at = (url) => ({ HERALD_URL: url, HERALD_API_KEY: 'k' });
    let url;
    beforeAll(async () => {
      await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${server.address().port}`;
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    it.each([
      ['another status', 400, { message: ['a', 'b'] }, 'GET /v1/health-check: expected 200, got 400 a; b'],
      ['another value', 200, { data: { status: 'no' } }, "expected data.status to be 'ok', got 'no'"],
      ['a missing value', 200, { data: {} }, "expected data.status to be 'ok', got undefined"],
    ])('should print the response and fail at %s', async (_case, status, body, message) => {
      answer = () => ({ status, body });
      const { code, records } = await demo(['--json'], at(url));
      const [, , exchange, end] = records();
      expect(exchange).toMatchObject({ type: 'exchange', status, answer: body });
      expect(end).toEqual({ type: 'end', ok: false, message: expect.stringContaining(message) });
      expect(code).toBe(1);
    });

    it('should fail where nothing listens', async () => {
      const { code, records } = await demo(['--json'], at('http://127.0.0.1:1'));
      expect([code, records().at(-1).message]).toEqual([1, expect.stringContaining('was not answered')]);
    });

    it('should remove its integrations from a Herald that keeps running', async () => {
      const removed = [];
      answer = ({ method, url: path }, sent) => {
        if (method === 'DELETE') removed.push(path);
        if (path === '/v1/health-check') return { status: 200, body: { data: { status: 'ok' } } };
        if (path === '/v1/integrations') return { status: 201, body: { data: { ...JSON.parse(sent), _id: 'i-1' } } };
        return { status: 200, body: { data: {} } };
      };
      const { code } = await demo(['--json'], at(url));
      expect([code, removed]).toEqual([1, ['/v1/integrations/i-1', '/v1/integrations/i-1', '/v1/integrations/i-1']]);
    });
  });

  it('should explain itself, and refuse what it does not know', async () => {
    expect(await demo(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('--json') });
    expect(await demo(['--colour'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Unknown option: --colour'),
    });
  });
});
