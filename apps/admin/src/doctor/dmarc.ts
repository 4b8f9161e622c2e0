import type { Dns } from './dns.js';
import { tagsIn } from './dkim.js';

const POLICIES: readonly string[] = ['none', 'quarantine', 'reject'];
const MAX_LABELS = 8;

export interface DmarcReport {
  readonly state: 'found' | 'none' | 'failed';
  /** Domain whose record applies: that of the address, or one above it. */
  readonly domain: string;
  readonly policy: string;
  readonly isStrictDkim: boolean;
  readonly reports: boolean;
  readonly faults: readonly string[];
}

/** The policy that applies to addresses of a domain: its own, or that of a domain above it. */
export async function readDmarc(dns: Dns, domain: string): Promise<DmarcReport> {
  for (const candidate of treeOf(domain)) {
    const answer = await dns.txt(`_dmarc.${candidate}`);
    if (answer.state === 'failed') return { ...NOTHING, state: 'failed', domain: candidate, faults: [answer.reason] };
    const records = answer.state === 'found' ? answer.records.filter((text) => /^v=DMARC1\s*(?:;|$)/i.test(text)) : [];
    const [record] = records;
    if (record === undefined) continue;
    const report = parse(record, domain, candidate);
    const twice = `_dmarc.${candidate} has ${records.length} records, so that receivers ignore all`;
    return records.length > 1 ? { ...report, faults: [...report.faults, twice] } : report;
  }
  return { ...NOTHING, domain };
}

/** Whether a signature of a domain counts for an address of another one. */
export function isAligned(signing: string, address: string, { domain, isStrictDkim }: DmarcReport): boolean {
  if (signing === address) return true;
  return !isStrictDkim && [signing, address].every((one) => one === domain || one.endsWith(`.${domain}`));
}

const NOTHING: DmarcReport = { state: 'none', domain: '', policy: '', isStrictDkim: false, reports: false, faults: [] };

function parse(record: string, domain: string, found: string): DmarcReport {
  const tags = tagsIn(record);
  const own = tags.get('p')?.toLowerCase();
  const policy = (domain === found ? own : (tags.get('sp')?.toLowerCase() ?? own)) ?? '';
  const faults = POLICIES.includes(policy) ? [] : [`p=${policy} must be one of ${POLICIES.join(', ')}`];
  return {
    state: 'found',
    domain: found,
    policy,
    isStrictDkim: tags.get('adkim')?.toLowerCase() === 's',
    reports: (tags.get('rua') ?? '') !== '',
    faults,
  };
}

/** The domain and those above it, without the last label (RFC 9989). */
function treeOf(domain: string): string[] {
  const labels = domain.split('.');
  const places = [...labels.keys()].filter(
    (at) => at === 0 || (at > labels.length - MAX_LABELS && at < labels.length - 1),
  );
  return places.map((at) => labels.slice(at).join('.'));
}
