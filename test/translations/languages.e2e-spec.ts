import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { TestSession } from '../harness/index.js';
import { setTranslation } from '../factories/translation.factory.js';
import { dataOf, type Json } from '../support/answers.js';
import { clientOf } from '../support/client.js';
import {
  createWorkflow,
  delay,
  digest,
  email,
  feedOf,
  inApp,
  notificationOf,
  type SentRecipient,
  type ShownNotification,
  smtpIntegration,
  trigger,
} from '../support/delivery.js';
import { startDeliveryApi, storeNamed, useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { useSession } from '../support/test-api.js';

const delivery = useDeliveryApi('languages');
const session = useSession(delivery.api);

const READY = inApp("{{t 'ready' name=subscriber.firstName count=n}}");

async function useWords(): Promise<void> {
  await setTranslation(session, 'en', {
    ready: 'Hello {name}, {count, plural, one {# parcel is} other {# parcels are}} ready',
    only: 'Only in English',
  });
  await setTranslation(session, 'de', {
    ready: 'Hallo {name}, {count, plural, one {# Paket liegt} other {# Pakete liegen}} bereit',
  });
  await setTranslation(session, 'de-AT', { greeting: 'Servus {name}' });
  await setTranslation(session, 'fr', { ready: 'Bonjour {name}, {count, plural, one {# colis} other {# colis}}' });
}

async function shownTo(locale: string | undefined, template = READY, body: Json = { n: 2 }): Promise<unknown> {
  const { identifier } = await createWorkflow(session, [template]);
  const to = { subscriberId: 'ada', firstName: 'Ada', ...(locale !== undefined && { locale }) };
  await trigger(session, { name: identifier, to, payload: body });
  await delivery.drain();
  return (await feedOf(session, 'ada'))[0]?.content;
}

const missingIn = ({ jobs }: ShownNotification): unknown[] =>
  jobs
    .flatMap(({ executionDetails }) => executionDetails)
    .filter(({ detail }) => detail === 'Translations are missing')
    .map(({ status, raw }) => [status, JSON.parse(raw ?? '{}') as unknown]);

describe('the language of a message', () => {
  beforeEach(useWords);

  it.each([
    ['de', 'Hallo Ada, 2 Pakete liegen bereit'],
    ['de-AT', 'Hallo Ada, 2 Pakete liegen bereit'],
    ['de_CH', 'Hallo Ada, 2 Pakete liegen bereit'],
    ['fr-CA', 'Bonjour Ada, 2 colis'],
    ['ja', 'Hello Ada, 2 parcels are ready'],
    [undefined, 'Hello Ada, 2 parcels are ready'],
  ])('should be that of the locale %s', async (locale, expected) => {
    expect(await shownTo(locale)).toBe(expected);
  });

  it('should be that of the tenant where the subscriber has none', async () => {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme', data: { locale: 'fr' } }).expect(201);
    const { identifier } = await createWorkflow(session, [READY]);
    for (const to of [
      { subscriberId: 'a' },
      { subscriberId: 'b', locale: 'de' },
      { subscriberId: 'c', locale: 'ja' },
    ] as SentRecipient[]) {
      await trigger(session, { name: identifier, to, tenant: 'acme', payload: { n: 1 } });
    }
    await delivery.drain();
    expect((await feedOf(session, 'a'))[0]?.content).toBe('Bonjour , 1 colis');
    expect((await feedOf(session, 'b'))[0]?.content).toBe('Hallo , 1 Paket liegt bereit');
    expect((await feedOf(session, 'c'))[0]?.content).toBe('Hello , 1 parcel is ready');
  });

  it('should be the one of when the step runs, also after a delay', async () => {
    const { identifier } = await createWorkflow(session, [delay(), READY]);
    await trigger(session, { name: identifier, to: { subscriberId: 'ada', locale: 'de' }, payload: { n: 1 } });
    await delivery.drain();
    await session.put('/v1/subscribers/ada', { locale: 'fr' }).expect(200);
    await setTranslation(session, 'fr', { ready: 'Salut {name}' });
    await delivery.drain(600_000);
    expect((await feedOf(session, 'ada'))[0]?.content).toBe('Salut ');
  });

  it('should be that of each member of a digest, with the number of its events', async () => {
    const { identifier } = await createWorkflow(session, [
      digest(),
      inApp("{{t 'ready' name='x' count=step.total_count}}"),
    ]);
    const to = [
      { subscriberId: 'a', locale: 'de' },
      { subscriberId: 'b', locale: 'en' },
    ];
    for (let event = 0; event < 3; event += 1) await trigger(session, { name: identifier, to });
    await delivery.drain();
    await delivery.drain(600_000);
    expect((await feedOf(session, 'a'))[0]?.content).toBe('Hallo x, 3 Pakete liegen bereit');
    expect((await feedOf(session, 'b'))[0]?.content).toBe('Hello x, 3 parcels are ready');
  });

  it('should be in the dry run', async () => {
    const { identifier } = await createWorkflow(session, [READY]);
    const body = { name: identifier, to: { subscriberId: 'new', locale: 'de-AT' }, payload: { n: 1 } };
    const { recipients } = await clientOf(session).events.dryRunEvent({ body });
    expect(recipients[0]?.steps[0]?.messages[0]?.content).toBe('Hallo , 1 Paket liegt bereit');
  });

  it('should be in previews by locale, which name the missing keys and store nothing', async () => {
    const workflow = await createWorkflow(session, [inApp("{{t 'ready' count=1}} {{t 'only'}} {{t 'none'}}")]);
    const path = `/v1/workflows/${workflow.identifier}/steps/${workflow.steps[0]?._id ?? ''}/preview`;
    const preview = (body: Json): Promise<Json> => dataOf(session.post(path, body), 200);
    expect(await preview({ locale: 'de_AT', subscriber: { subscriberId: 'ada', locale: 'fr' } })).toMatchObject({
      content: 'Hallo , 1 Paket liegt bereit Only in English none',
      missingTranslations: ['only', 'none'],
      faults: [],
    });
    expect(await preview({ locale: 'en' })).toMatchObject({ missingTranslations: ['none'] });
    await session.post(path, { locale: 'x' }).expect(400);
    expect(await delivery.rows('missingTranslations')).toEqual([]);
  });
});

describe('missing translations', () => {
  it('should be in the trail and in the report until they are translated, and the message goes out', async () => {
    await useWords();
    const { identifier } = await createWorkflow(session, [inApp("{{t 'only'}} {{t 'none' a=1}}")]);
    for (let event = 0; event < 2; event += 1) {
      const id = await trigger(session, { name: identifier, to: { subscriberId: 'ada', locale: 'de-AT' } });
      await delivery.drain();
      const shown = await notificationOf(session, id);
      expect(shown.status).toBe('completed');
      expect(missingIn(shown)).toEqual([['Warning', { locale: 'de-AT', missing: ['only', 'none'] }]]);
    }
    expect((await feedOf(session, 'ada'))[0]?.content).toBe('Only in English none');
    const report = (): Promise<Json[]> => dataOf(session.get('/v1/translations/missing'), 200);
    await eventually(async () => {
      expect((await report()).map(({ locale, key, count }) => [locale, key, count]).sort()).toEqual([
        ['de-AT', 'none', 2],
        ['de-AT', 'only', 2],
      ]);
    });
    await session.patch('/v1/translations/de', { messages: { none: 'nichts' } }).expect(200);
    expect(await report()).toEqual([expect.objectContaining({ key: 'only' })]);
    await session.delete('/v1/translations/de-AT').expect(204);
    expect(await report()).toEqual([]);
  });

  it('should show keys where the environment has no translations at all', async () => {
    expect(await shownTo('de', inApp("{{t 'order.ready'}}"))).toBe('order.ready');
  });

  it('should be bounded where keys come from payloads', async () => {
    await setTranslation(session, 'en', { a: 'a' });
    const { identifier } = await createWorkflow(session, [inApp('{{#each keys}}{{t this}}{{/each}}')]);
    for (let event = 0; event < 30; event += 1) {
      const keys = Array.from({ length: 25 }, (_, n) => `key-${event}-${n}`);
      await trigger(session, { name: identifier, to: 'ada', payload: { keys } });
    }
    await delivery.drain();
    await eventually(async () => {
      expect(await dataOf<Json[]>(session.get('/v1/translations/missing'), 200)).toHaveLength(500);
    });
  });
});

describe('mails', () => {
  let smtp: SmtpCatcher;
  beforeAll(async () => {
    smtp = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
  });
  afterAll(() => smtp.close());

  beforeEach(async () => {
    await smtpIntegration(session, smtp.port);
    await setTranslation(session, 'en', { subject: 'Order {n}', body: '<b>{who}</b> & friends', footer: 'Bye' });
    await setTranslation(session, 'ar', { subject: 'الطلب {n}', body: '<b>{who}</b> مرحبا', footer: 'وداعا' });
  });

  const mailTo = async (
    locale: string,
    content: unknown,
    template: Json = {},
  ): Promise<{ subject?: string; html: string }> => {
    const step = { template: { ...email("{{t 'subject' n=7}}", '').template, content, ...template } };
    const { identifier } = await createWorkflow(session, [step]);
    const to = { subscriberId: 'ada', email: 'ada@example.com', firstName: '<i>Ada</i>', locale };
    const before = smtp.mails.length;
    await trigger(session, { name: identifier, to });
    await delivery.drain();
    const { subject, html } = smtp.mails[before] ?? {};
    return { ...(subject !== undefined && { subject }), html: typeof html === 'string' ? html : '' };
  };

  it('should be from right to left, in subject, blocks and frame', async () => {
    const blocks = [
      { type: 'text', content: "{{{t 'body' who=subscriber.firstName}}}", styles: { textAlign: 'left' } },
      { type: 'button', content: "{{t 'footer'}}", url: 'https://example.com' },
    ];
    const mail = await mailTo('ar-EG', blocks, { contentType: 'editor' });
    expect(mail.subject).toBe('الطلب 7');
    expect(mail.html).toMatch(/<html lang="ar" dir="rtl"/);
    expect(mail.html).toMatch(/<body lang="ar" dir="rtl"/);
    expect(mail.html).toContain('<b>&lt;i&gt;Ada&lt;/i&gt;</b> مرحبا');
    expect(mail.html).toContain('text-align:right');
    expect(mail.html).not.toContain('text-align:left');
    const english = await mailTo('en', blocks, { contentType: 'editor' });
    expect(english.html).toMatch(/<html lang="en" dir="ltr"/);
    expect(english.html).toContain('text-align:left');
  });

  it('should say the language in layouts, and translate them', async () => {
    const content = `<html lang="en"><body>{{{body}}}<p>{{t 'footer'}}</p></body></html>`;
    const { _id } = await dataOf<{ _id: string }>(session.post('/v1/layouts', { name: 'L', content }), 201);
    const mail = await mailTo('ar', '<p>plain</p>', { layoutId: _id });
    expect(mail.html).toMatch(/<html lang="ar" dir="rtl"/);
    expect(mail.html).toContain('<p>وداعا</p>');
  });

  it('should escape translations and values, and leave mails without t as they were', async () => {
    const mail = await mailTo('en', "<p>{{t 'body' who=subscriber.firstName}}</p>");
    expect(mail.html).toBe(
      '<div lang="en" dir="ltr"><p>&lt;b&gt;&lt;i&gt;Ada&lt;/i&gt;&lt;/b&gt; &amp; friends</p></div>',
    );
    const plain = await mailTo('ar', '<p>Hello</p>', { subject: 'Hello' });
    expect(plain.html).toBe('<p>Hello</p>');
  });

  it('should render the words of the reader in threads as well', async () => {
    const many = `${'{{#each list}}{{#each ../list}}{{#if x}}x{{/if}}{{/each}}{{/each}}'.repeat(5)}{{t 'footer'}}{{t 'none'}}`;
    expect((await mailTo('ar', many)).html).toContain('وداعاnone');
  });
});

describe('the words of another process', () => {
  it('should be used within a second, without a restart', async () => {
    const store = storeNamed('languages_processes');
    const one = await startDeliveryApi('languages_processes', {}, undefined, store);
    const two = await startDeliveryApi('languages_processes', {}, one.clock, store);
    try {
      const caller = await one.api.session();
      const other = new TestSession(two.api.url, { ...caller });
      const { identifier } = await createWorkflow(caller, [inApp("{{t 'ready'}}")]);
      await setTranslation(caller, 'en', { ready: 'first' });
      let sent = 0;
      // Each process delivers what it accepts.
      const through = async (session: TestSession, delivery: typeof one): Promise<unknown> => {
        sent += 1;
        const subscriberId = `reader-${sent}`;
        await trigger(session, { name: identifier, to: subscriberId });
        await delivery.drain();
        return (await feedOf(caller, subscriberId))[0]?.content;
      };
      expect([await through(caller, one), await through(other, two)]).toEqual(['first', 'first']);
      await setTranslation(caller, 'en', { ready: 'second' });
      expect(await through(caller, one)).toBe('second');
      await eventually(async () => expect(await through(other, two)).toBe('second'));
    } finally {
      await two.api.close();
      await one.api.close();
    }
  });
});
