import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { dataOf, type Json } from '../support/answers.js';
import { createWorkflow, email, messagesOf, type SentStep, smtpIntegration, trigger } from '../support/delivery.js';
import { useHerald, useSession } from '../support/herald.js';

const column = (content: string): string =>
  `<mjml><mj-body><mj-section><mj-column>${content}</mj-column></mj-section></mj-body></mjml>`;
const MAIL = column(
  '<mj-text>Hello {{subscriber.firstName}}{{#if (gt count 1)}}, {{count}} parcels{{/if}}</mj-text>' +
    '<mj-button href="https://example.com/track?n={{count}}">Track</mj-button>',
);
const to = { subscriberId: 'ann', email: 'ann@example.com', firstName: 'Ann & Bob' };

describe('a mail in MJML', () => {
  const herald = useHerald();
  const session = useSession(herald);
  let smtp: SmtpCatcher;
  beforeAll(async () => {
    smtp = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
  });
  afterAll(() => smtp.close());
  const mjml = (content: unknown, more: Json = {}): SentStep =>
    email('Parcels', MAIL, { contentType: 'mjml', content, ...more });
  const update = (id: string, step: SentStep, status: number): Promise<unknown> =>
    session
      .put(`/v1/workflows/${id}`, { steps: [step] })
      .expect(status)
      .then(({ body }) => body as unknown);
  const templateOf = async (id: string): Promise<Json> => {
    const { steps } = await dataOf<{ steps: { template: Json }[] }>(session.get(`/v1/workflows/${id}`), 200);
    return steps[0]?.template ?? {};
  };

  it('should be sent as HTML with the values of its recipient, and as text', async () => {
    await smtpIntegration(session, smtp.port);
    const { identifier } = await createWorkflow(session, [mjml(MAIL)]);
    const transactionId = await trigger(session, { name: identifier, to, payload: { count: 3 } });
    await herald.drain();
    const [mail] = smtp.mails;
    expect(mail?.html).toMatch(/^<!doctype html>/);
    expect(mail?.html).toContain('>Hello Ann &amp; Bob, 3 parcels</div>');
    expect(mail?.html).toContain('href="https://example.com/track?n=3"');
    expect(mail?.html).not.toContain('mj-text');
    expect(mail?.text).toContain('Hello Ann & Bob, 3 parcels');
    const [message] = await messagesOf(session, transactionId);
    expect(message).toMatchObject({ status: 'sent', content: expect.stringContaining('3 parcels') as string });
  });

  it('should be refused with a reason when it is saved, and leave what was', async () => {
    const { _id } = await createWorkflow(session, [mjml(MAIL)]);
    const faultsOf = async (content: unknown): Promise<string> => JSON.stringify(await update(_id, mjml(content), 400));
    expect(await faultsOf('Hello')).toContain('steps.0.template.content is not MJML: it is no XML');
    expect(await faultsOf(column('<mj-foo/>'))).toContain('MJML has no <mj-foo>');
    expect(await faultsOf(`${MAIL}{{#if}}`)).toContain('steps.0.template.content');
    expect(await faultsOf([{ type: 'text', content: 'a' }])).toContain('because contentType is mjml');
    expect(JSON.stringify(await update(_id, mjml(' '), 422))).toContain('it is the MJML of the mail');
    expect(await templateOf(_id)).toMatchObject({ content: MAIL, contentType: 'mjml' });
    const variant = {
      ...mjml('<mjml>'),
      filters: [{ value: 'AND', children: [{ on: 'payload', field: 'a', operator: 'EQUAL', value: '1' }] }],
    };
    const withVariant = { ...mjml(MAIL), variants: [variant] };
    const refused = JSON.stringify(await update(_id, withVariant, 400));
    expect(refused).toContain('steps.0.variants.0.template.content is not MJML: an element is not closed');
  });

  it('should take no layout, also not the default one', async () => {
    const layout = { name: 'Frame', identifier: 'frame', content: '<b>{{{body}}}</b>', isDefault: true };
    const { _id: layoutId } = await dataOf<{ _id: string }>(session.post('/v1/layouts', layout), 201);
    const { _id, steps } = await createWorkflow(session, [email('Parcels', '<p>a</p>')]);
    expect(await templateOf(_id)).toMatchObject({ _layoutId: layoutId });
    const uuid = steps[0]?.uuid;
    const refused = JSON.stringify(await update(_id, { ...mjml(MAIL, { layoutId }), uuid }, 422));
    expect(refused).toContain('steps.0.template.layoutId must be absent');
    await update(_id, { ...mjml(MAIL), uuid }, 200);
    expect((await templateOf(_id))['_layoutId'] ?? undefined).toBeUndefined();
    const fresh = await createWorkflow(session, [mjml(MAIL)]);
    expect((await templateOf(fresh._id))['_layoutId'] ?? undefined).toBeUndefined();
  });

  it('should be shown by a preview, with its faults', async () => {
    const { identifier } = await createWorkflow(session, [mjml(MAIL)]);
    const show = (content: string): Promise<Json> =>
      dataOf(
        session.post(`/v1/workflows/${identifier}/steps/preview`, { step: mjml(content), payload: { count: 2 } }),
        200,
      );
    expect(await show(MAIL)).toMatchObject({
      content: expect.stringContaining('2 parcels</div>') as string,
      faults: [],
    });
    expect((await show('<mjml>'))['faults']).toEqual([
      expect.objectContaining({
        path: 'content',
        message: expect.stringContaining('an element is not closed') as string,
      }),
    ]);
  });
});
