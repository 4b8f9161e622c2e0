import { Resolver } from 'node:dns/promises';

/** What the DNS says about a name: `none` if it has no such record, `failed` if nobody can say. */
export type Answer<T> =
  | { readonly state: 'found'; readonly records: readonly T[] }
  | { readonly state: 'none' }
  | { readonly state: 'failed'; readonly reason: string };

const TRY_MS = 1_500;
const TRIES = 2;
/** Longer than all tries take. */
const ANSWER_WITHIN_MS = 6_000;
const NO_RECORD: readonly string[] = ['ENOTFOUND', 'ENODATA'];

/** Questions to the DNS, each asked once. */
export class Dns {
  private readonly resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  private readonly asked = new Map<string, Promise<Answer<string>>>();

  /** @param server address, with or without a port; undefined: those of this machine */
  constructor(server?: string) {
    if (server !== undefined) this.resolver.setServers([server]);
  }

  get servers(): readonly string[] {
    return this.resolver.getServers();
  }

  txt(name: string): Promise<Answer<string>> {
    return this.ask(`TXT ${name}`, async () => (await this.resolver.resolveTxt(name)).map((parts) => parts.join('')));
  }

  /** Of mail servers, the preferred one first. */
  mx(name: string): Promise<Answer<string>> {
    return this.ask(`MX ${name}`, async () => {
      const found = await this.resolver.resolveMx(name);
      return found.sort((a, b) => a.priority - b.priority).map(({ exchange }) => exchange);
    });
  }

  /** IPv4 and IPv6. */
  async addresses(name: string): Promise<Answer<string>> {
    const both = await Promise.all([
      this.ask(`A ${name}`, () => this.resolver.resolve4(name)),
      this.ask(`AAAA ${name}`, () => this.resolver.resolve6(name)),
    ]);
    const records = both.flatMap((one) => (one.state === 'found' ? one.records : []));
    if (records.length > 0) return { state: 'found', records };
    return both.find(({ state }) => state === 'failed') ?? { state: 'none' };
  }

  private ask(question: string, answer: () => Promise<string[]>): Promise<Answer<string>> {
    const known = this.asked.get(question);
    if (known !== undefined) return known;
    const asking = inTime(answer);
    this.asked.set(question, asking);
    return asking;
  }
}

async function inTime(answer: () => Promise<string[]>): Promise<Answer<string>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Answer<string>>((resolve) => {
    timer = setTimeout(() => resolve({ state: 'failed', reason: 'ETIMEOUT' }), ANSWER_WITHIN_MS);
  });
  try {
    const found = answer().then(
      (records): Answer<string> => (records.length > 0 ? { state: 'found', records } : { state: 'none' }),
      ({ code = 'EUNKNOWN' }: NodeJS.ErrnoException): Answer<string> =>
        NO_RECORD.includes(code) ? { state: 'none' } : { state: 'failed', reason: code },
    );
    return await Promise.race([found, late]);
  } finally {
    clearTimeout(timer);
  }
}
