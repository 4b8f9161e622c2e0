import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppConfig } from '#libs/config';
import { type SmtpCatcher, startSmtpCatcher } from '../../../libs/channels/test/smtp-catcher.js';
import { describeWithRedis, RedisServer } from '../../../libs/work/test/redis-server.js';
import type { TestSession } from '../../../test/harness/index.js';
import { workerStore } from '../../../test/harness/index.js';
import { runProgram } from '../../../test/support/program.js';
import { useTestApi } from '../../../test/support/test-api.js';
import type { Check } from '../src/doctor/check.js';
import { doctorProgram } from '../src/doctor/doctor-program.js';
import { DnsServer } from './dns-server.js';

let dns: DnsServer;
let folder: string;
beforeAll(async () => {
  dns = await DnsServer.start();
});
afterAll(() => dns.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-doctor-'));
  dns.zones = {
    'acme.test': { TXT: ['v=spf1 ip4:198.51.100.0/24 -all'] },
    '_dmarc.acme.test': { TXT: ['v=DMARC1; p=reject; rua=mailto:a@acme.test'] },
  };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the program runs, in this process. @param settings of Herald, with DATA_DIR in the folder of the test */
async function doctor(
  line: readonly string[],
  settings: Record<string, string> = {},
  env: Record<string, string> = {},
) {
  let [out, err] = ['', ''];
  const code = await doctorProgram(
    ['--dns', dns.address, ...line],
    { DATA_DIR: folder, ...env },
    () => AppConfig.from({ DATA_DIR: folder, PORT: '1', ...settings }),
    { out: (text) => (out += text), err: (text) => (err += text) },
  );
  return { code, out, err };
}
async function checks(settings: Record<string, string> = {}, env: Record<string, string> = {}): Promise<string[]> {
  const { out, err } = await doctor(['--json'], settings, env);
  expect(err).toBe('');
  return (JSON.parse(out) as { checks: Check[] }).checks.map(
    ({ status, name, sentence }) => `${status} ${name}: ${sentence}`,
  );
}
const about = (found: readonly string[], name: string): string | undefined =>
  found.find((line) => line.split(' ')[1] === `${name}:`);

describe('herald doctor with a running Herald', () => {
  const api = useTestApi();
  let session: TestSession;
  let smtp: SmtpCatcher;
  beforeAll(async () => {
    smtp = await startSmtpCatcher({
      authOptional: true,
      onAuth: ({ password }, _session, done) =>
        password === 'right-passw0rd' ? done(null, { user: 'x' }) : done(new Error('Bad password')),
    });
  });
  afterAll(() => smtp.close());
  beforeEach(async () => {
    [session] = await api.siblings();
  });
  const remote = () => ({ HERALD_URL: api.url, HERALD_API_KEY: session.apiKey });
  const integrate = (credentials: object) =>
    session
      .post('/v1/integrations', {
        providerId: 'nodemailer',
        channel: 'email',
        active: true,
        check: false,
        credentials: {
          host: '127.0.0.1',
          port: String(smtp.port),
          from: 'shop@acme.test',
          senderName: 'Acme',
          user: 'ann',
          ...credentials,
        },
      })
      .expect(201);

  it('should ask Herald, its providers and the DNS of their senders', async () => {
    await integrate({ password: 'right-passw0rd' });
    const found = await checks({}, remote());
    expect(found).toEqual([
      expect.stringMatching(/^ok herald: Herald \d+\.\d+\.\d+ is ready at /),
      'ok store: The store of Herald answers.',
      'ok clock: The clock of this machine agrees with that of Herald.',
      ...found.slice(3, 4),
      expect.stringMatching(/^ok provider \S+: nodemailer accepts the credentials\.$/),
      'ok spf acme.test: The SPF record is valid, and needs 0 of 10 DNS lookups.',
      'ok spf acme.test 127.0.0.1: 127.0.0.1 has private addresses only, so that the address which receivers see cannot be told.',
      'ok dmarc acme.test: The DMARC policy of acme.test is reject.',
    ]);
    expect(found[3]).toMatch(/ work: /);
  });

  it('should fail for a provider that refuses, with its words and without a secret', async () => {
    await integrate({
      password: 'wr0ng-passw0rd',
      domain: 'acme.test',
      accountSid: 's1',
      secretKey: 'PRIVATE-KEY-OF-DKIM',
    });
    const { code, out } = await doctor([], {}, remote());
    expect(code).toBe(1);
    expect(out).toMatch(/^fail {2}provider \S+: nodemailer refuses the credentials: .*Bad password/m);
    expect(out).toContain('fail  dkim s1._domainkey.acme.test: There is no DKIM key at s1._domainkey.acme.test.');
    expect(out).toMatch(/\d+ ok, \d+ to look at, 2 failed\.\n$/);
    for (const secret of ['wr0ng-passw0rd', 'PRIVATE-KEY-OF-DKIM', session.apiKey]) expect(out).not.toContain(secret);
  });

  it('should see that a host wants STARTTLS which the server does not offer', async () => {
    await integrate({ password: 'right-passw0rd', requireTls: true });
    expect(await checks({}, remote())).toContainEqual(expect.stringMatching(/^fail provider \S+: nodemailer refuses/));
  });

  it('should say that the key is rejected, and that there is no provider', async () => {
    const wrong = await checks({}, { HERALD_URL: api.url, HERALD_API_KEY: 'wrong' });
    expect(wrong).toContainEqual(expect.stringMatching(/^fail providers: /));
    expect(await checks({}, remote())).toContainEqual(
      'warn providers: No provider is active: messages reach the inbox only.',
    );
  });

  it('should examine the machine as well where Herald runs on it, as the built program too', async () => {
    const { port } = new URL(api.url);
    const found = await checks({ PORT: port }, { HERALD_API_KEY: session.apiKey });
    expect(about(found, 'settings')).toBe('ok settings: The settings are valid.');
    expect(about(found, 'disk')).toMatch(/^\w+ disk: \S+ has [\d.]+ [MG]B of free space\.$/);
    expect(about(found, 'port')).toBeUndefined();
    const env = remote();
    const { code, out } = await runProgram('apps/admin/src/doctor.js', ['--json', '--dns', dns.address], env, folder);
    expect([code, (JSON.parse(out) as { ok: boolean }).ok]).toEqual([0, true]);
  });

  it('should not take another server for Herald', async () => {
    const server = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const found = await checks({}, { HERALD_URL: url, HERALD_API_KEY: session.apiKey });
    server.close();
    expect(found[0]).toBe(`fail herald: What answers at ${url} is not Herald.`);
    expect(await checks({}, { HERALD_URL: 'http://127.0.0.1:1' })).toEqual([
      'fail herald: No Herald answers at http://127.0.0.1:1.',
    ]);
  });
});

describe('herald doctor without a running Herald', () => {
  it('should look at what there is on a new machine', async () => {
    const found = await checks({ PORT: '0' });
    expect(found.map((line) => line.split(':')[0])).toEqual([
      'ok settings',
      'warn herald',
      expect.stringMatching(/ disk$/),
      'ok redis',
      'warn store',
      'ok port',
    ]);
    expect(about(found, 'store')).toContain('There is no store in');
  });

  it('should reach the store of MONGODB_URI, and say why one cannot be reached, without its password', async () => {
    const found = await checks({ MONGODB_URI: workerStore().uri, PORT: '0' });
    expect(about(found, 'store')).toMatch(/^ok store: MongoDB at /);
    expect(about(found, 'clock')).toBe('ok clock: The clock of this machine agrees with that of the store.');
    const uri = 'mongodb://ann:s3cret-passw0rd@127.0.0.1:1/herald';
    const { code, out } = await doctor([], { MONGODB_URI: uri, PORT: '0' });
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^fail {2}store: MongoDB at mongodb:\/\/127\.0\.0\.1:1\/herald cannot be reached/m),
    ]);
    expect(out).not.toContain('s3cret');
  });

  it('should find wrong settings, a port that is taken and keys that others can read', async () => {
    const server = createServer((_request, response) => response.destroy()).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    writeFileSync(join(folder, 'api-key'), 'k');
    chmodSync(join(folder, 'api-key'), 0o644);
    const found = await checks({ PORT: String(port) });
    server.close();
    expect(about(found, 'port')).toBe(
      `fail port: Another program that is not Herald listens on port ${port} of 127.0.0.1.`,
    );
    expect(about(found, 'secrets')).toBe(`fail secrets: Other users can read api-key in ${folder}.`);
    expect(await checks({ PORT: 'http' })).toContainEqual(
      'fail settings: PORT: must be a whole number from 0 to 65535',
    );
  });

  it('should examine a domain that is named', async () => {
    const line = ['--domain', 'ACME.test', '--smtp-host', '203.0.113.9', '--selector', 's1'];
    const { code, out } = await doctor(line, { PORT: '0' });
    expect(code).toBe(1);
    expect(out).toContain('warn  spf acme.test 203.0.113.9: The SPF record does not include the SMTP host 203.0.113.9');
    expect(out).toContain('fail  dkim s1._domainkey.acme.test: There is no DKIM key');
  });

  it.each([
    [['--dns', 'nonsense'], '--dns must be an IP address'],
    [['--selector', 's1'], 'belong to a --domain'],
    [['--domain', 'a b'], "'a b' is not the name of a domain"],
    [['--colour'], "Unknown option '--colour'"],
    [['all'], 'Usage: npm run herald -- doctor'],
  ])('should refuse the line %j', async (line, text) => {
    expect(await doctor(line)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(text) as string });
  });

  it('should print its options', async () => {
    expect(await doctor(['--help'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: npm run herald -- doctor /) as string,
    });
  });
});

describeWithRedis()('herald doctor with Redis', () => {
  const redis = new RedisServer();
  beforeAll(() => redis.start());
  afterAll(() => redis.stop());

  it('should reach Redis, and say that it is away', async () => {
    const found = await checks({ REDIS_URL: redis.url, PORT: '0' });
    expect(about(found, 'redis')).toMatch(/^ok redis: Redis at redis:\/\/127\.0\.0\.1:\d+ answers\.$/);
    expect(about(found, 'clock')).toBe('ok clock: The clock of this machine agrees with that of Redis.');
    const away = await checks({ REDIS_URL: 'redis://:s3cret@127.0.0.1:1', PORT: '0' });
    expect(about(away, 'redis')).toMatch(
      /^fail redis: Redis at redis:\/\/127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/,
    );
    expect(away.join('\n')).not.toContain('s3cret');
  });
});
