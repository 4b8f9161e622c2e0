import type { Type } from '@nestjs/common';
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage } from 'class-validator';

/** A number from 0 to 1, without 1. */
export type Random = () => number;

/** The same numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const ID = '64f0c1a2b3c4d5e6f7a8b9c0';

/** Values that are valid in many places, faulty in others, or sit on a limit. */
const ANYTHING: readonly unknown[] = [
  ...['', ' ', 'a', 'Ada', ' padded ', 'a\0b', '\u{1F4A9}', '\uFE0F', 'ä', 'true', 'false', '5', '-1', '1e3'],
  ...[
    'x'.repeat(255),
    'x'.repeat(256),
    '\u{1F4A9}'.repeat(200),
    '\uFE0F'.repeat(300),
    'x'.repeat(5_000),
    ID,
    `${ID},${ID}`,
  ],
  ...['ada@example.com', 'https://example.com/a.png', 'en-GB', '2026-01-31T12:00:00Z', '#f47373', '{{{body}}}'],
  ...[0, 1, -1, 5, 1.5, 100, 101, 1_000_001, Number.MAX_SAFE_INTEGER, true, false, null],
  ...[
    [],
    [[]],
    [null],
    ['a'],
    ['a', 'a'],
    [5],
    [{}],
    {},
    { a: 1 },
    { $a: 1 },
    { a: [{ $b: 1 }] },
    { then: 1 },
    { length: 1 },
  ],
];

/** Valid values by the name of a rule. */
const VALID: Readonly<Record<string, readonly unknown[]>> = {
  isString: ['a', 'Ada Lovelace', '\u{1F4A9}'],
  isEmail: ['ada@example.com'],
  isUrl: ['https://example.com/a.png'],
  isLocale: ['en', 'en-GB'],
  isMongoId: [ID],
  matches: [ID, '#f47373'],
  isInt: [1, '1', 5, '10'],
  isBoolean: [true, false, 'true'],
  isDate: ['2100-01-31T12:00:00Z'],
  isFreeForm: [{}, { a: 1, b: [{ c: null }] }, { 'a.b': { toString: 1 } }],
  isMoment: ['2026-01-31T12:00:00Z', ''],
  isRecipients: ['ada', { subscriberId: 'ada', email: 'ada@example.com' }, ['ada', { type: 'Topic', topicKey: 'a' }]],
  isActor: ['ada', '', { subscriberId: 'ada' }],
  isTenant: ['acme', { identifier: 'acme', name: 'Acme', data: { a: 1 } }],
  isOverrides: [{}, { email: { subject: 'A' }, sendgrid: { headers: { a: 'b' } } }],
  areEvents: [[{ name: 'a', to: 'ada' }], [1]],
  areTags: [[], ['orders']],
  areTemplateVariables: [[], [{ name: 'year', type: 'String', required: false }]],
  isLayoutContent: ['<p>{{{body}}}</p>'],
  isWebhookUrl: ['https://example.com/hooks'],
  areSubscriberIds: [['ada'], ['ada', 'grace']],
  scopes: [['read'], ['read', 'trigger']],
  credentials: [{}, { host: 'a', secure: true }],
  conditions: [
    [],
    [{ value: 'AND', children: [{ on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'a' }] }],
  ],
  isPushKey: ['B'.repeat(87)],
  isPushSecret: ['B'.repeat(22)],
  isPayloadFilter: ['eyJvcmRlciI6eyJpZCI6N319'],
  isTimeZone: ['UTC', 'Europe/Berlin'],
  areInboxFilters: ['[{"read":false}]', '[{"tags":["orders"]},{"snoozed":true,"data":{"a":1}}]'],
  areTagGroups: ['orders', ['orders'], [['a'], ['b']], { and: [{ or: ['a'] }] }],
  areSeverities: ['high', ['high', 'none']],
  isDataFilter: ['{"plan":"pro"}', { plan: ['pro', 1] }],
  isIso8601: ['2026-01-31T12:00:00Z'],
  isTime: ['2026-01-31T12:00:00Z', '1769860800000'],
  isSchedule: [{ isEnabled: false }, { isEnabled: true, weeklySchedule: { monday: { isEnabled: true } } }],
  isBlueprintGroup: [{ name: 'General' }],
};

/** Keys that no class declares, among them those that objects inherit. */
const UNKNOWN_KEYS = ['x', '_id', 'id', 'toString', 'constructor', 'hasOwnProperty', '__proto__', '$where', 'then'];

/** A JSON value for a class: mostly valid, with faults, unknown keys and an order of its own. */
export function randomInput(type: Type<object>, random: Random): unknown {
  if (random() < 0.02) return pick(ANYTHING, random);
  const fields = [...new Set(rulesOf(type).map(({ propertyName }) => propertyName))]
    .filter(() => random() < 0.8)
    .map((name): [string, unknown] => [name, valueOf(type, name, random)]);
  if (random() < 0.2) fields.push([pick(UNKNOWN_KEYS, random), pick(ANYTHING, random)]);
  for (let at = fields.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [fields[at], fields[other]] = [fields[other] as [string, unknown], fields[at] as [string, unknown]];
  }
  // Object.fromEntries makes a key __proto__ an own property, as JSON.parse does.
  return Object.fromEntries(fields);
}

function valueOf(type: Type<object>, name: string, random: Random): unknown {
  const chance = random();
  if (chance < 0.06) return pick(ANYTHING, random);
  if (chance < 0.1) return null;
  const rules = rulesOf(type).filter(({ propertyName }) => propertyName === name);
  const isList = rules.some(
    (rule) => rule.each || ['isArray', 'arrayMaxSize', 'arrayNotEmpty'].includes(rule.name ?? ''),
  );
  const one = (): unknown => oneOf(type, name, rules, random);
  const whole = rules.find((rule) => !rule.each && isOwn(rule.name));
  if (whole !== undefined || !isList || random() < 0.1) return one();
  return Array.from({ length: Math.floor(random() * 3) + (random() < 0.9 ? 1 : 0) }, one);
}

function oneOf(type: Type<object>, name: string, rules: ReturnType<typeof rulesOf>, random: Random): unknown {
  const part = defaultMetadataStorage.findTypeMetadata(type, name)?.typeFunction() as Type<object> | undefined;
  if (part !== undefined) return randomInput(part, random);
  const choice = rules.find((rule) => rule.name === 'isIn')?.constraints[0] as unknown[] | undefined;
  if (choice !== undefined) return pick(choice, random);
  const names = rules.map((rule) => rule.name ?? '').filter((rule) => Object.hasOwn(VALID, rule));
  const best = names.find((rule) => rule !== 'isString') ?? names[0];
  return pick(best === undefined ? ANYTHING : (VALID[best] ?? []), random);
}

/** A declaration of the application for the whole value. */
function isOwn(name: string | undefined): boolean {
  return name?.startsWith('are') === true && Object.hasOwn(VALID, name);
}

function rulesOf(type: Type<object>) {
  return getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[Math.floor(random() * values.length)] as T;
}
