import type { ParsedMail } from 'mailparser';
import { createImage, PNG } from '../factories/image.factory.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, email, messagesOf, notificationOf, smtpIntegration, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { ADA, PUBLIC_URL } from '../support/recipient-links.js';
import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import type { TestSession } from '../harness/index.js';

const LINKED = 'Pictures of the mail are linked, not inside of it';
const ELSEWHERE = 'https://cdn.example/logo.png';
const imgOf = (image: Json): string => `<img src="${String(image['url'])}" alt="">`;

describe('pictures inside of mails', () => {
  const delivery = useDeliveryApi('inline_images', { PUBLIC_URL });
  let smtp: SmtpCatcher;
  let session: TestSession;
  beforeAll(async () => {
    smtp = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
  });
  afterAll(() => smtp.close());
  beforeEach(async () => {
    session = await delivery.api.session();
  });

  async function send(content: string, template: Json = {}, event: Json = {}): Promise<string> {
    const step = email('Order', content);
    const workflow = await createWorkflow(session, [
      { ...step, template: { ...step.template, images: 'inline', ...template } },
    ]);
    const transactionId = await trigger(session, { name: workflow.identifier, to: ADA, ...event });
    await delivery.drain();
    return transactionId;
  }
  async function sent(...mail: Parameters<typeof send>): Promise<ParsedMail & { readonly html: string }> {
    await smtpIntegration(session, smtp.port);
    await send(...mail);
    return smtp.mails.at(-1) as ParsedMail & { readonly html: string };
  }
  const reasonsOf = async (transactionId: string): Promise<unknown> => {
    const [job] = (await notificationOf(session, transactionId)).jobs;
    const noted = job?.executionDetails.filter(({ detail }) => detail === LINKED) ?? [];
    return noted.flatMap(({ raw }) => (JSON.parse(raw ?? '{}') as { reasons: unknown }).reasons);
  };
  const large = (): Promise<Json> => {
    const file = Buffer.concat([Buffer.from(PNG, 'base64'), Buffer.alloc(449_000)]).toString('base64');
    return createImage(session, { file });
  };

  it('should carry each picture of the mail and of its layout once, related to its HTML', async () => {
    const [logo, photo] = [await createImage(session), await createImage(session, { name: 'photo' })];
    const layout = await dataOf<Json>(
      session.post('/v1/layouts', { name: 'Frame', identifier: 'frame', content: `${imgOf(logo)}{{{body}}}` }),
      201,
    );
    const link = `<a href="${String(photo['url'])}">large</a>`;
    const content = `<p>${imgOf(photo)}${imgOf(photo)}<img src="${ELSEWHERE}" alt=""></p>${link}`;
    const mail = await sent(content, { layoutId: layout['_id'] });
    const [first, second] = [logo, photo].map(({ _id }) => `${String(_id)}.png`);
    expect(mail.attachments).toHaveLength(2);
    expect(mail.attachments).toMatchObject([
      { cid: first, filename: 'logo.png', contentType: 'image/png', contentDisposition: 'inline', related: true },
      { cid: second, filename: 'photo.png', contentType: 'image/png', contentDisposition: 'inline', related: true },
    ]);
    for (const { content: bytes } of mail.attachments) expect(bytes).toEqual(Buffer.from(PNG, 'base64'));
    const raw = smtp.raw.at(-1)?.replace(/=\r\n/g, '').replaceAll('=3D', '=') ?? '';
    expect([...raw.matchAll(/src="([^"]*)"/g)].map(([, src]) => src)).toEqual([
      `cid:${first}`,
      `cid:${second}`,
      `cid:${second}`,
      ELSEWHERE,
    ]);
    expect(raw).toContain(link);
  });

  it('should leave all pictures linked unless the step says otherwise, and keep what it says', async () => {
    const image = await createImage(session);
    const mail = await sent(imgOf(image), { images: null });
    expect(mail.attachments).toEqual([]);
    expect(mail.html).toContain(String(image['url']));
    const workflow = await createWorkflow(session, [{ template: { type: 'email', content: 'x', images: 'inline' } }]);
    const path = `/v1/workflows/${workflow._id}`;
    const steps = [{ uuid: workflow.steps[0]?.uuid, template: { type: 'email', subject: 'New' } }];
    const { steps: kept } = await dataOf<Json>(session.put(path, { steps }), 200);
    expect(kept).toMatchObject([{ template: { subject: 'New', images: 'inline' } }]);
    const wrong = [{ template: { type: 'email', content: 'x', images: 'attached' } }];
    expect(await faultsOf(session.put(path, { steps: wrong }))).toEqual([
      'steps.0.template.images must be one of linked, inline',
    ]);
  });

  it('should carry pictures that are named by the address of a tenant', async () => {
    const image = await createImage(session);
    await session
      .post('/v1/tenants', { identifier: 'acme', name: 'Acme', publicUrl: 'https://acme.example' })
      .expect(201);
    const mail = await sent(imgOf(image), {}, { tenant: 'acme' });
    expect(mail.attachments).toMatchObject([{ cid: `${String(image['_id'])}.png` }]);
  });

  it('should leave pictures linked for a provider that takes none, and show them in what is stored', async () => {
    const image = await createImage(session);
    await session.put('/v1/catcher', { isOn: true }).expect(200);
    const transactionId = await send(imgOf(image));
    expect(await reasonsOf(transactionId)).toEqual(['The provider takes no pictures inside of mails.']);
    const [message] = await messagesOf(session, transactionId);
    expect(message?.content).toContain(String(image['url']));
    const caught = await dataOf<Json>(session.get(`/v1/catcher/messages/${String(message?._id)}`), 200);
    expect(caught).toMatchObject({ html: expect.stringContaining(String(image['url'])) as string });
    expect(caught).not.toHaveProperty('attachments');
  });

  it('should carry two megabytes at most, and nothing that was deleted', async () => {
    const gone = await createImage(session);
    await session.delete(`/v1/images/${String(gone['_id'])}`).expect(204);
    const images = [await large(), await large(), await large(), await large(), await large()];
    await smtpIntegration(session, smtp.port);
    const transactionId = await send([gone, ...images].map(imgOf).join(''));
    const mail = smtp.mails.at(-1);
    expect(mail?.attachments.map(({ cid }) => cid)).toEqual(images.slice(0, 4).map(({ _id }) => `${String(_id)}.png`));
    expect(mail?.html).toContain(String(images[4]?.['url']));
    expect(mail?.html).toContain(String(gone['url']));
    expect(await reasonsOf(transactionId)).toEqual([
      `The picture ${String(gone['_id'])} is not stored any more.`,
      'The pictures have more than 2000000 bytes.',
    ]);
  });
});
