import { hash } from 'node:crypto';
import { derivedObjectId } from '#libs/persistence';
import { canonicalLocale, messageFault } from '#libs/templates';
import { isObject, type RawObject } from '#libs/validation';
import { faultsOfMessages, flatMessages, weightOfMessages } from '../../../../src/content/translations/index.js';
import { type Row, type Taken, textOf, timesOf } from './novu-records.js';
import { allRows, type NovuSource } from './sources/novu-source.js';

const SHOWN_KEYS = 3;

interface Words {
  /** The first record with words of that environment and language. */
  readonly row: Row;
  readonly locale: string;
  readonly messages: Map<string, string>;
  readonly changes: string[];
}

/**
 * Novu keeps words for each workflow and layout, or in groups, and Herald for each environment: they become one dictionary of each
 * language. Where two have other words under one key, the first ones stay.
 * @param defaults locale of an environment that is its default already
 */
export async function readTranslations(
  source: NovuSource,
  defaults: ReadonlyMap<string, string>,
): Promise<{ readonly taken: Taken[]; readonly leftOut: Map<Row, string> }> {
  const owners = new Map((await allRows(source, 'organizations')).map((row) => [String(row._id), row]));
  const all = new Map<string, Words>();
  for (const { row, locale, prefix, content, whose } of await listed(source)) {
    const canonical = canonicalLocale(locale) ?? locale;
    const place = `${String(row['_environmentId'])} ${canonical}`;
    const words = all.get(place) ?? { row, locale: canonical, messages: new Map<string, string>(), changes: [] };
    all.set(place, words);
    add(words, prefix === '' ? content : { [prefix]: content }, whose);
  }
  const chosen = new Map(defaults);
  for (const { row, locale } of all.values()) {
    const wanted = owners.get(String(row['_organizationId']))?.['defaultLocale'] as unknown;
    const isWanted = canonicalLocale(String(wanted)) === locale;
    const environment = String(row['_environmentId']);
    if (!defaults.has(environment) && (isWanted || !chosen.has(environment))) chosen.set(environment, locale);
  }
  const leftOut = new Map<Row, string>();
  const taken: Taken[] = [];
  for (const words of all.values()) {
    const [fault] = await faultsOfMessages(Object.fromEntries(words.messages), words.locale);
    if (fault === undefined) taken.push(takenOf(words, chosen));
    else leftOut.set(words.row, fault);
  }
  return { taken, leftOut };
}

interface Listed {
  readonly row: Row;
  readonly locale: string;
  /** What keys of a group begin with. */
  readonly prefix: string;
  readonly content: RawObject;
  readonly whose: string;
}

/** Of both forms: words of workflows and layouts, and the older groups. */
async function listed(source: NovuSource): Promise<Listed[]> {
  const byId = async (name: string): Promise<Map<string, Row>> =>
    new Map((await allRows(source, name)).map((row) => [row._id.toHexString(), row]));
  const resources = await byId('localizationgroups');
  const groups = await byId('translationgroups');
  const newer = (await allRows(source, 'localizations')).map((row): Listed => {
    const resource = resources.get(String(row['_localizationGroupId']));
    const whose = `${String(resource?.['resourceType'] ?? 'workflow')} ${String(resource?.['resourceId'] ?? row._id)}`;
    return { row, locale: String(row['locale']), prefix: '', content: objectIn(row['content']), whose };
  });
  const older = (await allRows(source, 'translations')).map((row): Listed => {
    const prefix = textOf(groups.get(String(row['_groupId']))?.['identifier']) ?? '';
    const content = objectIn(row['translations']);
    return { row, locale: String(row['isoLanguage']), prefix, content, whose: `group ${prefix}` };
  });
  return [...newer, ...older];
}

/** Also where it is JSON in a text. */
function objectIn(value: unknown): RawObject {
  if (isObject(value)) return value;
  try {
    const read: unknown = JSON.parse(String(value));
    return isObject(read) ? read : {};
  } catch {
    return {};
  }
}

function add({ locale, messages, changes }: Words, content: RawObject, whose: string): void {
  const { messages: flat, faults } = flatMessages(content);
  const wrong: string[] = [];
  const clashing: string[] = [];
  for (const [key, message] of Object.entries(flat)) {
    const before = messages.get(key);
    if (messageFault(message, locale) !== undefined) wrong.push(key);
    else if (before === undefined) messages.set(key, message);
    else if (before !== message) clashing.push(key);
  }
  changes.push(...faults.map((fault) => `${whose}: ${fault}`));
  if (wrong.length > 0) {
    changes.push(
      `${whose}: ${shortened(wrong)} left out, as Herald's messages are in ICU MessageFormat: write {name} for a value, and give it in the template`,
    );
  }
  if (clashing.length > 0) {
    changes.push(
      `${whose}: ${shortened(clashing)} left out, as another workflow, layout or group has other words there; rename the keys`,
    );
  }
}

function shortened(keys: readonly string[]): string {
  const shown = keys.slice(0, SHOWN_KEYS).join(', ');
  return keys.length > SHOWN_KEYS
    ? `${shown} and ${keys.length - SHOWN_KEYS} more keys were`
    : `${shown} ${keys.length === 1 ? 'was' : 'were'}`;
}

function takenOf({ row, locale, messages, changes }: Words, defaults: ReadonlyMap<string, string>): Taken {
  const { _organizationId, _environmentId } = row as Row & { _organizationId: unknown };
  const words = Object.fromEntries(messages);
  const text = JSON.stringify(words);
  return {
    record: {
      _id: derivedObjectId(row._id, 'translation', locale),
      _organizationId,
      _environmentId,
      locale,
      isDefault: defaults.get(String(_environmentId)) === locale,
      messages: text,
      ...weightOfMessages(words),
      revision: hash('sha256', text).slice(0, 12),
      ...timesOf(row),
      deleted: false,
      __v: 0,
    },
    changes,
  };
}
