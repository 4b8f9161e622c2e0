import request from 'supertest';
import { clientOf } from '../support/client.js';
import { createWorkflow, email, inApp, notificationOf } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { eventually } from '../support/eventually.js';
import { HtmlForm } from '../support/html-form.js';
import { ADA, type MailSender, postForm, PUBLIC_URL, startMailSender } from '../support/recipient-links.js';
import { useSession } from '../support/test-api.js';
import { createReceiver } from '../support/webhook-receiver.js';

const CONTENT = '<a href="{{preferencesUrl}}">Settings</a>';

describe('the preference page', () => {
  const delivery = useDeliveryApi('preference_page', { PUBLIC_URL });
  const session = useSession(delivery.api);
  let mails: MailSender;
  beforeAll(async () => {
    mails = await startMailSender(delivery);
  });
  afterAll(() => mails.close());

  const sms = { template: { type: 'sms', content: 'Hi' } };
  const pageAt = async (path: string): Promise<string> => (await request(delivery.api.url).get(path).expect(200)).text;
  const save = (path: string, form: HtmlForm, button?: [string, string]): request.Test =>
    postForm(delivery.api, path, form.body(button));
  const open = async (to: Record<string, unknown> & { subscriberId: string } = ADA) => {
    const sent = await mails.send(session, { content: CONTENT, to });
    return { path: sent.link('preferences'), ...sent };
  };
  const preferences = async (workflowId: string): Promise<Record<string, boolean> | undefined> => {
    const all = await clientOf(session).preferences.listPreferences({ path: { subscriberId: 'ada' }, query: {} });
    return all.find(({ template }) => template._id === workflowId)?.preference.channels;
  };

  it('should show what reaches the subscriber, by tag, without a script', async () => {
    const { path, workflow } = await open();
    const orders = await createWorkflow(session, [email('a', 'b'), sms], { name: 'Orders & returns', tags: ['Shop'] });
    const security = await createWorkflow(session, [email('a', 'b')], {
      name: 'Sign-in',
      tags: ['Account'],
      critical: true,
    });
    await createWorkflow(session, [email('a', 'b')], { name: 'Switched off', active: false });
    const html = await pageAt(path);
    const form = HtmlForm.of(html);
    expect([...html.matchAll(/<h3[^>]*>([^<]+)/g)].map(([, title]) => title)).toEqual(['Account', 'Shop', 'Other']);
    expect(html).toContain('<legend>Orders &amp; returns</legend>');
    expect(html).not.toContain('Switched off');
    expect(form.isChecked(`workflow.${orders._id}`, 'sms')).toBe(true);
    expect(form.isChecked(`workflow.${workflow._id}`, 'sms')).toBeUndefined();
    expect(form.isChecked(`workflow.${security._id}`, 'email')).toBeUndefined();
    expect(html).toContain('Always sent');
    expect(html).not.toMatch(/<script|javascript:|https?:|ada@example/i);
  });

  it('should show groups that have an order or a description, before tags, and no hidden workflow', async () => {
    const { path, workflow } = await open();
    const groupOf = async (name: string, more: object): Promise<string> =>
      (await clientOf(session).notificationGroups.createNotificationGroup({ body: { name, ...more } }))._id;
    const inGroup = async (name: string, notificationGroupId: string, more: object = {}) =>
      createWorkflow(session, [email('a', 'b')], { name, notificationGroupId, ...more });
    const product = await groupOf('Product', { order: 2 });
    const billing = await groupOf('Billing', { order: 1, description: 'Invoices & payments' });
    const tips = await inGroup('Tips', product, { tags: ['News'] });
    const invoices = await inGroup('Invoices', billing);
    await inGroup('Digest', await groupOf('Aaa', {}), { tags: ['News'] });
    const hidden = await inGroup('Password', billing, { hidden: true });
    const html = await pageAt(path);
    const read = /<(?:h3|legend)[^>]*>([^<]+)|<p class="hint">(Inv[^<]+)/g;
    const headings = [...html.matchAll(read)].map((one) => one[1] ?? one[2]);
    expect(headings).toEqual([
      'Billing',
      'Invoices &amp; payments',
      'Invoices',
      'Product',
      'Tips',
      'News',
      'Digest',
      'Other',
      expect.stringMatching(/^Workflow/) as string,
    ]);
    // What was moved since the page was shown changes nothing of what its button means.
    await clientOf(session).notificationGroups.updateNotificationGroup({
      path: { groupId: billing },
      body: { name: 'Billing', order: 9 },
    });
    const form = HtmlForm.of(html);
    const forged = new URLSearchParams(form.body(['category', billing]));
    forged.append(`was.workflow.${hidden._id}`, 'email:1');
    await postForm(delivery.api, path, forged.toString()).expect(200);
    expect(await preferences(invoices._id)).toEqual({ email: false });
    expect(await preferences(tips._id)).toEqual({ email: true });
    expect(await preferences(workflow._id)).toEqual({ email: true });
    await clientOf(session).workflows.updateWorkflow({ path: { workflowId: hidden._id }, body: { hidden: false } });
    expect(await preferences(hidden._id)).toEqual({ email: true });
  });

  it('should save what was changed, tell webhooks and the trail, and say so', async () => {
    const { path, workflow, transactionId } = await open();
    const orders = await createWorkflow(session, [email('a', 'b'), sms, inApp('c')], { tags: ['Shop'] });
    const hook = await createReceiver(session, ['preference.changed']);
    const form = HtmlForm.of(await pageAt(path));
    form.check(`workflow.${workflow._id}`, 'email', false).check(`workflow.${orders._id}`, 'sms', false);
    form.check('channel', 'in_app', false);
    for (let time = 0; time < 2; time++) {
      const { text } = await save(path, form).expect(200);
      expect(text).toContain('<p class="notice" role="status">Your settings are saved.</p>');
    }
    expect(await preferences(workflow._id)).toEqual({ email: false });
    expect(await preferences(orders._id)).toEqual({ email: true, sms: false, in_app: true });
    const [global] = await clientOf(session).preferences.listPreferencesOfLevel({
      path: { subscriberId: 'ada', levelOrWorkflowId: 'global' },
      query: {},
    });
    expect(global).toMatchObject({ preference: { enabled: true, channels: { in_app: false, email: true } } });
    await delivery.drain();
    await eventually(() => expect(hook.server.requests).toHaveLength(3));
    const told = hook.server.requests.map(({ body }) => JSON.parse(body.toString()) as { data: object });
    expect(told.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ workflowId: orders._id, channel: 'sms', enabled: false, via: 'page' }),
        expect.objectContaining({ workflowId: workflow._id, channel: 'email', enabled: false }),
        expect.objectContaining({ channel: 'in_app', enabled: false }),
      ]),
    );
    const { jobs } = await notificationOf(session, transactionId);
    const details = jobs.flatMap(({ executionDetails }) => executionDetails).map(({ detail }) => detail);
    expect(details.filter((detail) => detail.startsWith('Recipient unsubscribed'))).toHaveLength(3);
    await hook.server.close();
  });

  it('should keep what others changed while the page was open', async () => {
    const { path, workflow } = await open();
    const other = await createWorkflow(session, [email('a', 'b')]);
    const form = HtmlForm.of(await pageAt(path));
    await clientOf(session).preferences.updateWorkflowPreference({
      path: { subscriberId: 'ada', levelOrWorkflowId: other._id },
      body: { channel: { type: 'email', enabled: false } },
    });
    await save(path, form.check(`workflow.${workflow._id}`, 'email', false)).expect(200);
    expect(await preferences(other._id)).toEqual({ email: false });
    expect(await preferences(workflow._id)).toEqual({ email: false });
  });

  it('should switch a whole category off by its button', async () => {
    const { path, workflow } = await open();
    const first = await createWorkflow(session, [email('a', 'b'), sms], { tags: ['News', 'Other tag'] });
    const second = await createWorkflow(session, [email('a', 'b')], { tags: ['News'] });
    const html = await pageAt(path);
    const [, value = ''] = /News<\/h3><button[^>]* value="([^"]*)"/.exec(html) ?? [];
    await save(path, HtmlForm.of(html), ['category', value]).expect(200);
    expect(await preferences(first._id)).toEqual({ email: false, sms: false });
    expect(await preferences(second._id)).toEqual({ email: false });
    expect(await preferences(workflow._id)).toEqual({ email: true });
  });

  it('should save when Enter is pressed in a field, which presses the first button', async () => {
    const { path } = await open();
    await createWorkflow(session, [email('a', 'b')], { tags: ['News'] });
    const buttons = [...(await pageAt(path)).matchAll(/<button[^>]*>/g)].map(([tag]) => tag);
    expect(buttons.some((tag) => tag.includes('name="category"'))).toBe(true);
    expect(buttons[0]).not.toContain('name=');
  });

  it('should leave only what is always sent by a button, which is there if something is', async () => {
    const { path, workflow } = await open();
    expect(await pageAt(path)).not.toContain('Only what is important');
    const account = await createWorkflow(session, [email('a', 'b')], { tags: ['Account'], critical: true });
    const news = await createWorkflow(session, [email('a', 'b'), sms], { tags: ['News'] });
    const html = await pageAt(path);
    const [, value = ''] = /name="category" value="(\w+)"[^>]*>Only what is important/.exec(html) ?? [];
    await save(path, HtmlForm.of(html), ['category', value]).expect(200);
    expect(await preferences(workflow._id)).toEqual({ email: false });
    expect(await preferences(news._id)).toEqual({ email: false, sms: false });
    expect(await preferences(account._id)).toEqual({ email: true });
  });

  it('should switch one channel on again without the others, after everything was off', async () => {
    const { path } = await open();
    const orders = await createWorkflow(session, [email('a', 'b'), sms]);
    const client = clientOf(session).preferences;
    await client.updateWorkflowPreference({
      path: { subscriberId: 'ada', levelOrWorkflowId: orders._id },
      body: { enabled: false },
    });
    await client.updateGlobalPreference({ path: { subscriberId: 'ada' }, body: { enabled: false } });
    const form = HtmlForm.of(await pageAt(path));
    expect(form.isChecked(`workflow.${orders._id}`, 'sms')).toBe(false);
    expect(form.isChecked('channel', 'email')).toBe(false);
    await save(path, form.check(`workflow.${orders._id}`, 'sms', true).check('channel', 'sms', true)).expect(200);
    expect(await preferences(orders._id)).toEqual({ email: false, sms: true });
    const after = HtmlForm.of(await pageAt(path));
    expect(after.isChecked('channel', 'email')).toBe(false);
    expect(after.isChecked('channel', 'sms')).toBe(true);
    expect(after.isChecked(`workflow.${orders._id}`, 'sms')).toBe(true);
  });

  it('should keep hours, language and time zone', async () => {
    const { path } = await open({ ...ADA, locale: 'en-GB' });
    const form = HtmlForm.of(await pageAt(path));
    expect(form.valueOf('locale')).toBe('en-GB');
    expect(form.isChecked('schedule', 'on')).toBe(false);
    form.check('schedule', 'on', true).check('day.saturday', 'on', true);
    form.fill('start.monday', '09:00').fill('end.monday', '17:30').fill('start.tuesday', '13:15');
    form.fill('locale', 'de').fill('timezone', 'Asia/Tokyo');
    const { text } = await save(path, form).expect(200);
    expect(text).toContain('<html lang="de" dir="ltr">');
    expect(text).toContain('Ihre Einstellungen sind gespeichert.');
    expect(await clientOf(session).subscribers.getSubscriber({ path: { subscriberId: 'ada' } })).toMatchObject({
      locale: 'de',
      timezone: 'Asia/Tokyo',
    });
    const [stored] = await delivery.rows('preferences', { schedule: { $exists: true } });
    expect(stored?.['schedule']).toMatchObject({
      isEnabled: true,
      weeklySchedule: {
        monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:30 PM' }] },
        tuesday: { isEnabled: true, hours: [{ start: '01:15 PM', end: '11:59 PM' }] },
        wednesday: { isEnabled: true },
        saturday: { isEnabled: true },
        sunday: { isEnabled: false },
      },
    });
    const again = HtmlForm.of(text);
    expect(again.valueOf('start.monday')).toBe('09:00');
    expect(again.valueOf('end.monday')).toBe('17:30');
  });

  it('should write no schedule when nothing of it was changed', async () => {
    const { path, workflow } = await open();
    const form = HtmlForm.of(await pageAt(path));
    await save(path, form.check(`workflow.${workflow._id}`, 'email', false)).expect(200);
    const { _id } = await clientOf(session).subscribers.getSubscriber({ path: { subscriberId: 'ada' } });
    const rows = await delivery.rows('preferences');
    const own = rows.filter(({ _subscriberId }) => String(_subscriberId) === _id);
    expect(own.map((row) => Object.hasOwn(row, 'schedule'))).toEqual([false]);
  });

  it('should carry name, logo and color of the tenant that the message was for, and their absence when it is gone', async () => {
    await session
      .put('/v1/organizations/branding', { logo: 'https://cdn.example/own.png', color: '#0b7a5f' })
      .expect(200);
    const branding = { logo: 'https://acme.example/logo.png', color: '#123456' };
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme & Sons', data: { branding } }).expect(201);
    const sent = await mails.send(session, { content: CONTENT, tenant: 'acme' });
    for (const path of [sent.link('preferences'), sent.oneClick ?? '']) {
      const answer = await request(delivery.api.url).get(path).expect(200);
      expect(answer.text).toContain('<img class="logo" src="https://acme.example/logo.png" alt="">');
      expect(answer.text).toContain('<p class="name">Acme &amp; Sons</p>');
      expect(answer.text).toContain('--brand:#123456');
      expect(answer.headers['content-security-policy']).toContain('img-src https://acme.example;');
    }
    // The page behind the link of another page, too.
    const [, next = ''] = /href="\.\.(\/preferences\/[\w-]+)"/.exec(await pageAt(sent.oneClick ?? '')) ?? [];
    expect(await pageAt(next)).toContain('Acme &amp; Sons');
    await session
      .patch('/v1/tenants/acme', { data: { branding: { logo: 'javascript:alert(1)', color: 'red;}' } } })
      .expect(200);
    expect(await pageAt(sent.link('preferences'))).not.toMatch(/javascript:|red;|acme\.example/);
    await session.delete('/v1/tenants/acme').expect(204);
    const after = await pageAt(sent.link('preferences'));
    expect(after).toContain('https://cdn.example/own.png');
    expect(after).not.toContain('Acme');
  });

  it('should carry the branding of the environment', async () => {
    const logo = 'https://cdn.example/logo.png';
    await session.put('/v1/organizations/branding', { logo, color: '#0b7a5f' }).expect(200);
    const { path } = await open();
    const { headers, text } = await request(delivery.api.url).get(path).expect(200);
    expect(text).toContain(`<img class="logo" src="${logo}" alt="">`);
    expect(text).toContain('--brand:#0b7a5f');
    expect(headers['content-security-policy']).toContain('img-src https://cdn.example;');
  });

  it.each([
    ['a time', 'start.monday', '25:00'],
    ['a language', 'locale', 'tlh'],
    ['a time zone', 'timezone', 'Mars/Olympus'],
  ])('should refuse %s that the page does not offer, and change nothing', async (_what, field, value) => {
    const { path, workflow } = await open();
    const form = HtmlForm.of(await pageAt(path)).check(`workflow.${workflow._id}`, 'email', false);
    const { text } = await save(path, form.fill(field, value)).expect(400);
    expect(text).toContain('Nothing was changed');
    expect(await preferences(workflow._id)).toEqual({ email: true });
  });

  it('should leave workflows alone that are not the caller’s, and those that are critical', async () => {
    const { path, workflow } = await open();
    const critical = await createWorkflow(session, [email('a', 'b')], { critical: true });
    const form = HtmlForm.of(await pageAt(path));
    const unknown = '64f0c1a2b3c4d5e6f7a8b9c0';
    const body = `${form.body()}&was.workflow.${unknown}=email:1&was.workflow.${critical._id}=email:1&was.workflow.__proto__=email:1`;
    await postForm(delivery.api, path, body).expect(200);
    expect(await preferences(critical._id)).toEqual({ email: true });
    expect(await preferences(workflow._id)).toEqual({ email: true });
  });

  it('should refuse forged links and large forms', async () => {
    const { path, oneClick = '' } = await open();
    await request(delivery.api.url).get(`${path}x`).expect(400);
    await postForm(
      delivery.api,
      path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      'a=b',
    ).expect(400);
    // A link that unsubscribes from one workflow does not open the page by itself.
    await request(delivery.api.url).get(oneClick.replace('unsubscribe', 'preferences')).expect(400);
    await postForm(delivery.api, path, 'a'.repeat(300_000)).expect(413);
  });
});
