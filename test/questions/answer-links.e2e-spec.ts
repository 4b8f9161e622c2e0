import request from 'supertest';
import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { WaitingWork } from '../../src/operations/testing/waiting-work.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { createWorkflow, smtpIntegration, trigger } from '../support/delivery.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { postForm, PUBLIC_URL } from '../support/recipient-links.js';
import { useSession } from '../support/test-api.js';

const delivery = useDeliveryApi('answer_links', { PUBLIC_URL, DELIVERY_WORKER: 'off', LOG_LEVEL: 'error' });
const session = useSession(delivery.api);
const ACME = 'https://news.acme.example';
const LINK = /https:\/\/(?:mail\.example\/herald|news\.acme\.example)(\/answer\/[\w-]+)/;

describe('the link of a question in a mail', () => {
  let smtp: SmtpCatcher;
  beforeAll(async () => {
    smtp = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
  });
  afterAll(() => smtp.close());
  beforeEach(async () => {
    smtp.raw.length = 0;
    await smtpIntegration(session, smtp.port);
    for (const subscriberId of ['ada', 'bob']) {
      const email = `${subscriberId}@example.com`;
      await session.post('/v1/subscribers', { subscriberId, firstName: subscriberId, email }).expect(201);
    }
  });

  const settle = (): Promise<void> => delivery.api.app.get(WaitingWork, { strict: false }).runDue();
  const ask = async (body: Json = {}): Promise<{ id: string; linkOf: (person: string) => string }> => {
    const subscribers = ['ada', 'bob'];
    const asked = { title: 'Deploy <4.2>?', body: 'All tests pass.', subscribers, ...body };
    const { _id } = await dataOf<{ _id: string }>(session.post('/v1/questions', asked), 201);
    await settle();
    const mails = smtp.raw.map((raw) => raw.replace(/=\r\n/g, ''));
    const linkOf = (person: string): string => {
      const mail = mails.find((raw) => new RegExp(`^To:.*${person}@example`, 'im').test(raw)) ?? '';
      return LINK.exec(mail)?.[1] ?? `no link for ${person} in ${mails.length} mails`;
    };
    return { id: _id, linkOf };
  };
  const get = (id: string): Promise<Json> => dataOf(session.get(`/v1/questions/${id}`), 200);
  const page = (path: string, language = 'en'): request.Test =>
    request(delivery.api.url).get(path).set('accept-language', language);

  it('should show a page that answers nothing until its form is sent, and say who decided afterwards', async () => {
    const { id, linkOf } = await ask();
    const shown = await page(linkOf('ada')).expect(200);
    expect(shown.text).toContain('Deploy &lt;4.2&gt;?');
    expect(shown.text).toContain('<button name="answer" value="approve">Approve</button>');
    await request(delivery.api.url).head(linkOf('bob'));
    expect(await get(id)).toMatchObject({ status: 'open', answers: [] });
    const done = await postForm(delivery.api, linkOf('ada'), 'answer=approve').expect(200);
    expect(done.text).toContain('Your answer: Approve');
    expect(await get(id)).toMatchObject({
      status: 'answered',
      answers: [{ subscriberId: 'ada', value: 'approve', via: 'link', isAuthentic: true }],
    });
    const late = await postForm(delivery.api, linkOf('bob'), 'answer=refuse').expect(200);
    expect(late.text).toContain('This question has ended');
    expect(late.text).toContain('ada decided: Approve');
    const german = await page(linkOf('bob'), 'de').expect(200);
    expect(german.text).toContain('ada hat entschieden: Zustimmen');
    await postForm(delivery.api, linkOf('ada'), 'answer=approve').expect(200);
    expect((await get(id))['answers']).toHaveLength(1);
  });

  it('should ask for a text or a number, and refuse what does not fit', async () => {
    const { id, linkOf } = await ask({ kind: 'number', schema: { maximum: 10 } });
    expect((await page(linkOf('ada')).expect(200)).text).toContain('type="number"');
    for (const wrong of ['answer=11', 'answer=many', 'answer=', '']) {
      const refused = await postForm(delivery.api, linkOf('ada'), wrong).expect(400);
      expect(refused.text).toContain('That answer does not fit');
    }
    await postForm(delivery.api, linkOf('ada'), 'answer=7').expect(200);
    expect(await get(id)).toMatchObject({ outcome: { value: 7 } });
  });

  it('should take no longer text than others', async () => {
    const { id, linkOf } = await ask({ kind: 'text' });
    await postForm(delivery.api, linkOf('ada'), `answer=${'x'.repeat(5_001)}`).expect(400);
    await postForm(delivery.api, linkOf('ada'), `answer=${'x'.repeat(5_000)}`).expect(200);
    expect(await get(id)).toMatchObject({ status: 'answered' });
  });

  it('should lead to the address of the tenant, whose page looks like it', async () => {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme', publicUrl: ACME }).expect(201);
    const { id, linkOf } = await ask({ tenant: 'acme', subscribers: ['ada'] });
    expect(await get(id)).toMatchObject({ tenant: 'acme' });
    expect(smtp.raw.join('')).toContain('https://news.acme.example/answer/');
    expect(smtp.raw.join('')).not.toContain(PUBLIC_URL);
    const shown = await page(linkOf('ada')).expect(200);
    expect(shown.text).toContain('Acme');
    await postForm(delivery.api, linkOf('ada'), 'answer=approve').expect(200);
    expect(await get(id)).toMatchObject({ status: 'answered' });
    const unknown = { title: 'Deploy?', subscribers: ['ada'], tenant: 'globex' };
    expect(await faultsOf(session.post('/v1/questions', unknown))).toEqual([
      "tenant: 'globex' must be the identifier of a tenant of this environment",
    ]);
  });

  it('should lead to the common address once the tenant was deleted', async () => {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme', publicUrl: ACME }).expect(201);
    const asked = { title: 'Deploy?', subscribers: ['ada'], tenant: 'acme' };
    const { _id } = await dataOf<{ _id: string }>(session.post('/v1/questions', asked), 201);
    await session.delete('/v1/tenants/acme').expect(204);
    await settle();
    expect(await get(_id)).toMatchObject({ asked: [{ status: 'processed' }] });
    expect(smtp.raw.join('').replace(/=\r\n/g, '')).toMatch(LINK);
  });

  it('should belong to the tenant of the event whose step asks', async () => {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme', publicUrl: ACME }).expect(201);
    const { identifier } = await createWorkflow(session, [{ template: { type: 'ask', title: 'Refund?' } }]);
    await trigger(session, { name: identifier, to: 'ada', tenant: 'acme' });
    await settle();
    expect(smtp.raw.join('')).toContain('https://news.acme.example/answer/');
    expect(smtp.raw.join('')).not.toContain(PUBLIC_URL);
  });

  it('should be no link for whom it was not made, and none to what is gone', async () => {
    const { id, linkOf } = await ask();
    const own = linkOf('ada');
    await page(`${own.slice(0, -2)}AA`).expect(400);
    await postForm(delivery.api, `${own.slice(0, -2)}AA`, 'answer=approve').expect(400);
    await page('/answer/example').expect(400);
    await session.post(`/v1/questions/${id}/cancel`).expect(200);
    expect((await page(own).expect(200)).text).toContain('The question was canceled');
    await session.delete('/v1/subscribers/ada').expect(200);
    await page(own).expect(410);
  });
});
