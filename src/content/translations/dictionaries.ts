import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LRUCache } from 'lru-cache';
import type { TenantContext } from '#libs/common';
import { ReadCache, type TenantModel } from '#libs/persistence';
import { canonicalLocale, type Dictionary, localeChain, NO_WORDS, type Words } from '#libs/templates';
import type { Messages } from './messages.js';
import { Translation } from './translation.schema.js';

type Owner = Pick<TenantContext, 'organizationId' | 'environmentId'>;
type Known = Pick<Translation, 'locale' | 'isDefault' | 'revision'>;

const MAX_ENVIRONMENTS = 1_000;
/** Maximum delay before changes by another process apply. */
const CACHE_MS = 1_000;
const MAX_CHARACTERS = 32_000_000;

interface Kept {
  readonly dictionary: Dictionary;
  readonly characters: number;
}

/**
 * The words that templates are rendered with. Which locales there are, and their revisions, is read once a second; messages are
 * read again only where a revision is another one.
 */
@Injectable()
export class Dictionaries {
  private readonly locales = new ReadCache<readonly Known[]>({ max: MAX_ENVIRONMENTS, ttlMs: CACHE_MS });
  private readonly made = new LRUCache<string, Kept>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ characters }) => characters + 500,
  });
  private readonly making = new Map<string, Promise<Dictionary>>();

  constructor(@InjectModel(Translation.name) private readonly translations: TenantModel<Translation>) {}

  /** @param wanted locales of the reader; the first one that is given decides */
  async of(owner: Owner, wanted: readonly unknown[]): Promise<Dictionary> {
    const known = await this.locales.get(owner.environmentId, () => this.read(owner));
    const own = chainOf(known, wanted);
    const others = known.filter((one) => one.isDefault && !own.includes(one));
    const chain = [...own, ...others];
    if (chain.length === 0) return NO_WORDS;
    const name = chain.map(({ locale, revision }) => `${locale}@${revision}`).join(' ');
    const key = `${owner.environmentId} ${own.length} ${name}`;
    return this.made.get(key)?.dictionary ?? this.make(key, owner, chain, own.length);
  }

  /** Call after every write. */
  forget(environmentId: string): void {
    this.locales.forget(environmentId);
  }

  private read(owner: Owner): Promise<Known[]> {
    return this.translations.list(ownerOf(owner), {}, { fields: ['locale', 'isDefault', 'revision'] });
  }

  private make(key: string, owner: Owner, chain: readonly Known[], own: number): Promise<Dictionary> {
    const running = this.making.get(key);
    if (running !== undefined) return running;
    const reading = this.load(key, owner, chain, own).finally(() => this.making.delete(key));
    this.making.set(key, reading);
    return reading;
  }

  private async load(key: string, owner: Owner, chain: readonly Known[], own: number): Promise<Dictionary> {
    const locales = chain.map(({ locale }) => locale);
    const rows = await this.translations.list(ownerOf(owner), { locale: { $in: locales } });
    const sorted = locales.flatMap((locale) => rows.filter((row) => row.locale === locale));
    const dictionary = dictionaryOf(sorted, locales.slice(0, own));
    const characters = sorted.reduce((sum, { messages }) => sum + messages.length, 0);
    // A row that was replaced meanwhile belongs to another key.
    const isCurrent = sorted.length === chain.length && sorted.every((row, at) => row.revision === chain[at]?.revision);
    if (isCurrent) this.made.set(key, { dictionary, characters });
    return dictionary;
  }
}

/** Reads are scoped by the environment. */
function ownerOf({ organizationId, environmentId }: Owner): TenantContext {
  return { organizationId, environmentId, userId: '', apiKeyId: '' };
}

/** `de-AT`, then `de`, as far as there are words. */
function chainOf(known: readonly Known[], wanted: readonly unknown[]): Known[] {
  const locales = wanted.map((text) => (typeof text === 'string' ? canonicalLocale(text) : undefined));
  const locale = locales.find((one) => one !== undefined);
  return locale === undefined ? [] : localeChain(locale).flatMap((one) => known.filter((row) => row.locale === one));
}

/** @param own locales whose words are not those of a fallback; without any, the default is the reader's language */
function dictionaryOf(rows: readonly Translation[], own: readonly string[]): Dictionary {
  const words: Record<string, Words> = {};
  for (const { locale, messages } of rows) {
    const isMissing = own.length > 0 && !own.includes(locale);
    for (const [key, message] of Object.entries(JSON.parse(messages) as Messages)) {
      if (!Object.hasOwn(words, key)) words[key] = { message, locale, ...(isMissing && { isMissing }) };
    }
  }
  return {
    locale: rows[0]?.locale ?? NO_WORDS.locale,
    words,
    longest: rows.reduce((most, { longest }) => Math.max(most, longest), 0),
    braces: rows.reduce((most, { braces }) => Math.max(most, braces), 0),
  };
}
