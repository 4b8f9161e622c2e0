import { generateKeyPairSync } from 'node:crypto';
import type { Check } from '../src/doctor/check.js';
import { Dns } from '../src/doctor/dns.js';
import { checkMail, type Sender } from '../src/doctor/mail-checks.js';
import { DnsServer, type Zone } from './dns-server.js';

let server: DnsServer;
beforeAll(async () => {
  server = await DnsServer.start();
});
afterAll(() => server.close());

const rsa = (bits: number) =>
  generateKeyPairSync('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
const KEY = rsa(2048);
const OTHER = rsa(2048);
const WEAK = rsa(1024);
const dkim = ({ publicKey }: { publicKey: Buffer }, tags = ''): Zone => ({
  TXT: [`v=DKIM1; k=rsa; ${tags}p=${publicKey.toString('base64')}`],
});
const REJECT: Zone = { TXT: ['v=DMARC1; p=reject; rua=mailto:dmarc@acme.test'] };
const GOOD: Record<string, Zone> = {
  'acme.test': { TXT: ['google-site-verification=x', 'v=spf1 include:_spf.mail.test -all'] },
  '_spf.mail.test': { TXT: ['v=spf1 ip4:198.51.100.0/24 ip6:2001:db8::/32 -all'] },
  'smtp.mail.test': { A: ['198.51.100.7'], AAAA: ['2001:db8::7'] },
  's1._domainkey.acme.test': dkim(KEY),
  '_dmarc.acme.test': REJECT,
};
const SENDER: Sender = {
  domain: 'acme.test',
  host: 'smtp.mail.test',
  dkim: { domain: 'acme.test', selector: 's1', privateKey: KEY.privateKey },
};

function check(zones: Record<string, Zone>, ...senders: Sender[]): Promise<Check[]> {
  server.zones = { ...GOOD, ...zones };
  return checkMail(new Dns(server.address), senders.length > 0 ? senders : [SENDER]);
}
const troubles = async (zones: Record<string, Zone>, ...senders: Sender[]): Promise<string[]> =>
  (await check(zones, ...senders))
    .filter(({ status }) => status !== 'ok')
    .map(({ status, name, sentence, advice }) => {
      expect(advice).toMatch(/\.$|"/);
      return `${status} ${name.split(' ')[0]}: ${sentence}`;
    });
const spf = (record: string, ...more: string[]): Record<string, Zone> => ({ 'acme.test': { TXT: [record, ...more] } });

describe('the checks of senders', () => {
  it('should find nothing to do where all is right', async () => {
    expect(await check({})).toEqual([
      { name: 'spf acme.test', status: 'ok', sentence: 'The SPF record is valid, and needs 1 of 10 DNS lookups.' },
      {
        name: 'spf acme.test smtp.mail.test',
        status: 'ok',
        sentence: 'The SPF record includes the SMTP host smtp.mail.test.',
      },
      {
        name: 'dkim s1._domainkey.acme.test',
        status: 'ok',
        sentence: 'The DKIM key is valid, and belongs to the private key of the integration.',
      },
      { name: 'dmarc acme.test', status: 'ok', sentence: 'The DMARC policy of acme.test is reject.' },
    ]);
  });

  it('should find what a domain without records lacks, and say what to publish', async () => {
    const nothing = { 'acme.test': {}, 's1._domainkey.acme.test': {}, '_dmarc.acme.test': {} };
    expect(await troubles(nothing)).toEqual([
      'fail spf: acme.test has no SPF record.',
      'fail dkim: There is no DKIM key at s1._domainkey.acme.test.',
      'warn dmarc: acme.test has no DMARC policy. Large receivers refuse mass mails without one.',
    ]);
  });

  it.each<[string, string, Record<string, Zone>?]>([
    ['v=spf1 ip4:198.51.100.7 ip6:2001:db8::7 ~all', ''],
    ['v=spf1 a:smtp.mail.test -all', ''],
    ['v=spf1 a:relay.mail.test/24//32 -all', '', { 'relay.mail.test': { A: ['198.51.100.9'], AAAA: ['2001:db8::9'] } }],
    ['v=spf1 mx:mail.test -all', '', { 'mail.test': { MX: ['smtp.mail.test'] } }],
    ['v=spf1 redirect=_spf.mail.test', ''],
    [
      'v=spf1 -ip4:198.51.100.7 include:_spf.mail.test -all',
      'warn spf: The SPF record does not include the SMTP host smtp.mail.test (198.51.100.7: fail).',
    ],
    [
      'v=spf1 ip4:203.0.113.0/24 ~all',
      'warn spf: The SPF record does not include the SMTP host smtp.mail.test (198.51.100.7: softfail, 2001:db8::7: softfail).',
    ],
    [
      'v=spf1 exists:%{i}.acme.test -all',
      'warn spf: The SPF record does not include the SMTP host smtp.mail.test (198.51.100.7: unknown, 2001:db8::7: unknown).',
    ],
    ['v=spf1 include:_spf.mail.test', 'warn spf: The SPF record refuses nobody: it has no -all or ~all.'],
    ['v=spf1 +all', 'fail spf: The SPF record allows everybody (+all) to send.'],
    ['v=spf1 ipv4:198.51.100.7 -all', "fail spf: The SPF record has faults: 'ipv4:198.51.100.7' is not a term of SPF."],
    ['v=spf1 ip4:198.51.100.700 -all', "fail spf: The SPF record has faults: 'ip4:198.51.100.700' is not a network."],
    [
      'v=spf1 include:nowhere.test -all',
      "fail spf: The SPF record has faults: 'include:nowhere.test': nowhere.test has no SPF record.",
    ],
    [
      'v=spf1 a:x.none.test a:y.none.test a:z.none.test ip4:198.51.100.7 -all',
      'fail spf: The SPF record has faults: 3 of its names do not exist, and receivers accept at most 2.',
    ],
    [
      'v=spf1 include:acme.test -all',
      'fail spf: The SPF record has faults: it needs 31 DNS lookups, and receivers make at most 10.',
    ],
  ])('should judge the SPF record %s', async (record, expected, more = {}) => {
    expect(await troubles({ ...spf(record), ...more })).toEqual(expected === '' ? [] : [expected]);
  });

  it('should count the lookups of all that is included, up to the limit of receivers', async () => {
    const chain = (length: number): Record<string, Zone> => {
      const zones = Array.from({ length }, (_one, at) => [
        `n${at}.test`,
        { TXT: [at + 1 < length ? `v=spf1 include:n${at + 1}.test -all` : (GOOD['_spf.mail.test']?.TXT?.[0] ?? '')] },
      ]);
      return { ...spf('v=spf1 include:n0.test -all'), ...(Object.fromEntries(zones) as Record<string, Zone>) };
    };
    expect(await troubles(chain(10))).toEqual([]);
    expect(await troubles(chain(11))).toEqual([
      'fail spf: The SPF record has faults: it needs 11 DNS lookups, and receivers make at most 10.',
    ]);
  });

  it('should refuse two SPF records', async () => {
    expect(await troubles(spf('v=spf1 -all', 'v=spf1 ~all'))).toEqual([
      'fail spf: The SPF record has faults: acme.test has 2 SPF records, and must have one.',
    ]);
  });

  it.each<[string, Zone, string]>([
    [
      'of another private key',
      dkim(OTHER),
      'fail dkim: The published DKIM key does not belong to the private key of the integration.',
    ],
    [
      'that is revoked',
      { TXT: ['v=DKIM1; p='] },
      'fail dkim: The DKIM record has faults: the key is revoked (p= is empty).',
    ],
    [
      'that is broken',
      { TXT: ['v=DKIM1; k=rsa; p=AAAA'] },
      'fail dkim: The DKIM record has faults: the key cannot be read as rsa.',
    ],
    ['without a key', { TXT: ['v=DKIM1; k=rsa'] }, 'fail dkim: The DKIM record has faults: it has no key (p=).'],
    [
      'twice',
      { TXT: ['v=DKIM1; p=', 'v=DKIM1; p='] },
      'fail dkim: There are 2 records at s1._domainkey.acme.test, and must be one.',
    ],
    [
      'of a test',
      dkim(KEY, 't=y; '),
      'warn dkim: The DKIM key is valid, but t=y says that this is a test, so that receivers may ignore signatures.',
    ],
    [
      'for sha1 only',
      dkim(KEY, 'h=sha1; '),
      'fail dkim: The DKIM record has faults: h=sha1 does not allow sha256, which mails are signed with.',
    ],
  ])('should judge a DKIM record %s', async (_name, zone, expected) => {
    expect(await troubles({ 's1._domainkey.acme.test': zone })).toEqual([expected]);
  });

  it('should compare an Ed25519 key, and doubt a short RSA key', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const zones = {
      'e._domainkey.acme.test': { TXT: [`v=DKIM1; k=ed25519; p=${raw}`] },
      'w._domainkey.acme.test': dkim(WEAK),
    };
    const signed = (selector: string, key: string): Sender => ({
      domain: 'acme.test',
      dkim: { domain: 'acme.test', selector, privateKey: key },
    });
    expect(await troubles(zones, signed('e', pem))).toEqual([]);
    expect(await troubles(zones, signed('e', KEY.privateKey))).toHaveLength(1);
    expect(await troubles(zones, signed('w', WEAK.privateKey))).toEqual([
      'warn dkim: The DKIM key is valid, but the key has 1024 bits; 2048 are usual.',
    ]);
  });

  it.each<[string, Record<string, Zone>, string]>([
    [
      'none',
      { '_dmarc.acme.test': { TXT: ['v=DMARC1; p=none'] } },
      'warn dmarc: The DMARC policy is none: receivers deliver forged mails as well.',
    ],
    [
      'wrong',
      { '_dmarc.acme.test': { TXT: ['v=DMARC1; p=refuse'] } },
      'fail dmarc: The DMARC record has faults: p=refuse must be one of none, quarantine, reject.',
    ],
    [
      'double',
      { '_dmarc.acme.test': { TXT: ['v=DMARC1; p=reject', 'v=DMARC1; p=none'] } },
      'fail dmarc: The DMARC record has faults: _dmarc.acme.test has 2 records, so that receivers ignore all.',
    ],
  ])('should judge a DMARC policy that is %s', async (_name, zones, expected) => {
    expect(await troubles(zones)).toEqual([expected]);
  });

  it('should take the DMARC policy of a domain above, and see what is not aligned', async () => {
    const news: Sender = { domain: 'news.acme.test', dkim: { domain: 'acme.test', selector: 's1' } };
    const zones = { 'news.acme.test': { TXT: ['v=spf1 -all'] } };
    expect(await troubles(zones, news)).toEqual([]);
    const strict = { ...zones, '_dmarc.acme.test': { TXT: ['v=DMARC1; p=reject; adkim=s; rua=mailto:a@acme.test'] } };
    const sentence =
      'warn dkim: The signature of acme.test does not count for addresses of news.acme.test (DMARC alignment).';
    expect(await troubles(strict, news)).toEqual([sentence]);
    const sub = { ...zones, '_dmarc.acme.test': { TXT: ['v=DMARC1; p=reject; sp=none'] } };
    expect(await troubles(sub, news)).toEqual([
      'warn dmarc: The DMARC policy is none: receivers deliver forged mails as well.',
    ]);
  });

  it('should say that the address of a private host cannot be told, and that a host is unknown', async () => {
    const hosted = (host: string): Sender => ({ domain: 'acme.test', host });
    expect(await troubles({}, hosted('127.0.0.1'))).toEqual([]);
    expect(await troubles({}, hosted('nowhere.test'))).toEqual([
      'fail spf: The SMTP host nowhere.test has no address in the DNS.',
    ]);
  });

  it('should not wait for a server that is silent', async () => {
    const began = performance.now();
    const silent: Zone = { silent: true };
    const found = await troubles({
      'acme.test': silent,
      's1._domainkey.acme.test': silent,
      '_dmarc.acme.test': silent,
    });
    expect(found.map((one) => one.replace(/: .*/, ''))).toEqual(['fail spf', 'fail dkim', 'fail dmarc']);
    expect(found[0]).toContain('The DNS does not answer');
    expect(performance.now() - began).toBeLessThan(10_000);
  });
});
