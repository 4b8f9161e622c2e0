import request from 'supertest';
import { clientOf } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { messagesOf, notificationOf } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { ADA, type MailSender, ONE_CLICK, postForm, PUBLIC_URL, startMailSender } from '../support/recipient-links.js';
import { useSession } from '../support/test-api.js';
import { createReceiver } from '../support/webhook-receiver.js';

describe('unsubscribing from a mail', () => {
  const delivery = useDeliveryApi('unsubscribe', { PUBLIC_URL });
  const session = useSession(delivery.api);
  let mails: MailSender;
  beforeAll(async () => {
    mails = await startMailSender(delivery);
  });
  afterAll(() => mails.close());

  const get = (path: string): request.Test => request(delivery.api.url).get(path);
  const post = (path: string, body = ONE_CLICK): request.Test => postForm(delivery.api, path, body);
  const channelsOf = async (workflowId: string): Promise<Record<string, boolean>> => {
    const all = await clientOf(session).preferences.listPreferences({ path: { subscriberId: 'ada' }, query: {} });
    return all.find(({ template }) => template._id === workflowId)?.preference.channels ?? {};
  };

  describe('the headers of the mail', () => {
    it('should offer one click, with a link that names no address', async () => {
      const { raw, oneClick = '' } = await mails.send(session);
      expect(raw.replace(/\r\n[ \t]+/g, ' ')).toContain('\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
      expect(oneClick).toMatch(/^\/unsubscribe\/[\w-]{100,140}$/);
      const token = Buffer.from(oneClick.split('/').at(-1) ?? '', 'base64url').toString('latin1');
      expect(token).not.toMatch(/ada|example/i);
    });

    it.each([
      ['of a critical workflow', { critical: true }],
      ['of a workflow that wants none', { unsubscribe: 'off' }],
    ])('should not be there in mails %s', async (_which, workflow) => {
      const { oneClick, raw } = await mails.send(session, { workflow });
      expect(oneClick).toBeUndefined();
      expect(raw).not.toMatch(/List-Unsubscribe/i);
    });

    it('should be those of the trigger where it has its own', async () => {
      const headers = { 'list-unsubscribe': '<mailto:out@example.com>' };
      const { raw } = await mails.send(session, { overrides: { email: { headers } } });
      expect(raw.match(/^list-unsubscribe.*$/gim)).toEqual(['List-Unsubscribe: <mailto:out@example.com>']);
    });

    it('should be in the dry run', async () => {
      const { workflow } = await mails.send(session);
      const dry = await clientOf(session).events.dryRunEvent({ body: { name: workflow.identifier, to: ADA } });
      const [message] = dry.recipients[0]?.steps[0]?.messages ?? [];
      expect(message?.headers).toEqual({
        'List-Unsubscribe': expect.stringContaining(`<${PUBLIC_URL}/unsubscribe/`) as string,
        'List-Unsubscribe-Post': ONE_CLICK,
      });
    });
  });

  describe('one click', () => {
    it('should switch off the channel of the workflow in one step, once', async () => {
      const { oneClick = '', workflow, transactionId } = await mails.send(session);
      const other = await mails.send(session);
      const hook = await createReceiver(session, ['preference.changed']);
      const [message] = await messagesOf(session, transactionId);
      for (let call = 0; call < 3; call++) {
        const answer = await post(oneClick).set('origin', 'https://anything.example').redirects(0).expect(200);
        expect(answer.headers).not.toHaveProperty('set-cookie');
        expect(answer.text).toContain('You are unsubscribed');
      }
      expect(await channelsOf(workflow._id)).toEqual({ email: false });
      expect(await channelsOf(other.workflow._id)).toEqual({ email: true });
      await delivery.drain();
      await eventually(() => expect(hook.server.requests).toHaveLength(1));
      expect(hook.bodies()[0]).toMatchObject({
        type: 'preference.changed',
        data: {
          subscriberId: 'ada',
          messageId: message?._id,
          workflowId: workflow._id,
          workflowIdentifier: workflow.identifier,
          channel: 'email',
          enabled: false,
          via: 'one-click',
        },
      });
      const shown = await notificationOf(session, transactionId);
      const told = shown.jobs.flatMap(({ executionDetails }) => executionDetails);
      expect(told.filter(({ detail }) => detail.startsWith('Recipient'))).toMatchObject([
        { detail: 'Recipient unsubscribed by a link of the message', status: 'Success' },
      ]);
      await hook.server.close();
    });

    it('should hold for the next event, whose trail says so', async () => {
      const { oneClick = '', workflow } = await mails.send(session);
      await post(oneClick).expect(200);
      const before = mails.smtp.raw.length;
      await expect(mails.send(session, { again: workflow })).rejects.toThrow('No mail was sent.');
      expect(mails.smtp.raw).toHaveLength(before);
    });

    it('should be understood in parts as well', async () => {
      const { oneClick = '', workflow } = await mails.send(session);
      await request(delivery.api.url).post(oneClick).field('List-Unsubscribe', 'One-Click').expect(200);
      expect(await channelsOf(workflow._id)).toEqual({ email: false });
    });

    it.each([
      ['nothing', ''],
      ['another word', 'List-Unsubscribe=Two-Clicks'],
      ['other data', '{"List-Unsubscribe":"One-Click"}'],
    ])('should refuse a body with %s', async (_what, body) => {
      const { oneClick = '', workflow } = await mails.send(session);
      await post(oneClick, body).expect(400);
      expect(await channelsOf(workflow._id)).toEqual({ email: true });
    });

    it('should refuse a body that is too large', async () => {
      const { oneClick = '', workflow } = await mails.send(session);
      await post(oneClick, `a=${'a'.repeat(20_000)}&${ONE_CLICK}`).expect(413);
      expect(await channelsOf(workflow._id)).toEqual({ email: true });
    });

    it('should change nothing when the workflow has become critical', async () => {
      const { oneClick = '', workflow } = await mails.send(session);
      await session.put(`/v1/workflows/${workflow._id}`, { name: 'Password', critical: true }).expect(200);
      const answer = await post(oneClick).expect(409);
      expect(answer.text).toContain('“Password” is about your account');
    });

    it('should say so when the subscriber or the workflow is gone', async () => {
      const first = await mails.send(session);
      await session.delete(`/v1/workflows/${first.workflow._id}`).expect(200);
      await post(first.oneClick ?? '').expect(410);
      const second = await mails.send(session);
      await session.delete('/v1/subscribers/ada').expect(200);
      await post(second.oneClick ?? '').expect(410);
    });
  });

  describe('the page', () => {
    it('should change nothing when it is looked at', async () => {
      const { oneClick = '', workflow } = await mails.send(session);
      for (const method of ['get', 'head'] as const) await request(delivery.api.url)[method](oneClick).expect(200);
      expect(await channelsOf(workflow._id)).toEqual({ email: true });
      expect((await get(oneClick)).text).toContain('<button>Unsubscribe</button>');
    });

    it('should unsubscribe and subscribe again', async () => {
      const { oneClick = '', workflow } = await mails.send(session);
      const done = await post(oneClick, `${ONE_CLICK}&from=page`).expect(200);
      expect(done.text).toContain('name="action" value="subscribe"');
      expect(await channelsOf(workflow._id)).toEqual({ email: false });
      expect((await get(oneClick).expect(200)).text).toContain('name="action" value="subscribe"');
      await post(oneClick, 'action=subscribe').expect(200);
      expect(await channelsOf(workflow._id)).toEqual({ email: true });
      await mails.send(session, { again: workflow });
    });

    it('should load nothing, run nothing, and give its address to nobody', async () => {
      const { oneClick = '' } = await mails.send(session);
      const { headers, text } = await get(oneClick).expect(200);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'x-robots-tag': 'noindex, nofollow',
      });
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none';style-src 'sha256-[\w+/]+=*';base-uri 'none';form-action 'self';frame-ancestors 'none'$/,
      );
      expect(text).not.toMatch(/<script|javascript:|https?:/i);
    });

    it('should speak the language of the subscriber, from right to left where it is written so', async () => {
      const { oneClick = '' } = await mails.send(session, { to: { ...ADA, locale: 'ar-EG' } });
      expect((await get(oneClick)).text).toContain('<html lang="ar" dir="rtl">');
      const german = await mails.send(session, { to: { ...ADA, locale: 'de_AT' } });
      expect((await get(german.oneClick ?? '')).text).toContain('<h1>Abbestellen?</h1>');
      const { oneClick: none = '' } = await mails.send(session, {
        to: { subscriberId: 'bob', email: 'b@example.com' },
      });
      expect((await get(none).set('accept-language', 'xx, fr-CA;q=0.8')).text).toContain('<html lang="fr" dir="ltr">');
    });

    it('should show the name of the workflow as text', async () => {
      const { oneClick = '' } = await mails.send(session, {
        workflow: { name: '<img src=x onerror=alert(1)>$& {channel}' },
      });
      const { text } = await get(oneClick).expect(200);
      expect(text).not.toContain('<img');
      expect(text).toContain('$&amp;');
    });
  });

  describe('hostile links', () => {
    it('should be refused, and change nothing', async () => {
      const {
        oneClick = '',
        link,
        workflow,
      } = await mails.send(session, { content: '<a href="{{preferencesUrl}}">x</a>' });
      const token = oneClick.split('/').at(-1) ?? '';
      const bytes = Buffer.from(token, 'base64url');
      const flipped = (place: number): string => {
        const copy = Buffer.from(bytes);
        copy[place] = (copy[place] ?? 0) ^ 1;
        return copy.toString('base64url');
      };
      const otherKind = link('preferences').split('/').at(-1) ?? '';
      // Environment, subscriber, workflow, message, and the signature.
      const hostile = [flipped(8), flipped(35), flipped(45), flipped(60), flipped(bytes.length - 1), otherKind];
      for (const bad of [...hostile, `${token}x`, token.slice(0, -1), 'example', '%2e%2e', 'x'.repeat(2_000)]) {
        expect((await get(`/unsubscribe/${bad}`)).status).toBe(400);
        const answer = await post(`/unsubscribe/${bad}`);
        expect(answer.status).toBe(400);
        expect(answer.text).not.toContain('Ada');
      }
      expect(await channelsOf(workflow._id)).toEqual({ email: true });
    });
  });

  describe('variables of templates', () => {
    it('should be links in the content, and lose to the payload', async () => {
      const content = '<a href="{{unsubscribeUrl}}">out</a> <a href="{{preferencesUrl}}">choose</a>';
      const sent = await mails.send(session, { content });
      expect(sent.link('unsubscribe')).toBe(sent.oneClick);
      await get(sent.link('preferences')).expect(200);
      const own = await mails.send(session, { content: '{{unsubscribeUrl}}' });
      expect(own.link('unsubscribe')).toBe(own.oneClick);
    });

    it('should lack the one of critical workflows, which the trail says', async () => {
      const { transactionId } = await mails.send(session, {
        content: '{{unsubscribeUrl}}{{preferencesUrl}}',
        workflow: { critical: true },
      });
      const { jobs } = await notificationOf(session, transactionId);
      const missing = jobs
        .flatMap(({ executionDetails }) => executionDetails)
        .find(({ status }) => status === 'Warning');
      expect(JSON.parse(missing?.raw ?? '{}')).toEqual({ missing: ['unsubscribeUrl'] });
    });
  });
});

