import request from 'supertest';
import { ENGAGED, EngagementTeller } from '../../src/browser/mail-tracking/engagement-teller.js';
import { RecordedEngagements } from '../../src/browser/mail-tracking/recorded-engagements.js';
import { RECORDING } from '../../src/engine/delivery/run/outcome-writer.js';
import { Engagements, MessageReports } from '../../src/engine/messages/reports/index.js';
import { MessageStore } from '../../src/engine/messages/store/index.js';
import { toObjectId } from '#libs/persistence';
import { dataOf, faultsOf } from '../support/answers.js';
import { clientOf } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { createWorkflow, email, inApp, messagesOf, notificationOf, waitForEvent } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { ADA, type MailSender, PUBLIC_URL, startMailSender } from '../support/recipient-links.js';
import { useSession } from '../support/test-api.js';
import { createReceiver } from '../support/webhook-receiver.js';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const APPLE_MAIL = 'Mozilla/5.0';
const TARGET = 'https://shop.example/orders/4711?a=1&b=2';
const CONTENT = `<p>Hello <a href="${TARGET.replace('&', '&amp;')}">order</a></p>`;

/** HTML of a raw mail. */
function htmlOf(raw: string): string {
  const part = /Content-Type: text\/html[^]*?\r\n\r\n([^]*?)(?:\r\n--|$)/.exec(raw)?.[1] ?? '';
  return part
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function linksIn(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, url = '']) => url.replaceAll('&amp;', '&'));
}

function pixelIn(html: string): string | undefined {
  return /<img src="([^"]*\/open\/[^"]*)"/.exec(html)?.[1];
}

const pathOf = (url = ''): string => {
  expect(url.startsWith(`${PUBLIC_URL}/`)).toBe(true);
  return url.slice(PUBLIC_URL.length);
};

