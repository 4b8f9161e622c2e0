import type { SentStep } from './delivery.js';
import type { Json } from './answers.js';
import type { Random } from './schedules.js';

export const pick = <T>(random: Random, list: readonly T[]): T => {
  const one = list[Math.floor(random() * list.length)];
  if (one === undefined) throw new Error('There is nothing to pick from.');
  return one;
};
const chance = (random: Random, share: number): boolean => random() < share;

const CONDITIONS: readonly Json[] = [
  { on: 'payload', field: 'plan', operator: 'EQUAL', value: 'gold' },
  { on: 'payload', field: 'total', operator: 'LARGER', value: '{{payload.limit}}' },
  { on: 'payload', field: 'missing', operator: 'IS_DEFINED' },
  { on: 'subscriber', field: 'firstName', operator: 'EQUAL', value: 'Ada' },
  { on: 'subscriber', field: 'data.level', operator: 'LARGER_EQUAL', value: '2' },
  { on: 'tenant', field: 'identifier', operator: 'EQUAL', value: 'acme' },
  { on: 'isOnline', value: true },
];

function filters(random: Random, earlier: readonly string[]): Json[] {
  const count = 1 + Math.floor(random() * 2);
  return Array.from({ length: count }, () => {
    const children = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const [step] = earlier;
      if (step === undefined || !chance(random, 0.2)) return pick(random, CONDITIONS);
      return { on: 'previousStep', step, stepType: pick(random, ['seen', 'unseen', 'read', 'unread']) };
    });
    return { isNegated: chance(random, 0.2), type: 'GROUP', value: pick(random, ['AND', 'OR']), children };
  });
}

const TEXT = 'Order {{order}} of {{subscriber.firstName}} {{absent.name}} {{step.total_count}}';

const TEMPLATES: readonly ((random: Random) => Json)[] = [
  (random) => ({
    type: 'in_app',
    content: `${TEXT} <b>`,
    ...(chance(random, 0.3) && {
      cta: { type: 'redirect', data: { url: pick(random, ['/o/{{order}}', '{{link}}']) } },
    }),
  }),
  (random) => ({
    type: 'email',
    subject: 'Order {{order}}',
    preheader: '{{plan}}',
    ...(chance(random, 0.5)
      ? { contentType: 'customHtml', content: `<style>p{color:red}</style><p>${TEXT}</p>` }
      : { content: [{ type: 'text', content: TEXT }] }),
  }),
  (random) => ({ type: 'sms', content: pick(random, [TEXT, TEXT, '{{blank}}']) }),
  () => ({ type: 'chat', content: TEXT }),
  () => ({ type: 'push', title: '{{plan}}', content: TEXT }),
];

const DELAYS: readonly Json[] = [
  { type: 'regular', amount: 10, unit: 'minutes' },
  { type: 'scheduled', delayPath: 'sendAt' },
];
const DIGESTS: readonly Json[] = [
  { type: 'regular', amount: 5, unit: 'minutes' },
  { type: 'regular', amount: 5, unit: 'minutes', digestKey: 'plan' },
  { type: 'backoff', amount: 5, unit: 'minutes', backoffAmount: 1, backoffUnit: 'hours' },
];

/** Steps of all types, with conditions, variants and faults that show only when they run. */
export function randomSteps(random: Random): SentStep[] {
  const uuids: string[] = [];
  return Array.from({ length: 1 + Math.floor(random() * 4) }, (_, place) => {
    const uuid = `step-${place}`;
    const waits = chance(random, 0.25) ? pick(random, ['delay', 'digest'] as const) : undefined;
    const step: SentStep = {
      uuid,
      name: `Step ${place}`,
      template: waits === undefined ? pick(random, TEMPLATES)(random) : { type: waits, content: '' },
      ...(waits !== undefined && { metadata: pick(random, waits === 'delay' ? DELAYS : DIGESTS) }),
      ...(chance(random, 0.4) && { filters: filters(random, uuids) }),
      ...(chance(random, 0.2) && { shouldStopOnFail: true }),
      ...(chance(random, 0.1) && { active: false }),
    };
    if (waits === undefined && chance(random, 0.2)) {
      const variant = { template: step.template, filters: filters(random, uuids), name: 'Variant' };
      step['variants'] = [{ ...variant, template: { ...step.template, title: 'Variant' } }];
    }
    uuids.push(uuid);
    return step;
  });
}

export function randomPayload(random: Random, now: Date): Json {
  const sendAt = new Date(now.getTime() + pick(random, [-60_000, 3_600_000, 3_600_000]));
  return {
    order: Math.floor(random() * 1_000),
    plan: pick(random, ['gold', 'free']),
    total: pick(random, [5, 50]),
    limit: '10',
    blank: ' ',
    link: pick(random, ['https://example.com', 'javascript:alert(1)']),
    sendAt: sendAt.toISOString(),
    ...(chance(random, 0.1) && { phone: '+15551230199' }),
    ...(chance(random, 0.1) && { email: pick(random, ['other@example.com', 'third@example.com']) }),
  };
}

export function randomOverrides(random: Random): Json {
  return {
    ...(chance(random, 0.15) && { email: { subject: 'Another subject', cc: ['copy@example.com'] } }),
    ...(chance(random, 0.1) && { sms: { content: 'Another text' } }),
    ...(chance(random, 0.1) && { email: { integrationIdentifier: 'unknown' } }),
    ...(chance(random, 0.1) && { delay: { amount: 1, unit: 'hours' } }),
    ...(chance(random, 0.1) && { email: { layoutIdentifier: 'unknown' } }),
  };
}
