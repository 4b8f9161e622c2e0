import ipaddr from 'ipaddr.js';
import type { Answer, Dns } from './dns.js';

/** Receivers look up no more, and then refuse the whole record (RFC 7208, 4.6.4). */
export const MAX_LOOKUPS = 10;
const MAX_VOID_LOOKUPS = 2;
const MAX_MX = 10;
/** A record that goes on endlessly is not followed. */
const MAX_FOLLOWED = 30;

const TERM = /^([+\-~?]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?::(.+?))?(?:\/(\d{1,2}))?(?:\/\/?(\d{1,3}))?$/i;
const MODIFIER = /^([a-z][\w.-]*)=(.*)$/i;
const MACRO = /%[{%_-]/;
const RESULTS = { '+': 'pass', '-': 'fail', '~': 'softfail', '?': 'neutral' } as const;

type Qualifier = keyof typeof RESULTS;
/** `unknown`: what decides cannot be told without a mail. */
export type SpfResult = (typeof RESULTS)[Qualifier] | 'unknown';

interface Term {
  readonly qualifier: Qualifier;
  readonly mechanism: string;
  /** Networks in CIDR notation that it stands for. */
  readonly networks?: readonly string[];
  readonly included?: SpfRecord;
}

interface SpfRecord {
  readonly terms: readonly Term[];
  readonly redirect?: SpfRecord;
}

/** What is known of the SPF record of a domain, with all that it includes. */
export interface SpfReport {
  readonly state: 'found' | 'none' | 'failed';
  /** Of a domain that nobody answers for. */
  readonly reason?: string;
  /** Why receivers refuse it, or could. */
  readonly faults: readonly string[];
  readonly lookups: number;
  /** What everybody else gets. */
  readonly everybody?: SpfResult;
  resultFor(address: string): SpfResult;
}

/** Reads the SPF record of a domain, and follows it to the end. */
export async function readSpf(dns: Dns, domain: string): Promise<SpfReport> {
  const reader = new SpfReader(dns);
  const { found, state, reason } = await reader.recordOf(domain);
  const none: SpfRecord = { terms: [] };
  const root = found === undefined ? none : await reader.parse(domain, found);
  const faults = reader.allFaults();
  return {
    state,
    ...(reason !== undefined && { reason }),
    faults,
    lookups: reader.lookups,
    everybody: lastWord(root),
    resultFor: (address) => evaluate(root, ipaddr.process(address)) ?? 'neutral',
  };
}

class SpfReader {
  lookups = 0;
  private voids = 0;
  private readonly faults: string[] = [];

  constructor(private readonly dns: Dns) {}

  async recordOf(domain: string): Promise<{ state: SpfReport['state']; found?: string; reason?: string }> {
    const answer = await this.dns.txt(domain);
    if (answer.state === 'failed') {
      this.faults.push(`the DNS does not answer for ${domain} (${answer.reason})`);
      return { state: 'failed', reason: answer.reason };
    }
    const texts = answer.state === 'found' ? answer.records.filter((text) => /^v=spf1(?: |$)/i.test(text)) : [];
    const [found] = texts;
    if (found === undefined) return { state: 'none' };
    if (texts.length > 1) this.faults.push(`${domain} has ${texts.length} SPF records, and must have one`);
    return { state: 'found', found };
  }

  allFaults(): string[] {
    const { lookups, voids } = this;
    return [
      ...this.faults,
      ...(lookups > MAX_LOOKUPS ? [`it needs ${lookups} DNS lookups, and receivers make at most ${MAX_LOOKUPS}`] : []),
      ...(voids > MAX_VOID_LOOKUPS
        ? [`${voids} of its names do not exist, and receivers accept at most ${MAX_VOID_LOOKUPS}`]
        : []),
    ];
  }

  async parse(domain: string, text: string): Promise<SpfRecord> {
    const terms: Term[] = [];
    let redirect: string | undefined;
    for (const word of text.trim().split(/ +/).slice(1)) {
      const [, name = '', value = ''] = MODIFIER.exec(word) ?? [];
      if (name !== '') {
        if (name.toLowerCase() === 'redirect') redirect = value;
        continue;
      }
      const term = await this.term(domain, word);
      if (term !== undefined) terms.push(term);
    }
    if (redirect === undefined || terms.some(({ mechanism }) => mechanism === 'all')) return { terms };
    const target = await this.follow(redirect, `redirect=${redirect}`);
    return { terms, ...(target && { redirect: target }) };
  }

  private async term(domain: string, word: string): Promise<Term | undefined> {
    const [, sign, name = '', value, bits4, bits6] = TERM.exec(word) ?? [];
    const mechanism = name.toLowerCase();
    const qualifier = (sign || '+') as Qualifier;
    const base = { qualifier, mechanism };
    if (mechanism === '') return this.fault(`'${word}' is not a term of SPF`);
    if (mechanism === 'all') return value === undefined ? base : this.fault(`'${word}' must be 'all' alone`);
    if (mechanism === 'ip4' || mechanism === 'ip6') return this.network(word, base);
    this.lookups += 1;
    if (mechanism === 'include') {
      if (value === undefined) return this.fault(`'${word}' names no domain`);
      const included = MACRO.test(value) ? undefined : await this.follow(value, word, false);
      return { ...base, ...(included && { included }) };
    }
    const target = value ?? domain;
    if (mechanism === 'ptr' || mechanism === 'exists' || MACRO.test(target)) return base;
    return { ...base, networks: await this.hosts(mechanism, target, bits4, bits6) };
  }

  private network(word: string, base: Pick<Term, 'qualifier' | 'mechanism'>): Term | undefined {
    const written = word.slice(word.indexOf(':') + 1);
    const isFour = base.mechanism === 'ip4';
    const network = written.includes('/') ? written : `${written}/${isFour ? 32 : 128}`;
    const kind = isFour ? ipaddr.IPv4 : ipaddr.IPv6;
    return kind.isValidCIDR(network) ? { ...base, networks: [network] } : this.fault(`'${word}' is not a network`);
  }

  /** The addresses of a name, or of its mail servers. */
  private async hosts(mechanism: string, name: string, bits4 = '32', bits6 = '128'): Promise<string[]> {
    let names: readonly string[] = [name];
    if (mechanism === 'mx') {
      const found = this.counted(await this.dns.mx(name), name);
      names = found.slice(0, MAX_MX);
    }
    const addresses: string[] = [];
    for (const one of names) {
      const answer = await this.dns.addresses(one);
      addresses.push(
        ...(mechanism === 'a' ? this.counted(answer, one) : answer.state === 'found' ? answer.records : []),
      );
    }
    return addresses.map((address) => `${address}/${address.includes(':') ? bits6 : bits4}`);
  }

  private counted(answer: Answer<string>, name: string): readonly string[] {
    if (answer.state === 'found') return answer.records;
    if (answer.state === 'none') this.voids += 1;
    else this.faults.push(`the DNS does not answer for ${name} (${answer.reason})`);
    return [];
  }

  private async follow(domain: string, word: string, countsItself = true): Promise<SpfRecord | undefined> {
    if (countsItself) this.lookups += 1;
    if (this.lookups > MAX_FOLLOWED || MACRO.test(domain)) return undefined;
    const { state, found } = await this.recordOf(domain);
    if (state === 'none') return this.fault(`'${word}': ${domain} has no SPF record`);
    return found === undefined ? undefined : this.parse(domain, found);
  }

  private fault(text: string): undefined {
    this.faults.push(text);
  }
}

/** Undefined if no term decides. */
function evaluate({ terms, redirect }: SpfRecord, address: ipaddr.IPv4 | ipaddr.IPv6): SpfResult | undefined {
  let isUnknown = false;
  for (const term of terms) {
    const matches = matchOf(term, address);
    if (matches === true) return isUnknown ? 'unknown' : RESULTS[term.qualifier];
    isUnknown ||= matches === undefined;
  }
  if (isUnknown) return 'unknown';
  return redirect && evaluate(redirect, address);
}

function matchOf({ mechanism, networks, included }: Term, address: ipaddr.IPv4 | ipaddr.IPv6): boolean | undefined {
  if (mechanism === 'all') return true;
  if (networks !== undefined) return networks.some((network) => isIn(address, network));
  if (included === undefined) return undefined;
  const result = evaluate(included, address);
  return result === 'unknown' ? undefined : result === 'pass';
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, network: string): boolean {
  const [range, bits] = ipaddr.parseCIDR(network);
  return range.kind() === address.kind() && address.match(range, bits);
}

function lastWord({ terms, redirect }: SpfRecord): SpfResult | undefined {
  const all = terms.find(({ mechanism }) => mechanism === 'all');
  return all === undefined ? redirect && lastWord(redirect) : RESULTS[all.qualifier];
}
