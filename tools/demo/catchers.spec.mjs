import { createHmac } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { startCatchers } from './catchers.mjs';

describe('startCatchers', () => {
  let catchers;
  beforeAll(async () => {
    catchers = await startCatchers();
  });
  beforeEach(() => {
    catchers.http.arrivals.length = 0;
  });
  afterAll(() => catchers.close());

  const post = (url, body, headers = {}) =>
    fetch(url, { method: 'POST', body, headers: { ...headers, connection: 'close' } });

  it('should keep mail in a readable form', async () => {
    const { host, port } = catchers.smtp;
    const transport = createTransport({ host, port: Number(port) });
    const mail = { from: 'Herald <h@example.com>', to: 'a@example.com', subject: 'S', html: '<p>T</p>' };
    await transport.sendMail({ ...mail, text: 'T\n' });
    await transport.sendMail({
      ...mail,
      to: 'Ä <a@example.com>, b@example.com',
      attachments: [{ filename: 'a.txt', content: 'A' }],
    });
    transport.close();
    expect(catchers.mail.arrivals).toMatchObject([
      { subject: 'S', from: '"Herald" <h@example.com>', to: 'a@example.com', text: 'T' },
      { to: '"Ä" <a@example.com>, b@example.com', text: '<p>T</p>', attachments: ['a.txt'] },
    ]);
  });

  describe('when called as Discord', () => {
    it('should answer with the message where the caller waits for it', async () => {
      const answer = await post(`${catchers.discordUrl}?wait=true`, '{"content":"Hello"}');
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ id: expect.stringMatching(/^\d+$/), content: 'Hello' });
      expect(catchers.http.arrivals).toMatchObject([{ body: { content: 'Hello' } }]);
    });

    it('should answer with nothing where the caller does not', async () => {
      const answer = await post(catchers.discordUrl, '{"content":"Hello"}');
      expect([answer.status, await answer.text()]).toEqual([204, '']);
      expect(catchers.http.arrivals).toHaveLength(1);
    });

    it.each([
      ['an empty message', '{"content":""}'],
      ['no JSON', 'content'],
    ])('should refuse %s', async (_case, body) => {
      expect((await post(`${catchers.discordUrl}?wait=true`, body)).status).toBe(400);
      expect(catchers.http.arrivals).toEqual([]);
    });
  });

  describe('when called as a push webhook', () => {
    const body = '{"id":"1","title":"T"}';
    const signed = (key) => ({ 'x-novu-signature': createHmac('sha256', key).update(body).digest('hex') });

    it('should take what is signed', async () => {
      const { webhookUrl, secretKey } = catchers.push;
      const answer = await post(webhookUrl, body, signed(secretKey));
      expect([answer.status, await answer.json()]).toEqual([200, { id: '1' }]);
      expect(catchers.http.arrivals).toMatchObject([{ path: '/push', body: { title: 'T' } }]);
    });

    it('should refuse a wrong signature', async () => {
      expect((await post(catchers.push.webhookUrl, body, signed('another'))).status).toBe(401);
      expect(catchers.http.arrivals).toEqual([]);
    });
  });

  it('should know no other path', async () => {
    expect((await post(`${catchers.http.url}/other`, '{}')).status).toBe(404);
  });
});