describe('opens and clicks of mails', () => {
  const delivery = useDeliveryApi('mail_tracking', { PUBLIC_URL });
  const session = useSession(delivery.api);
  let mails: MailSender;
  beforeAll(async () => {
    mails = await startMailSender(delivery);
  });
  afterAll(() => mails.close());

  const get = (path: string, agent = CHROME): request.Test =>
    request(delivery.api.url).get(path).set('user-agent', agent).redirects(0);
  const followed = { tracking: { opens: true, clicks: true } };
  const messageOf = async (transactionId: string) => {
    const [message] = await messagesOf(session, transactionId);
    if (message === undefined) throw new Error('There is no message.');
    return message;
  };

  it('should be off by default: the mail is as it was written', async () => {
    const { raw } = await mails.send(session, { content: CONTENT });
    const html = htmlOf(raw);
    expect(linksIn(html)).toEqual([TARGET]);
    expect(pixelIn(html)).toBeUndefined();
  });

  it('should follow a click: to the target, into the message, the trail and the webhook', async () => {
    const hook = await createReceiver(session, ['message.clicked', 'message.opened']);
    const { raw, transactionId } = await mails.send(session, { content: CONTENT, workflow: followed });
    const [link] = linksIn(htmlOf(raw));
    const answer = await get(pathOf(link)).expect(302);
    expect(answer.headers).toMatchObject({
      location: TARGET,
      'cache-control': 'no-store, max-age=0',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(answer.headers).not.toHaveProperty('set-cookie');
    const message = await messageOf(transactionId);
    expect(message).toMatchObject({ status: 'clicked', clicks: [{ machine: false, url: TARGET }] });
    expect(message).not.toHaveProperty('opens');
    expect(JSON.stringify(message.content)).not.toContain('/click/');
    await delivery.drain();
    await eventually(() => expect(hook.server.requests).toHaveLength(1));
    expect(hook.bodies()[0]).toMatchObject({
      type: 'message.clicked',
      data: { message: { _id: message._id, status: 'clicked' }, machine: false, url: TARGET },
    });
    const { jobs } = await notificationOf(session, transactionId);
    const details = jobs.flatMap(({ executionDetails }) => executionDetails);
    const of = (text: string): unknown => JSON.parse(details.find(({ detail }) => detail === text)?.raw ?? '{}');
    expect(of('Opens or clicks of the message are followed')).toEqual({ opens: true, links: 1, leftAlone: 0 });
    expect(of('Link of the message was clicked')).toEqual({ machine: false, url: TARGET });
    await hook.server.close();
  });

  it('should tell of a click that a process recorded before it died, once', async () => {
    const hook = await createReceiver(session, ['message.clicked']);
    const { raw, transactionId } = await mails.send(session, { content: CONTENT, workflow: followed });
    const [link] = linksIn(htmlOf(raw));
    const teller = delivery.api.app.get(EngagementTeller, { strict: false });
    ENGAGED.armOnce(() => Promise.reject(new Error('dead')));
    await get(pathOf(link)).expect(302);
    // Another click meanwhile tells of itself only.
    await get(pathOf(link)).expect(302);
    expect(await messageOf(transactionId)).toMatchObject({ clicks: [{}, {}] });
    await delivery.drain();
    await eventually(() => expect(hook.server.requests).toHaveLength(1));
    await teller.tellRest();
    expect(await delivery.rows('messages', { untold: { $exists: true } })).toHaveLength(1);
    delivery.clock.advance(61_000);
    ENGAGED.armOnce(() => Promise.reject(new Error('dead again')));
    await expect(teller.tellRest()).rejects.toThrow('dead again');
    await Promise.all([teller.tellRest(), teller.tellRest()]);
    await teller.tellRest();
    await delivery.drain();
    await eventually(() => expect(hook.server.requests).toHaveLength(2));
    expect(new Set(hook.bodies().map(({ id }) => id)).size).toBe(2);
    expect(await delivery.rows('messages', { untold: { $exists: true } })).toEqual([]);
    const message = await messageOf(transactionId);
    expect(message).toMatchObject({ status: 'clicked', clicks: [{}, {}] });
    expect(message).not.toHaveProperty('untold');
    const { jobs } = await notificationOf(session, transactionId);
    const details = jobs.flatMap(({ executionDetails }) => executionDetails).map(({ detail }) => detail);
    expect(details.filter((detail) => detail === 'Link of the message was clicked')).toHaveLength(2);
    await hook.server.close();
  });

  it('should tell of the others where one of them fails', async () => {
    const workflow = await createWorkflow(session, [email('Order', CONTENT)], followed);
    for (let sent = 0; sent < 2; sent += 1) {
      const { raw } = await mails.send(session, { again: workflow });
      ENGAGED.armOnce(() => Promise.reject(new Error('dead')));
      await get(pathOf(linksIn(htmlOf(raw))[0])).expect(302);
    }
    const left = (): Promise<unknown[]> => delivery.rows('messages', { untold: { $exists: true } });
    expect(await left()).toHaveLength(2);
    delivery.clock.advance(61_000);
    const teller = delivery.api.app.get(EngagementTeller, { strict: false });
    ENGAGED.armOnce(() => Promise.reject(new Error('dead again')));
    await expect(teller.tellRest()).rejects.toThrow('dead again');
    expect(await left()).toHaveLength(1);
    await teller.tellRest();
    expect(await left()).toEqual([]);
  });

  it('should leave no mark where two are told of at the same time', async () => {
    const workflow = await createWorkflow(session, [email('Order', CONTENT)], followed);
    const { transactionId } = await mails.send(session, { again: workflow });
    const { app } = delivery.api;
    const message = await app.get(MessageReports).findById(session, String((await messageOf(transactionId))['_id']));
    if (message === undefined) throw new Error('There is no message.');
    const engagements = app.get(Engagements);
    const click = { at: delivery.clock.now(), machine: false };
    const untold = await Promise.all([0, 1].map(() => engagements.record(message, 'clicked', click)));
    const found = untold.filter((one) => one !== undefined);
    expect(found).toHaveLength(2);
    await Promise.all(found.map((one) => engagements.settle(message, one)));
    expect(await delivery.rows('messages', { untold: { $exists: true } })).toEqual([]);
  });

  it('should answer a wait for the click, also where a machine was first and the process died over it', async () => {
    const steps = [
      email('Order', CONTENT, {}, { stepId: 'mail' }),
      waitForEvent({ event: 'message.clicked', step: 'mail', onTimeout: 'stop' }, { stepId: 'wait' }),
      inApp('{{steps.wait.matched}}'),
    ];
    const { raw: own } = await mails.send(session, { content: CONTENT });
    expect(own).not.toContain('/click/');
    const workflow = await createWorkflow(session, steps, followed);
    const { raw, transactionId } = await mails.send(session, { again: workflow });
    const path = pathOf(linksIn(htmlOf(raw))[0]);
    const statuses = async (): Promise<unknown[]> =>
      (await notificationOf(session, transactionId)).jobs.map(({ status }) => status);
    await get(path, APPLE_MAIL).expect(302);
    await delivery.drain();
    expect(await statuses()).toEqual(['completed', 'delayed', 'pending']);
    ENGAGED.armOnce(() => Promise.reject(new Error('dead')));
    await get(path).expect(302);
    await delivery.drain();
    expect(await statuses()).toEqual(['completed', 'delayed', 'pending']);
    delivery.clock.advance(61_000);
    await delivery.api.app.get(EngagementTeller, { strict: false }).tellRest();
    await delivery.drain();
    expect(await statuses()).toEqual(['completed', 'completed', 'completed']);
    const [told] = (await messagesOf(session, transactionId)).filter(({ channel }) => channel === 'in_app');
    expect(told?.content).toBe('true');
  });

  it('should be refused for an integration that sends no mails', async () => {
    const sms = {
      providerId: 'twilio',
      channel: 'sms',
      check: false,
      credentials: { accountSid: 'AC1', token: 't', from: '+15550100' },
    };
    const words =
      'tracking is for email integrations; leave it out, or send null, for an integration of the channel sms';
    const refused = session.post('/v1/integrations', { ...sms, tracking: { clicks: true } });
    expect(await faultsOf(refused)).toEqual([words]);
    const made = await dataOf<{ _id: string }>(session.post('/v1/integrations', { ...sms, tracking: null }), 201);
    const path = `/v1/integrations/${made._id}`;
    expect(await faultsOf(session.put(path, { tracking: { opens: true } }))).toEqual([words]);
    await session.put(path, { tracking: null, name: 'Text' }).expect(200);
  });

  it('should follow an open by a picture that other sites can show', async () => {
    const { raw, transactionId } = await mails.send(session, {
      content: CONTENT,
      workflow: { tracking: { opens: true } },
    });
    expect(linksIn(htmlOf(raw))).toEqual([TARGET]);
    const answer = await get(pathOf(pixelIn(htmlOf(raw)))).expect(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': 'no-store, max-age=0',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect((answer.body as Buffer).toString('latin1')).toMatch(/^GIF89a/);
    expect(await messageOf(transactionId)).toMatchObject({ status: 'opened', opens: [{ machine: false }] });
  });

  it('should say what a machine does, and not take it for a person', async () => {
    const hook = await createReceiver(session, ['message.opened']);
    const { raw, transactionId } = await mails.send(session, { content: CONTENT, workflow: followed });
    await get(pathOf(pixelIn(htmlOf(raw))), APPLE_MAIL).expect(200);
    expect(await messageOf(transactionId)).toMatchObject({ status: 'sent', opens: [{ machine: true }] });
    await delivery.drain();
    await eventually(() => expect(hook.server.requests).toHaveLength(1));
    expect(hook.bodies()[0]).toMatchObject({ data: { message: { status: 'sent' }, machine: true } });
    await get(pathOf(pixelIn(htmlOf(raw)))).expect(200);
    expect(await messageOf(transactionId)).toMatchObject({
      status: 'opened',
      opens: [{ machine: true }, { machine: false }],
    });
    await hook.server.close();
  });

  it('should change nothing for HEAD, and never go back', async () => {
    const { raw, transactionId } = await mails.send(session, { content: CONTENT, workflow: followed });
    const [link] = linksIn(htmlOf(raw));
    await request(delivery.api.url).head(pathOf(link)).redirects(0).expect(302);
    expect(await messageOf(transactionId)).toMatchObject({ status: 'sent' });
    await get(pathOf(link)).expect(302);
    await get(pathOf(pixelIn(htmlOf(raw)))).expect(200);
    expect(await messageOf(transactionId)).toMatchObject({ status: 'clicked', opens: [{}], clicks: [{}] });
  });

  it('should keep 50 of programs, and still lead on', async () => {
    const { raw, transactionId } = await mails.send(session, { content: CONTENT, workflow: followed });
    const path = pathOf(linksIn(htmlOf(raw))[0]);
    await Promise.all(Array.from({ length: 55 }, () => get(path, APPLE_MAIL).expect(302)));
    const full = await messageOf(transactionId);
    expect(full).toMatchObject({ status: 'sent' });
    expect(full.clicks).toHaveLength(50);
    await get(path).expect(302);
    const after = await messageOf(transactionId);
    expect(after).toMatchObject({ status: 'clicked' });
    expect(after.clicks).toHaveLength(51);
  });

  it('should be set by the integration, unless the workflow says otherwise or is critical', async () => {
    const { _id: integrationId = '' } =
      ((await mails.send(session)) && (await clientOf(session).integrations.listIntegrations())[0]) || {};
    const stored = await clientOf(session).integrations.updateIntegration({
      path: { integrationId },
      body: { tracking: { clicks: true } },
    });
    expect(stored.tracking).toEqual({ clicks: true });
    const isFollowed = async (workflow: Record<string, unknown>): Promise<boolean> => {
      const { raw } = await mails.send(session, { content: CONTENT, workflow });
      return linksIn(htmlOf(raw))[0] !== TARGET;
    };
    expect(await isFollowed({})).toBe(true);
    expect(await isFollowed({ tracking: { opens: true } })).toBe(true);
    expect(await isFollowed({ tracking: { clicks: false } })).toBe(false);
    expect(await isFollowed({ critical: true })).toBe(false);
    expect(await isFollowed({ critical: true, tracking: { clicks: true } })).toBe(true);
    const off = await clientOf(session).integrations.updateIntegration({
      path: { integrationId },
      body: { tracking: null },
    });
    expect(off).not.toHaveProperty('tracking');
    expect(await isFollowed({})).toBe(false);
  });

  it('should be removed from a workflow by null, and be in its definition', async () => {
    const { workflow } = await mails.send(session, { workflow: followed });
    const path = `/v1/workflows/${workflow._id}`;
    expect((await session.get(path).expect(200)).body).toMatchObject({ data: followed });
    await session.put(path, { tracking: { clicks: null, opens: false } }).expect(200);
    expect((await session.get(path).expect(200)).body).toMatchObject({ data: { tracking: { opens: false } } });
    await session.put(path, { tracking: null }).expect(200);
    expect(((await session.get(path).expect(200)).body as { data: object }).data).not.toHaveProperty('tracking');
    for (const tracking of ['on', { opens: 'yes' }, []]) await session.put(path, { tracking }).expect(400);
  });

  it('should leave links alone that opt out, are for one person, or are hostile', async () => {
    const hostile = [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.example/x',
      '/\\evil.example',
      'https://shop.example@evil.example/',
      'https://shоp.example/',
      'https://shop.example/\u202Egnp.exe',
      'https://shop.example/&#13;&#10;Set-Cookie:a=b',
      'mailto:a@example.com',
    ];
    const left = [
      '<a clicktracking="off" href="https://shop.example/reset?token=secret">x</a>',
      '<p data-herald-track="off"><a href="https://shop.example/code/123456">x</a></p>',
      '<a href="{{unsubscribeUrl}}">x</a><a href="{{preferencesUrl}}">x</a>',
      ...hostile.map((url) => `<a href="${url}">x</a>`),
    ];
    const workflow = { tracking: { clicks: true } };
    const written = await mails.send(session, { content: left.join('') });
    const { raw, transactionId } = await mails.send(session, { content: left.join('') + CONTENT, workflow });
    const before = linksIn(htmlOf(written.raw)).map((link) => link.replace(/\/(unsubscribe|preferences)\/.*/, '/$1'));
    const after = linksIn(htmlOf(raw)).map((link) => link.replace(/\/(unsubscribe|preferences|click)\/.*/, '/$1'));
    expect(after).toEqual([...before, `${PUBLIC_URL}/click`]);
    expect(before).toEqual(
      expect.arrayContaining([`${PUBLIC_URL}/unsubscribe`, `${PUBLIC_URL}/preferences`, '//evil.example/x']),
    );
    const { jobs } = await notificationOf(session, transactionId);
    const detail = jobs
      .flatMap(({ executionDetails }) => executionDetails)
      .find((one) => one.detail.startsWith('Opens or clicks'));
    expect(JSON.parse(detail?.raw ?? '{}')).toMatchObject({ links: 1 });
  });

  it('should refuse a link that was changed, with a page that says so', async () => {
    const { raw, transactionId } = await mails.send(session, { content: CONTENT, workflow: followed });
    const html = htmlOf(raw);
    const token = pathOf(linksIn(html)[0]).slice('/click/'.length);
    const open = pathOf(pixelIn(html)).slice('/open/'.length);
    const bytes = Buffer.from(token, 'base64url');
    const evil = Buffer.concat([bytes.subarray(0, 67), Buffer.from('https://evil.example/'), bytes.subarray(-16)]);
    const flipped = (place: number): string => {
      const copy = Buffer.from(bytes);
      copy[place] = (copy[place] ?? 0) ^ 1;
      return copy.toString('base64url');
    };
    const changed = [evil.toString('base64url'), flipped(1), flipped(60), flipped(70), flipped(bytes.length - 1)];
    const other = [
      open,
      `${token}?to=https://evil.example`,
      `${token}A`,
      'example',
      'https:%2f%2fevil.example',
      'x'.repeat(6_000),
    ];
    for (const bad of [...changed, ...other.filter((one) => !one.includes('?'))]) {
      const answer = await get(`/click/${bad}`);
      expect(answer.status).toBe(400);
      expect(answer.headers).not.toHaveProperty('location');
      expect(answer.text).toContain('This link is not valid');
      expect(answer.text).not.toContain('evil');
    }
    expect((await get(`/click/${token}?to=https://evil.example`).expect(302)).headers['location']).toBe(TARGET);
    for (const bad of [token, flipped(8), 'x']) expect((await get(`/open/${bad}`)).status).toBe(400);
    expect((await messageOf(transactionId)).clicks).toHaveLength(1);
  });

  it('should count once what comes before the message is stored, also where processes die over it', async () => {
    const hook = await createReceiver(session, ['message.clicked', 'message.opened']);
    const early: Promise<unknown>[] = [];
    // The provider has answered, and nothing of that is stored.
    RECORDING.arm(async ({ record }) => {
      if (record.steps[0]?.status !== 'completed') return;
      RECORDING.disarm();
      const html = htmlOf(mails.smtp.raw.at(-1) ?? '');
      const [link] = linksIn(html);
      early.push(get(pathOf(link)).expect(302), get(pathOf(link), APPLE_MAIL).expect(302));
      early.push(get(pathOf(pixelIn(html))).expect(200));
      await Promise.all(early);
    });
    const { transactionId } = await mails.send(session, { content: CONTENT, workflow: followed });
    expect(early).toHaveLength(3);
    const teller = delivery.api.app.get(EngagementTeller, { strict: false });
    expect(await messageOf(transactionId)).not.toHaveProperty('clicks');
    ENGAGED.armOnce(() => Promise.reject(new Error('dead')));
    await expect(teller.recordEarly()).rejects.toThrow('dead');
    await Promise.all([teller.recordEarly(), teller.recordEarly()]);
    await teller.recordEarly();
    delivery.clock.advance(60_000);
    await teller.tellRest();
    const message = await messageOf(transactionId);
    expect(message).toMatchObject({ status: 'clicked', opens: [{ machine: false }] });
    expect(message.clicks?.map(({ machine }) => machine).sort()).toEqual([false, true]);
    expect(await delivery.rows('earlyEngagements')).toEqual([]);
    await delivery.drain();
    await eventually(() => expect(hook.server.requests).toHaveLength(3));
    await hook.server.close();
  });

  it('should keep 100 of a message that is never stored, for a day and as long as the subscriber is there', async () => {
    const { transactionId } = await mails.send(session, { content: CONTENT, workflow: followed });
    const { _id, _subscriberId } = await messageOf(transactionId);
    await delivery.api.app.get(MessageStore, { strict: false }).withdraw([
      {
        _id: toObjectId(_id),
        _environmentId: toObjectId(session.environmentId),
        _subscriberId: toObjectId(_subscriberId),
      },
    ]);
    const claims = {
      ...session,
      channel: 'email',
      messageId: _id,
      subscriberId: _subscriberId,
      workflowId: _id,
    } as const;
    const recorded = delivery.api.app.get(RecordedEngagements, { strict: false });
    for (let n = 0; n < 103; n += 1) await recorded.record(claims, 'opened', false);
    const [row] = await delivery.rows('earlyEngagements');
    expect(row?.['engagements']).toHaveLength(100);
    expect((row?.['expireAt'] as Date).getTime() - delivery.clock.now().getTime()).toBeLessThanOrEqual(86_400_000);
    await delivery.api.app.get(EngagementTeller, { strict: false }).recordEarly();
    expect(await delivery.rows('earlyEngagements')).toHaveLength(1);
    await session.delete('/v1/subscribers/ada').expect(200);
    await eventually(async () => expect(await delivery.rows('earlyEngagements')).toEqual([]));
    await recorded.record(claims, 'opened', false);
    expect(await delivery.rows('earlyEngagements')).toEqual([]);
  });

  it('should lead on when the message is gone', async () => {
    const { raw, transactionId } = await mails.send(session, { content: CONTENT, workflow: followed });
    const [link] = linksIn(htmlOf(raw));
    await session.delete(`/v1/messages/${(await messageOf(transactionId))._id}`).expect(200);
    expect((await get(pathOf(link)).expect(302)).headers['location']).toBe(TARGET);
  });

  it('should go with the subscriber', async () => {
    const { raw, transactionId } = await mails.send(session, { content: CONTENT, workflow: followed });
    await get(pathOf(linksIn(htmlOf(raw))[0])).expect(302);
    expect(await messageOf(transactionId)).toMatchObject({ clicks: [{}] });
    await session.delete('/v1/subscribers/ada').expect(200);
    await eventually(async () => expect(await messagesOf(session, transactionId)).toEqual([]));
  });

  it('should be in the dry run, with the links as they would be sent', async () => {
    const { workflow } = await mails.send(session, { content: CONTENT, workflow: followed });
    const dry = await clientOf(session).events.dryRunEvent({ body: { name: workflow.identifier, to: ADA } });
    const [step] = dry.recipients[0]?.steps ?? [];
    expect(linksIn(step?.messages[0]?.content ?? '')[0]).toMatch(new RegExp(`^${PUBLIC_URL}/click/`));
    expect(step?.details.map(({ detail }) => detail)).toContain('Opens or clicks of the message are followed');
  });

  it('should not be in a test send', async () => {
    const { workflow } = await mails.send(session, { content: CONTENT, workflow: followed });
    const before = mails.smtp.raw.length;
    await session
      .post(`/v1/workflows/${workflow._id}/steps/${workflow.steps[0]?._id ?? ''}/test`, { to: 'me@example.com' })
      .expect(202);
    await delivery.drain();
    expect(linksIn(htmlOf(mails.smtp.raw[before] ?? ''))).toEqual([TARGET]);
  });

  it('should follow a long mail, and the mail of an override', async () => {
    const long = `<p>${'word '.repeat(6_000)}</p>${CONTENT}`;
    const { raw } = await mails.send(session, { content: long, workflow: followed });
    expect(linksIn(htmlOf(raw))[0]).toMatch(/\/click\//);
    const overrides = { email: { html: `<html><body>${CONTENT}</body></html>` } };
    const own = htmlOf((await mails.send(session, { content: 'x', workflow: followed, overrides })).raw);
    expect(linksIn(own)[0]).toMatch(/\/click\//);
    expect(own).toMatch(/<img [^>]*\/open\/[^>]*><\/body><\/html>/);
  });
});

describe('without PUBLIC_URL', () => {
  const delivery = useDeliveryApi('mail_tracking_no_url');
  const session = useSession(delivery.api);

  it('should send the mail as it is, and say why in the trail', async () => {
    const mails = await startMailSender(delivery);
    const { raw, transactionId } = await mails.send(session, {
      content: CONTENT,
      workflow: { tracking: { clicks: true } },
    });
    expect(linksIn(htmlOf(raw))).toEqual([TARGET]);
    const { jobs } = await notificationOf(session, transactionId);
    const details = jobs.flatMap(({ executionDetails }) => executionDetails);
    expect(details.find(({ detail }) => detail === 'Opens and clicks of the message are not followed')).toMatchObject({
      status: 'Warning',
      raw: expect.stringContaining('PUBLIC_URL') as string,
    });
    await mails.close();
  });
});

describe('on Express', () => {
  const delivery = useDeliveryApi('mail_tracking_express', { HTTP_PLATFORM: 'express', PUBLIC_URL });
  const session = useSession(delivery.api);

  it('should lead on, and show the picture', async () => {
    const mails = await startMailSender(delivery);
    const { raw, transactionId } = await mails.send(session, {
      content: CONTENT,
      workflow: { tracking: { opens: true, clicks: true } },
    });
    const html = htmlOf(raw);
    const answer = await request(delivery.api.url)
      .get(pathOf(linksIn(html)[0]))
      .redirects(0)
      .expect(302);
    expect(answer.headers['location']).toBe(TARGET);
    await request(delivery.api.url)
      .get(pathOf(pixelIn(html)))
      .expect(200)
      .expect('content-type', 'image/gif');
    await request(delivery.api.url).get('/click/x').expect(400);
    expect(await messagesOf(session, transactionId)).toMatchObject([{ status: 'clicked', opens: [{}], clicks: [{}] }]);
    await mails.close();
  });
});