describe('without PUBLIC_URL', () => {
  const delivery = useDeliveryApi('unsubscribe_no_url');
  const session = useSession(delivery.api);

  it('should send mails without links, and say which value is missing', async () => {
    const mails = await startMailSender(delivery);
    const { raw, transactionId } = await mails.send(session, { content: '<a href="{{unsubscribeUrl}}">out</a>' });
    expect(raw).not.toMatch(/List-Unsubscribe/i);
    const { jobs } = await notificationOf(session, transactionId);
    const details = jobs.flatMap(({ executionDetails }) => executionDetails);
    expect(details.find(({ detail }) => detail === 'Template values are missing')?.raw).toContain('unsubscribeUrl');
    await mails.close();
  });
});

describe('on Express', () => {
  const delivery = useDeliveryApi('unsubscribe_express', { HTTP_PLATFORM: 'express', PUBLIC_URL });
  const session = useSession(delivery.api);

  it('should take one click, show the page and refuse what is too large', async () => {
    const mails = await startMailSender(delivery);
    const { oneClick = '' } = await mails.send(session);
    await postForm(delivery.api, oneClick, `a=${'a'.repeat(20_000)}&${ONE_CLICK}`).expect(413);
    expect((await request(delivery.api.url).get(oneClick).expect(200)).text).toContain('<h1>Unsubscribe?</h1>');
    expect((await postForm(delivery.api, oneClick, ONE_CLICK).expect(200)).text).toContain('You are unsubscribed');
    await mails.close();
  });
});
