import request from 'supertest';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { useDeliveryApi } from '../support/delivery-api.js';
import { ONE_CLICK, type MailSender, postForm, PUBLIC_URL, startMailSender } from '../support/recipient-links.js';
import { useSession } from '../support/test-api.js';

const ADDRESS = 'https://news.acme.example';
const CONTENT =
  '<a href="{{preferencesUrl}}">Settings</a> <a href="{{unsubscribeUrl}}">Stop</a> ' +
  `<a href="https://shop.example/a">Shop</a> <a href="${PUBLIC_URL}/preferences/older">Older</a>` +
  `<img src="${PUBLIC_URL}/images/a/b" alt="Logo">`;
const FOLLOWED = { tracking: { opens: true, clicks: true } };

/** What a mail says, and the addresses of Herald in it: `https://host/word`. */
function read(raw: string): { readonly text: string; readonly links: string[] } {
  const text = raw
    .replace(/\r\n[ \t]+/g, ' ')
    .replace(/=\r\n/g, '')
    .replaceAll('=3D', '=');
  const found = text.matchAll(/https:\/\/[\w./-]+?\/(?:unsubscribe|preferences|open|click)(?=\/[\w-]{60,})/g);
  return { text, links: [...new Set([...found].map(([link]) => link))].sort() };
}

const allAt = (base: string): string[] =>
  ['click', 'open', 'preferences', 'unsubscribe'].map((word) => `${base}/${word}`);

describe('the public address of a tenant', () => {
  const delivery = useDeliveryApi('tenant_addresses', { PUBLIC_URL });
  const session = useSession(delivery.api);
  let mails: MailSender;
  beforeAll(async () => {
    mails = await startMailSender(delivery);
  });
  afterAll(() => mails.close());

  it('should be that of the links in its mails, and of nobody else', async () => {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme', publicUrl: ADDRESS }).expect(201);
    await session.post('/v1/tenants', { identifier: 'globex', name: 'Globex' }).expect(201);
    const sent = await mails.send(session, { content: CONTENT, workflow: FOLLOWED, tenant: 'acme', address: ADDRESS });
    const acme = read(sent.raw);
    expect(acme.links).toEqual(allAt(ADDRESS));
    expect(acme.text).toMatch(/^List-Unsubscribe: *<https:\/\/news\.acme\.example\/unsubscribe\//im);
    // Herald's own links are not followed, wherever they lead.
    expect(acme.text).toContain(`"${PUBLIC_URL}/preferences/older"`);
    expect(acme.text).toContain(`<img src="${ADDRESS}/images/a/b"`);
    for (const tenant of ['globex', undefined]) {
      const { raw } = await mails.send(session, { again: sent.workflow, ...(tenant && { tenant }) });
      expect([tenant, read(raw).links]).toEqual([tenant, allAt(PUBLIC_URL)]);
    }
    await session.patch('/v1/tenants/acme', { publicUrl: null }).expect(200);
    const after = await mails.send(session, { again: sent.workflow, tenant: 'acme' });
    expect(read(after.raw).links).toEqual(allAt(PUBLIC_URL));
  });

  it('should leave it to the address under which a link is opened', async () => {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme', publicUrl: ADDRESS }).expect(201);
    const sent = await mails.send(session, { content: CONTENT, workflow: FOLLOWED, tenant: 'acme', address: ADDRESS });
    // The path of PUBLIC_URL, and none: where proxies for both addresses lead.
    for (const base of ['/herald', '']) {
      const page = await request(delivery.api.url)
        .get(base + sent.link('preferences'))
        .expect(200);
      expect(page.text).toContain('Acme');
      expect(page.text).not.toContain('https:');
      const asked = await request(delivery.api.url)
        .get(base + sent.link('unsubscribe'))
        .expect(200);
      expect(asked.text).toContain('href="../preferences/');
      const click = await request(delivery.api.url).get(base + sent.link('click'));
      expect([click.status, click.headers['location']]).toEqual([302, 'https://shop.example/a']);
      await postForm(delivery.api, base + sent.link('unsubscribe'), ONE_CLICK).expect(200);
    }
  });
});

describe('the public address of a tenant without PUBLIC_URL', () => {
  const delivery = useDeliveryApi('tenant_addresses_only');
  const session = useSession(delivery.api);
  let mails: MailSender;
  beforeAll(async () => {
    mails = await startMailSender(delivery);
  });
  afterAll(() => mails.close());

  it('should give its mails links, and others none', async () => {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme', publicUrl: ADDRESS }).expect(201);
    const sent = await mails.send(session, { content: CONTENT, workflow: FOLLOWED, tenant: 'acme', address: ADDRESS });
    expect(read(sent.raw).links).toEqual(allAt(ADDRESS));
    const other = await mails.send(session, { again: sent.workflow });
    expect(read(other.raw).links).toEqual([]);
  });

  it('should be kept as an address, without a slash at its end', async () => {
    const create = async (publicUrl: unknown): Promise<Json> =>
      dataOf(session.post('/v1/tenants', { identifier: 'acme', name: 'Acme', publicUrl }), 201);
    expect(await create(`${ADDRESS}/`)).toMatchObject({ publicUrl: ADDRESS });
    expect(await dataOf(session.patch('/v1/tenants/acme', { publicUrl: `${ADDRESS}:8443` }), 200)).toMatchObject({
      publicUrl: `${ADDRESS}:8443`,
    });
    const renamed = await dataOf(session.patch('/v1/tenants/acme', { name: 'Acme Ltd' }), 200);
    expect(renamed['publicUrl']).toBe(`${ADDRESS}:8443`);
    expect(await dataOf(session.patch('/v1/tenants/acme', { publicUrl: null }), 200)).not.toHaveProperty('publicUrl');
  });

  it.each([
    'http://news.acme.example',
    'https://news.acme.example/mails',
    'https://news.acme.example?a=b',
    'https://news.acme.example#a',
    'https://ada:secret@news.acme.example',
    'https://news.acme.example:99999',
    'https://news.acme.example\\@evil.example',
    'https://nеws.acme.example', // with a letter that is not Latin
    'https://news acme.example',
    'https://',
    'news.acme.example',
    'javascript:alert(1)',
    `https://${'a'.repeat(300)}.example`,
    '',
    5,
    ['https://news.acme.example'],
    {},
  ])('should be refused as %j', async (publicUrl) => {
    await session.post('/v1/tenants', { identifier: 'acme', name: 'Acme' }).expect(201);
    const fault = 'publicUrl must be an https URL of a host without a path, such as https://news.example.com';
    const body = { identifier: 'other', name: 'Other', publicUrl };
    expect(await faultsOf(session.post('/v1/tenants', body))).toEqual([fault]);
    expect(await faultsOf(session.patch('/v1/tenants/acme', { publicUrl }))).toEqual([fault]);
  });
});
