import { readFileSync } from 'node:fs';
import { dataOf, type Json } from '../support/answers.js';
import { joined, tokenOf } from '../support/signed-in-browser.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();

/** The fields that a definition of the kind can have. */
function fieldsOf(kind: string): string[] {
  const { properties } = JSON.parse(readFileSync(`schemas/${kind}.json`, 'utf8')) as { properties: Json };
  return Object.keys(properties).filter((field) => field !== '$schema');
}

/** With a value other than its default in every field. Each after those that it refers to. */
const WHOLE: readonly (readonly [kind: string, path: string, definition: Json])[] = [
  [
    'notification-group',
    'notification-groups/Billing',
    { name: 'Billing', description: 'Invoices, payments', order: 3 },
  ],
  ['feed', 'feeds/News', { name: 'News' }],
  [
    'layout',
    'layouts/company',
    {
      identifier: 'company',
      name: 'Company',
      description: 'With the logo',
      isDefault: true,
      variables: [{ name: 'color', type: 'String', required: false, defaultValue: 'red' }],
      content: '<b>{{{body}}}</b>',
    },
  ],
  ['translation', 'translations/de', { locale: 'de', messages: { hello: 'Hallo' }, isDefault: true }],
  [
    'workflow',
    'workflows/order-shipped',
    {
      identifier: 'order-shipped',
      name: 'Order shipped',
      description: 'Tells the customer',
      notificationGroup: 'Billing',
      active: true,
      critical: true,
      severity: 'high',
      hidden: true,
      unsubscribe: 'off',
      tracking: { opens: true },
      outsideSchedule: 'wait',
      sendWindow: { timezone: 'UTC', weeklySchedule: { monday: { isEnabled: true } } },
      missingAddress: 'fail',
      missingValues: 'stop',
      templateLanguage: 'liquid',
      tags: ['orders'],
      preferenceSettings: { sms: false },
      data: { team: 'shop' },
      steps: [{ template: { type: 'in_app', feed: 'News', content: 'On its way' } }],
    },
  ],
  [
    'workflow-override',
    'workflow-overrides/order-shipped/acme',
    { workflow: 'order-shipped', tenant: 'acme', active: false, preferenceSettings: { sms: false } },
  ],
  [
    'budget',
    'budgets/daily',
    {
      name: 'daily',
      max: 3,
      channels: ['email'],
      window: 'rolling',
      amount: 2,
      unit: 'hours',
      over: 'hold',
      digestWorkflow: 'order-shipped',
      active: false,
    },
  ],
];

describe('a definition with every field', () => {
  it.each(WHOLE.map(([kind, , definition]) => [kind, definition] as const))(
    'should be known of a %s',
    (kind, definition) => {
      expect(Object.keys(definition).sort()).toEqual(fieldsOf(kind).sort());
    },
  );

  it('should be the same after it was promoted', async () => {
    const [development, production] = await api.siblings();
    for (const each of [development, production]) {
      await each.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    }
    const kept: Json[] = [];
    for (const [, path, definition] of WHOLE) {
      const { after } = await dataOf<{ after: Json }>(development.put(`/v1/definitions/${path}`, definition), 200);
      kept.push(after);
      expect(Object.keys(after).sort()).toEqual(Object.keys(definition).sort());
    }
    const ada = await joined(development, 'editor');
    const { url } = await dataOf<{ url: string }>(
      production.post('/v1/users/invitations', { email: ada.email, role: 'editor' }),
      201,
    );
    await ada.accept(tokenOf(url));
    ada.environmentId = production.environmentId;
    const from = { sourceEnvironmentId: development.environmentId };
    const { digest } = await dataOf<{ digest: string }>(ada.post('/v1/promotions/preview', from), 200);
    expect(await dataOf(ada.post('/v1/promotions', { ...from, digest }), 200)).not.toHaveProperty('fault');
    for (const [place, [, path, definition]] of WHOLE.entries()) {
      const target = `/v1/definitions/${path}?dryRun=true`;
      expect(await dataOf(production.put(target, definition), 200)).toMatchObject({
        outcome: 'unchanged',
        before: kept[place],
      });
    }
  });
});
