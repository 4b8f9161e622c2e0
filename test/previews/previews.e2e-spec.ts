import type { TestSession } from '../harness/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, delay, digest, email, feedOf, inApp, trigger, type SentStep } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const delivery = useDelivery();
const session = useSession(delivery);

interface Preview extends Json {
  content?: string;
  faults: { path?: string; message: string; line?: number; column?: number }[];
}

const pathOf = ({ identifier, steps }: Awaited<ReturnType<typeof createWorkflow>>, place = 0): string =>
  `/v1/workflows/${identifier}/steps/${steps[place]?._id ?? ''}/preview`;

async function preview(step: SentStep, body: Json = {}, by: TestSession = session): Promise<Preview> {
  const workflow = await createWorkflow(session, [step]);
  return dataOf<Preview>(by.post(pathOf(workflow), body), 200);
}

const ADA = { subscriberId: 'ada', firstName: 'Ada & Co', email: 'ada@example.com' };

describe('POST /v1/workflows/:workflowId/steps/:stepId/preview', () => {
  it('should render an email with its layout as it would be sent', async () => {
    const layout = await dataOf<{ _id: string }>(
      session.post('/v1/layouts', { name: 'Frame', identifier: 'frame', content: '<main>{{{body}}}</main>' }),
      201,
    );
    const step = email('Order {{order}}', '<p>Hello {{subscriber.firstName}}</p>', {
      preheader: 'Soon',
      senderName: 'Shop of {{tenant.name}}',
      layoutId: layout._id,
    });
    const shown = await preview(step, {
      payload: { order: 7 },
      subscriber: ADA,
      tenant: { identifier: 'acme', name: 'Acme' },
    });
    expect(shown).toMatchObject({
      type: 'email',
      subject: 'Order 7',
      preheader: 'Soon',
      senderName: 'Shop of Acme',
      faults: [],
      missing: [],
    });
    expect(shown.content).toContain('<main><p>Hello Ada &amp; Co</p></main>');
    expect(shown.content).toContain('display:none');
    expect(shown['text']).toBe('Hello Ada & Co');
  });

  it('should warn of what is likely to be wrong with a mail, and of nothing else', async () => {
    const blocks = [
      { type: 'heading', content: 'Hello' },
      { type: 'text', content: '<img src="https://example.com/a.png"><span style="color:#aaaaaa">x</span>' },
      { type: 'button', content: 'Open', url: 'https://' },
      { type: 'button', content: 'Buy' },
      { type: 'image', content: '', url: 'https://example.com/b.png' },
      { type: 'footer', content: 'Company Ltd' },
    ];
    const step = email('Hello', '');
    const shown = await preview(
      { ...step, template: { ...step.template, contentType: 'editor', content: blocks } },
      {},
    );
    expect((shown['warnings'] as Json[]).map(({ code, message }) => [code, message])).toEqual([
      ['link_without_target', 'The button "Buy" leads nowhere.'],
      [
        'image_without_alt',
        'The image https://example.com/a.png has no alternative text, which readers without images see.',
      ],
      ['low_contrast', 'Text in #aaaaaa on #ffffff is hard to read: its contrast is 2.3, and should be 4.5.'],
      ['link_without_target', 'A link leads nowhere: its address is "https://".'],
    ]);
    const long = await preview(email('Hello', `<p>${'x'.repeat(110_000)}</p>`), {});
    expect(long['warnings']).toMatchObject([{ code: 'too_large' }]);
    expect((await preview(email('Hello', '<p>Hello</p>'), {}))['warnings']).toEqual([]);
    expect((await preview(inApp('<a>x</a>'), {}))['warnings']).toEqual([]);
    const wrong = {
      ...step.template,
      contentType: 'editor',
      content: [{ type: 'button', content: 'x', styles: { color: 'red;' } }],
    };
    const refused = await session.post('/v1/workflows', { name: 'Red', steps: [{ template: wrong }] }).expect(400);
    expect(faultsOf(refused)).toEqual(['steps.0.template.content.0.styles.color must be a color such as #0b5fff']);
  });

  it('should not render an expression that takes long to read, and name its place', async () => {
    const content = `Hello\n{{a${'.a'.repeat(100_000)}}}`;
    const shown = await preview(inApp('x'), { template: { content } });
    expect(shown.content).toBeUndefined();
    expect(shown.faults).toEqual([
      { path: 'content', line: 2, message: expect.stringContaining('at most 2000 characters') as string },
    ]);
    const refused = await session.post('/v1/workflows', { name: 'Long', steps: [inApp(content)] }).expect(400);
    expect(faultsOf(refused)).toEqual([expect.stringContaining('steps.0.template.content is not a valid template: ')]);
  });

  it('should deliver what was stored before expressions had a limit', async () => {
    const long = `{{order${'.a'.repeat(150)}}}`;
    const workflow = await createWorkflow(session, [inApp('Order {{order.id}}')]);
    const { modifiedCount } = await delivery
      .stored('workflows')
      .updateOne(
        { identifier: workflow.identifier },
        { $set: { 'steps.0.template.content': `Order {{order.id}}${long}` } },
      );
    expect(modifiedCount).toBe(1);
    await trigger(session, { name: workflow.identifier, to: 'ada', payload: { order: { id: 7 } } });
    await delivery.drain();
    expect(await feedOf(session, 'ada')).toMatchObject([{ content: 'Order 7' }]);
  });

  it('should render the other channels', async () => {
    const body = { payload: { order: 7 }, subscriber: ADA };
    expect(await preview({ template: { type: 'sms', content: 'Order {{order}} & more' } }, body)).toMatchObject({
      content: 'Order 7 & more',
    });
    expect(await preview({ template: { type: 'chat', content: '{{subscriber.firstName}}' } }, body)).toMatchObject({
      content: 'Ada & Co',
    });
    expect(
      await preview({ template: { type: 'push', title: 'Order {{order}}', content: 'Here' } }, body),
    ).toMatchObject({ title: 'Order 7', content: 'Here' });
  });

  it('should render call to action and title of in-app messages, and remove links that could run code', async () => {
    const step = {
      template: {
        type: 'in_app',
        title: 'Order {{order}}',
        content: '<b>{{name}}</b>',
        cta: {
          type: 'redirect',
          data: { url: '/orders/{{order}}' },
          action: { buttons: [{ type: 'primary', content: 'Open {{order}}', url: '{{link}}' }] },
        },
      },
    };
    const payload = { order: 7, name: '<script>', link: 'javascript:alert(1)' };
    expect(await preview(step, { payload })).toMatchObject({
      title: 'Order 7',
      content: '<b>&lt;script&gt;</b>',
      cta: {
        data: { url: '/orders/7' },
        action: { buttons: [{ content: 'Open 7', url: '' }] },
      },
      removedLinks: ['cta.action.buttons.0.url'],
    });
  });

  it('should name missing values', async () => {
    const shown = await preview(inApp('{{order.total}} for {{subscriber.nickname}}'), {});
    expect(shown['missing']).toEqual(['order.total', 'subscriber.nickname']);
  });

  it('should show faults of a draft with text, line and column, and store nothing of it', async () => {
    const workflow = await createWorkflow(session, [email('Stored', '<p>Stored</p>')]);
    const template = { subject: '{{/if}}', content: '<p>\n{{#if a}}\n{{/each}}' };
    const shown = await dataOf<Preview>(session.post(pathOf(workflow), { template }), 200);
    expect(shown.content).toBeUndefined();
    expect(shown.faults).toEqual([
      { path: 'subject', message: expect.stringContaining('closed') as string, line: 1 },
      { path: 'content', message: expect.stringContaining('"if" is closed as "each"') as string, line: 2, column: 4 },
    ]);
    expect(await dataOf<Preview>(session.post(pathOf(workflow), {}), 200)).toMatchObject({
      subject: 'Stored',
      faults: [],
    });
  });

  it('should name the text that cannot be rendered with the data', async () => {
    const title = '{{#each list}}{{#each ../list}}ten letters{{/each}}{{/each}}';
    const step = { template: { type: 'in_app', title, content: 'Hello' } };
    const { content, faults } = await preview(step, { payload: { list: Array.from({ length: 2_000 }, () => 1) } });
    expect(content).toBeUndefined();
    expect(faults).toEqual([{ path: 'title', message: expect.any(String) as string }]);
  });

  it('should say that a text message is empty', async () => {
    const shown = await preview({ template: { type: 'sms', content: '{{nothing}}' } });
    expect(shown.faults).toEqual([{ message: 'the text message is empty' }]);
    expect(shown['missing']).toEqual(['nothing']);
  });

  it('should render steps after a digest with the events of the request, or with the payload', async () => {
    const workflow = await createWorkflow(session, [
      digest(),
      inApp('{{step.total_count}}: {{#each step.events}}{{n}} {{/each}}'),
    ]);
    const path = pathOf(workflow, 1);
    expect(await dataOf<Preview>(session.post(path, { events: [{ n: 1 }, { n: 2 }] }), 200)).toMatchObject({
      content: '2: 1 2 ',
      digest: { total_count: 2, events: [{ n: 1 }, { n: 2 }] },
    });
    expect(await dataOf<Preview>(session.post(path, { payload: { n: 5 } }), 200)).toMatchObject({ content: '1: 5 ' });
  });

  it('should say when a digest or a delay would end', async () => {
    const inFiveMinutes = new Date(delivery.clock.now().getTime() + 300_000).toISOString();
    expect(await preview(digest(), { payload: { n: 1 } })).toMatchObject({
      until: inFiveMinutes,
      digest: { total_count: 1 },
    });
    expect(await preview(delay())).toMatchObject({ until: inFiveMinutes });
    const scheduled = delay({ type: 'scheduled', delayPath: 'sendAt' });
    expect((await preview(scheduled, { payload: { sendAt: 'soon' } })).faults).toHaveLength(1);
  });

  it('should render a variant', async () => {
    const variant = {
      ...inApp('Gold'),
      filters: [{ value: 'AND', children: [{ on: 'payload', field: 'a', operator: 'IS_DEFINED' }] }],
    };
    const workflow = await createWorkflow(session, [inApp('Plain', { variants: [variant] })]);
    const { variants } = workflow.steps[0] as unknown as { variants: { _id: string }[] };
    const variantId = variants[0]?._id;
    expect(await dataOf<Preview>(session.post(pathOf(workflow), { variantId }), 200)).toMatchObject({
      content: 'Gold',
    });
    expect(await dataOf<Preview>(session.post(pathOf(workflow), {}), 200)).toMatchObject({ content: 'Plain' });
    await session.post(pathOf(workflow), { variantId: '64f0c1a2b3c4d5e6f7a8b9c0' }).expect(404);
  });

  it('should render for a stored subscriber, also of an inactive step of an inactive workflow', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ada', firstName: 'Stored', lastName: 'Name' }).expect(201);
    const workflow = await createWorkflow(
      session,
      [inApp('{{subscriber.firstName}} {{subscriber.lastName}}', { active: false })],
      {
        active: false,
      },
    );
    const shown = async (subscriber: unknown): Promise<unknown> =>
      (await dataOf<Preview>(session.post(pathOf(workflow), { subscriber }), 200)).content;
    expect(await shown('ada')).toBe('Stored Name');
    expect(await shown({ subscriberId: 'ada', firstName: 'Given' })).toBe('Given Name');
    expect(await shown({ subscriberId: 'new', firstName: 'New' })).toBe('New ');
    expect((await session.get('/v1/subscribers/new')).status).toBe(404);
    expect((await session.get('/v1/subscribers/ada')).body).toMatchObject({ data: { firstName: 'Stored' } });
  });

  it('should find the step by uuid and by its own identifier as well', async () => {
    const { _id, steps } = await createWorkflow(session, [inApp('Hello', { stepId: 'greeting' })]);
    for (const step of ['greeting', steps[0]?.uuid ?? '']) {
      await session.post(`/v1/workflows/${_id}/steps/${step}/preview`, {}).expect(200);
    }
  });

  it('should be refused for what does not exist in the environment, and for faulty input', async () => {
    const workflow = await createWorkflow(session, [inApp('Hello')]);
    const path = pathOf(workflow);
    const codeOf = async (call: ReturnType<TestSession['post']>): Promise<unknown> => {
      const { status, body } = await call;
      return [status, (body as { code: string }).code];
    };
    expect(await codeOf(session.post('/v1/workflows/unknown/steps/x/preview', {}))).toEqual([
      404,
      'workflow_not_found',
    ]);
    expect(await codeOf(session.post(`/v1/workflows/${workflow._id}/steps/x/preview`, {}))).toEqual([
      404,
      'step_not_found',
    ]);
    expect(await codeOf(session.post(path, { subscriber: 'unknown' }))).toEqual([404, 'subscriber_not_found']);
    expect(await codeOf(session.post(path, { tenant: 'unknown' }))).toEqual([404, 'tenant_not_found']);
    const faults = await faultsOf(
      session.post(path, { payload: [], subscriber: {}, events: [1], template: { subject: 5, contentType: 'x' } }),
    );
    for (const field of ['payload', 'subscriber', 'events.0', 'template.subject', 'template.contentType']) {
      expect(faults).toContainEqual(expect.stringMatching(new RegExp(`^${field}`)));
    }
    const [sibling] = await delivery.siblings();
    if (sibling) await sibling.post(path, {}).expect(404);
  });
});
