import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, email, messagesOf, type SentStep, smtpIntegration, trigger } from '../support/delivery.js';
import { useDelivery, useSession } from '../support/herald.js';

const delivery = useDelivery();
const session = useSession(delivery);
let smtp: SmtpCatcher;

beforeAll(async () => {
  smtp = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
});
afterAll(() => smtp.close());

const mail = (content: readonly Json[]): SentStep => email('Your order', '', { contentType: 'editor', content });

const RECEIPT = [
  { type: 'heading', content: 'Thank you, {{subscriber.firstName}}' },
  { type: 'product', content: '{{item.name}}', price: '{{item.price}}', each: 'order.items' },
  { type: 'text', content: 'You save {{order.discount}}', showIf: 'order.discount' },
  {
    type: 'columns',
    content: '',
    columns: [
      { blocks: [{ type: 'text', content: 'To {{order.city}}' }] },
      { blocks: [{ type: 'button', content: 'Follow it', url: 'https://shop.example/{{order.id}}' }] },
    ],
  },
  { type: 'social', content: '', links: [{ text: 'Mastodon', url: 'https://mastodon.example/@shop' }] },
];
const order = { id: 7, city: 'Kiel', items: [{ name: 'Lamp', price: '€ 20' }, { name: 'Chair' }] };

describe('mails of blocks', () => {
  it('should arrive with rows, columns and links, in the plain text as well', async () => {
    await smtpIntegration(session, smtp.port);
    const workflow = await createWorkflow(session, [mail(RECEIPT)]);
    const to = { subscriberId: 'ada', email: 'ada@example.com', firstName: 'Ada' };
    const transactionId = await trigger(session, { name: workflow.identifier, to, payload: { order } });
    await delivery.drain();
    const { html, text } = smtp.mails[0] ?? {};
    expect(html).toContain('mj-column-per-50');
    expect(text?.trim()).toBe(
      [
        'Thank you, Ada\n\nLamp € 20\n\nChair',
        'To Kiel\n\nFollow it (https://shop.example/7)\n\nMastodon (https://mastodon.example/@shop)',
      ].join('\n\n'),
    );
    const [message] = await messagesOf(session, transactionId);
    expect((message?.content as unknown as Json[]).map(({ type }) => type)).toEqual([
      'heading',
      'product',
      'product',
      'columns',
      'social',
    ]);
  });

  it('should need the lists of the blocks, and keep the blocks as they were sent', async () => {
    const { _id } = await createWorkflow(session, [mail(RECEIPT)]);
    const stored = await dataOf<Json>(session.get(`/v1/workflows/${_id}`), 200);
    const [step] = stored['steps'] as { template: Json }[];
    expect(step?.template['content']).toEqual(RECEIPT);
    const [{ variables } = { variables: [] }] = stored['triggers'] as { variables: Json[] }[];
    expect(variables.map(({ name, type }) => `${String(name)}: ${String(type)}`)).toEqual([
      'order.items: Array',
      'order.discount: String',
      'order.city: String',
      'order.id: String',
    ]);
  });

  it('should be named in a preview if an element of a list lacks a value', async () => {
    const { identifier, steps } = await createWorkflow(session, [mail(RECEIPT)]);
    const path = `/v1/workflows/${identifier}/steps/${steps[0]?._id ?? ''}/preview`;
    const shown = await dataOf<Json>(session.post(path, { payload: { order } }), 200);
    expect(shown['missing']).toEqual(['order.items[].price']);
    const wrong = await dataOf<Json>(session.post(path, { payload: { order: { ...order, items: 'x' } } }), 200);
    expect(wrong['faults']).toMatchObject([
      { message: "a block is repeated for each of 'order.items', which is no list" },
    ]);
  });

  it.each<[string, Json, string]>([
    [
      'a path',
      { type: 'text', content: 'x', each: '{{order}}' },
      'each must be the path of a value, such as order.items',
    ],
    ['a hidden member', { type: 'text', content: 'x', showIf: 'a.__proto__' }, 'showIf must not contain __proto__'],
    ['a link', { type: 'social', content: '', links: [{ text: 'x' }] }, 'links.0.url must be a string'],
    [
      'columns in columns',
      { type: 'columns', content: '', columns: [{ blocks: [{ type: 'columns', content: '' }] }] },
      'columns.0.blocks.0.type must be one of text',
    ],
    [
      'a link that runs code',
      { type: 'columns', content: '', columns: [{ blocks: [{ type: 'button', content: 'x', url: 'javascript:x' }] }] },
      'columns.0.blocks.0.url must be an http',
    ],
    [
      'too many columns',
      { type: 'columns', content: '', columns: Array(5).fill({ blocks: [] }) },
      'columns must be an array of at most 4 columns',
    ],
  ])('should be refused for a wrong value: %s', async (_name, block, fault) => {
    const refused = await session.post('/v1/workflows', { name: 'Wrong', steps: [mail([block])] }).expect(400);
    expect(faultsOf(refused)).toEqual([expect.stringContaining(`steps.0.template.content.0.${fault}`) as string]);
  });

  it('should be refused with too many blocks, those in columns included', async () => {
    const blocks = Array(100).fill({ type: 'text', content: 'x' });
    const columns = { type: 'columns', content: '', columns: [{ blocks }, { blocks }] };
    const refused = await session.post('/v1/workflows', { name: 'Long', steps: [mail([columns])] }).expect(400);
    expect(faultsOf(refused)).toEqual([
      'steps.0.template.content must contain at most 200 blocks, those in columns included',
    ]);
  });
});
