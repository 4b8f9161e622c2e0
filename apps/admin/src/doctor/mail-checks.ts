import ipaddr from 'ipaddr.js';
import { type Check, fail, ok, warn } from './check.js';
import { readDkim } from './dkim.js';
import { type DmarcReport, isAligned, readDmarc } from './dmarc.js';
import type { Dns } from './dns.js';
import { MAX_LOOKUPS, readSpf, type SpfReport } from './spf.js';

/** What mails are sent with. */
export interface Sender {
  /** Of the address in `From`. */
  readonly domain: string;
  /** SMTP server that takes the mails; absent for a service with an API. */
  readonly host?: string;
  readonly dkim?: { readonly domain: string; readonly selector: string; readonly privateKey?: string };
}

/** Receivers do not see these addresses. */
const INSIDE: readonly string[] = ['private', 'loopback', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified'];
const PUBLISH = 'Publish this in the DNS';

/** Whether receivers will believe mails from the domains of senders: SPF, DKIM and DMARC. */
export async function checkMail(dns: Dns, senders: readonly Sender[]): Promise<Check[]> {
  const domains = [...new Set(senders.map(({ domain }) => domain))];
  const checks = await Promise.all(
    domains.map((domain) =>
      checkDomain(
        dns,
        domain,
        senders.filter((one) => one.domain === domain),
      ),
    ),
  );
  return checks.flat();
}

async function checkDomain(dns: Dns, domain: string, senders: readonly Sender[]): Promise<Check[]> {
  const keys = new Map(senders.flatMap(({ dkim }) => (dkim ? [[placeOf(dkim), dkim] as const] : [])));
  // Asked together, because a silent server takes its time for each question.
  const [spf, dmarc] = await Promise.all([
    readSpf(dns, domain),
    readDmarc(dns, domain),
    ...[...keys.keys()].map((place) => dns.txt(place)),
  ]);
  const hosts = [...new Set(senders.flatMap(({ host }) => host ?? []))];
  const spfChecks = await checkSpf(dns, domain, spf, hosts);
  const dkimChecks = await Promise.all([...keys.values()].map((key) => checkDkim(dns, domain, key, dmarc)));
  return [...spfChecks, ...dkimChecks.flat(), checkDmarc(domain, dmarc)];
}

async function checkSpf(dns: Dns, domain: string, spf: SpfReport, hosts: readonly string[]): Promise<Check[]> {
  const name = `spf ${domain}`;
  if (spf.state === 'failed') return [unanswered(name, spf.reason ?? '')];
  if (spf.state === 'none') {
    const example = 'v=spf1 include:YOUR-MAIL-SERVICE -all';
    return [
      fail(
        name,
        `${domain} has no SPF record.`,
        `${PUBLISH}: TXT ${domain} "${example}", with the words of your mail service.`,
      ),
    ];
  }
  if (spf.faults.length > 0) {
    const advice = `Correct TXT ${domain}: with a fault, receivers treat mails as if they came from anybody.`;
    return [fail(name, `The SPF record has faults: ${spf.faults.join('; ')}.`, advice)];
  }
  const general = checkLastWord(name, domain, spf);
  const ofHosts = await Promise.all(hosts.map((host) => checkHost(dns, domain, spf, host)));
  return [general, ...ofHosts.flat()];
}

function checkLastWord(name: string, domain: string, { everybody, lookups }: SpfReport): Check {
  const advice = `End TXT ${domain} with -all, or with ~all while you try it.`;
  if (everybody === 'pass') return fail(name, 'The SPF record allows everybody (+all) to send.', advice);
  if (everybody === undefined || everybody === 'neutral')
    return warn(name, 'The SPF record refuses nobody: it has no -all or ~all.', advice);
  return ok(name, `The SPF record is valid, and needs ${lookups} of ${MAX_LOOKUPS} DNS lookups.`);
}

async function checkHost(dns: Dns, domain: string, spf: SpfReport, host: string): Promise<Check[]> {
  const name = `spf ${domain} ${host}`;
  const answer = ipaddr.isValid(host) ? { state: 'found' as const, records: [host] } : await dns.addresses(host);
  if (answer.state === 'failed') return [unanswered(name, answer.reason)];
  if (answer.state === 'none')
    return [fail(name, `The SMTP host ${host} has no address in the DNS.`, 'Correct the host of the integration.')];
  const open = answer.records.filter((address) => !INSIDE.includes(ipaddr.process(address).range()));
  if (open.length === 0) {
    return [ok(name, `${host} has private addresses only, so that the address which receivers see cannot be told.`)];
  }
  const left = open.filter((address) => spf.resultFor(address) !== 'pass');
  if (left.length === 0) return [ok(name, `The SPF record includes the SMTP host ${host}.`)];
  const results = left.map((address) => `${address}: ${spf.resultFor(address)}`).join(', ');
  const advice =
    `If ${host} sends to receivers itself, add its addresses to TXT ${domain}. If it passes mails on through other machines, ` +
    'make sure that the record has the include: of that mail service.';
  return [warn(name, `The SPF record does not include the SMTP host ${host} (${results}).`, advice)];
}

function placeOf({ selector, domain }: Pick<NonNullable<Sender['dkim']>, 'selector' | 'domain'>): string {
  return `${selector}._domainkey.${domain}`;
}

async function checkDkim(
  dns: Dns,
  address: string,
  { domain, selector, privateKey }: NonNullable<Sender['dkim']>,
  dmarc: DmarcReport,
): Promise<Check[]> {
  const place = placeOf({ selector, domain });
  const name = `dkim ${place}`;
  const answer = await dns.txt(place);
  if (answer.state === 'failed') return [unanswered(name, answer.reason)];
  const [record, ...more] = answer.state === 'found' ? answer.records : [];
  if (record === undefined) {
    return [
      fail(
        name,
        `There is no DKIM key at ${place}.`,
        `${PUBLISH}: TXT ${place} "v=DKIM1; k=rsa; p=PUBLIC-KEY", or correct the selector.`,
      ),
    ];
  }
  const advice = `Correct TXT ${place}: receivers take mails with this signature for forged or unsigned.`;
  if (more.length > 0)
    return [fail(name, `There are ${more.length + 1} records at ${place}, and must be one.`, advice)];
  const { faults, doubts, matches } = readDkim(record, privateKey);
  if (faults.length > 0) return [fail(name, `The DKIM record has faults: ${faults.join('; ')}.`, advice)];
  if (matches === false) {
    return [
      fail(
        name,
        'The published DKIM key does not belong to the private key of the integration.',
        `Publish the public key of that private key at ${place}, or correct the selector.`,
      ),
    ];
  }
  if (dmarc.state === 'found' && !isAligned(domain, address, dmarc)) {
    return [
      warn(
        name,
        `The signature of ${domain} does not count for addresses of ${address} (DMARC alignment).`,
        `Sign with a key of ${address}.`,
      ),
    ];
  }
  if (doubts.length > 0)
    return [warn(name, `The DKIM key is valid, but ${doubts.join('; ')}.`, `Renew the record at ${place}.`)];
  const compared =
    matches === true ? 'and belongs to the private key of the integration' : 'the private key is not known here';
  return [ok(name, `The DKIM key is valid, ${compared}.`)];
}

function checkDmarc(domain: string, report: DmarcReport): Check {
  const name = `dmarc ${domain}`;
  const place = `_dmarc.${report.domain}`;
  if (report.state === 'failed') return unanswered(name, report.faults.join('; '));
  if (report.state === 'none') {
    return warn(
      name,
      `${domain} has no DMARC policy. Large receivers refuse mass mails without one.`,
      `${PUBLISH}: TXT ${place} "v=DMARC1; p=none; rua=mailto:YOUR-ADDRESS", and make it stricter when the reports are clean.`,
    );
  }
  if (report.faults.length > 0)
    return fail(name, `The DMARC record has faults: ${report.faults.join('; ')}.`, `Correct TXT ${place}.`);
  if (report.policy === 'none') {
    return warn(
      name,
      'The DMARC policy is none: receivers deliver forged mails as well.',
      `When the reports are clean, change TXT ${place} to p=quarantine or p=reject.`,
    );
  }
  return ok(
    name,
    `The DMARC policy of ${report.domain} is ${report.policy}${report.reports ? '' : ', without reports (rua=)'}.`,
  );
}

function unanswered(name: string, reason: string): Check {
  return fail(
    name,
    `The DNS does not answer: ${reason}.`,
    'Look at the DNS servers of this machine, or name another one with --dns.',
  );
}
