import { createWorkflow, inApp } from '../support/delivery.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { useHerald, useSession } from '../support/herald.js';

const herald = useHerald();
const session = useSession(herald);

interface Preview extends Json {
  faults: { path?: string; message: string; line?: number; column?: number }[];
}

async function pathOf(): Promise<string> {
  const { identifier } = await createWorkflow(session, [inApp('Stored')]);
  return `/v1/workflows/${identifier}/steps/preview`;
}

describe('POST /v1/workflows/:workflowId/steps/preview', () => {
  it('should render each channel as a stored step would be', async () => {
    const path = await pathOf();
    const show = (template: Json, more: Json = {}): Promise<Preview> =>
      dataOf(session.post(path, { step: { template }, payload: { order: 7, url: '/7' }, ...more }), 200);
    const mail = { type: 'email', subject: 'Order {{order}}', contentType: 'customHtml', content: '<p>{{order}}</p>' };
    expect(await show(mail)).toMatchObject({ type: 'email', subject: 'Order 7', text: '7', faults: [], missing: [] });
    const blocks = [
      { type: 'text', content: 'Order {{order}}' },
      { type: 'button', content: 'Open', url: 'https://shop.example{{url}}' },
    ];
    const built = await show({ type: 'email', subject: 'S', contentType: 'editor', content: blocks });
    expect(built['content']).toContain('href="https://shop.example/7"');
    const cta = { type: 'redirect', data: { url: '{{url}}' } };
    expect(await show({ type: 'in_app', content: 'Hi {{subscriber.firstName}}', cta })).toMatchObject({
      content: 'Hi Ada',
      cta: { data: { url: '/7' } },
    });
    expect(await show({ type: 'sms', content: '{{step.total_count}}' }, { events: [{}, {}] })).toMatchObject({
      content: '2',
    });
  });

  it('should show faults of templates at their place, and refuse other faults', async () => {
    const path = await pathOf();
    const broken = {
      template: { type: 'email', subject: 'S', contentType: 'customHtml', content: '<p>\n {{#if a}}</p>' },
    };
    const { faults } = await dataOf<Preview>(session.post(path, { step: broken }), 200);
    expect(faults).toEqual([expect.objectContaining({ path: 'content', line: 2 })]);
    const refused = await session.post(path, { step: { template: { type: 'email', content: 5 } } }).expect(400);
    expect(faultsOf(refused)).toEqual(['step.template.content must be a string or an array of blocks']);
    await session.post(path, {}).expect(400);
    await session.post(path, { step: null }).expect(400);
    const layoutId = UNKNOWN_ID;
    await session.post(path, { step: { template: { type: 'email', content: 'x', layoutId } } }).expect(400);
  });

  it('should say when a delay or a digest would end', async () => {
    const path = await pathOf();
    const step = { template: { type: 'delay' }, metadata: { type: 'regular', amount: 2, unit: 'days' } };
    expect(await dataOf<Preview>(session.post(path, { step }), 200)).toMatchObject({ until: expect.any(String) });
    const refused = await session.post(path, { step: { ...step, metadata: { type: 'regular' } } }).expect(400);
    expect(faultsOf(refused)[0]).toMatch(/^step\.metadata\.amount/);
  });

  it('should say what a throttle misses in the payload', async () => {
    const path = await pathOf();
    const step = { template: { type: 'throttle' }, metadata: { type: 'dynamic', dynamicKey: 'mutedUntil' } };
    const { faults } = await dataOf<Preview>(session.post(path, { step }), 200);
    expect(faults).toEqual([{ message: expect.stringContaining('no value at "mutedUntil"') }]);
    const payload = { mutedUntil: { amount: 2, unit: 'hours' } };
    expect(await dataOf<Preview>(session.post(path, { step, payload }), 200)).toMatchObject({
      faults: [],
      until: expect.any(String),
    });
  });

  it('should render a step without content as empty, and store nothing', async () => {
    const path = await pathOf();
    expect(await dataOf<Preview>(session.post(path, { step: { template: { type: 'sms' } } }), 200)).toMatchObject({
      type: 'sms',
    });
    const workflow = dataOf<{ steps: Json[] }>(await session.get(path.replace('/steps/preview', '')).expect(200));
    expect(workflow.steps).toHaveLength(1);
    await session.post('/v1/workflows/none/steps/preview', { step: { template: { type: 'sms' } } }).expect(404);
  });
});
