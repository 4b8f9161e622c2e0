import type { TextContext } from '#libs/templates';
import { RENDERED_FIELDS } from '../../libs/templates/src/rendered-fields.js';
import { type RecordingServer, startRecordingServer } from '../../libs/channels/test/recording-server.js';
import { type SmtpCatcher, startSmtpCatcher } from '../../libs/channels/test/smtp-catcher.js';
import { browserOf, openSession } from '../support/browser-session.js';
import { dataOf, type Json } from '../support/answers.js';
import { createWorkflow, feedOf, messagesOf, smtpIntegration, trigger } from '../support/delivery.js';
import { eventually } from '../support/eventually.js';
import { useDelivery, useSession } from '../support/herald.js';
import { SocketClient } from '../support/live-clients.js';

type Fields = Readonly<Record<string, TextContext>>;

const isLink = (as: TextContext): boolean => as === 'link' || as === 'mailLink';
/** What a value is, and what a text that consists of it has to be. */
const VALUES: Readonly<Record<string, Record<'text' | 'link' | 'html' | 'wantedLink', string>>> = {
  plain: {
    text: "O'Brien & Söhne, 1 = 1",
    html: "O'Brien &amp; Söhne, 1 &#x3D; 1",
    link: 'https://example.com/p?id=1&x=2#a',
    wantedLink: 'https://example.com/p?id=1&x=2#a',
  },
  hostile: {
    text: `<img src=x onerror="alert('1')"> {{text}} &lt; \`x\``,
    html: `&lt;img src&#x3D;x onerror&#x3D;&quot;alert('1')&quot;&gt; {{text}} &amp;lt; &#x60;x&#x60;`,
    link: 'java\tscript:alert(1)',
    wantedLink: '',
  },
};

/** A template whose rendered fields are values, and nothing else. */
function templateOf(type: string, fields: Fields): Json {
  const template: Json = { type };
  for (const [pattern, as] of Object.entries(fields))
    setAt(template, pattern.split('.'), isLink(as) ? '{{link}}' : '{{text}}');
  return template;
}

const MEMBERS: Readonly<Record<string, Json>> = { buttons: { type: 'primary' } };

const BUTTON = { type: 'button', content: '{{text}}', url: '{{link}}' };
const PRODUCT = { ...BUTTON, type: 'product', price: '{{text}}' };
const SOCIAL = { type: 'social', content: '', links: [{ text: '{{text}}', url: '{{link}}' }] };
const INNER = [BUTTON, PRODUCT, SOCIAL];
/** Of a mail, which have each field that a block can have. */
const BLOCKS: readonly Json[] = [
  ...INNER,
  ...INNER.map((block) => ({ type: 'columns', content: '', columns: [{ blocks: [block] }] })),
];
/** Whoever sanitizes HTML writes these characters as themselves. */
const unescapedQuotes = (html: string): string =>
  html.replaceAll('&#x3D;', '=').replaceAll('&#x60;', '`').replaceAll('&quot;', '"');

function setAt(into: Json, [first = '', second, ...rest]: readonly string[], text: string): void {
  if (second === undefined) into[first] = text;
  else if (second === '*') {
    const [item = { ...MEMBERS[first] }] = (into[first] ??= [{ ...MEMBERS[first] }]) as Json[];
    setAt(item, rest, text);
  } else setAt((into[first] ??= {}) as Json, [second, ...rest], text);
}

function at(value: unknown, pattern: string): unknown {
  return pattern
    .split('.')
    .reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key === '*' ? '0' : key], value);
}

/** Fields that decide about a message, and that no message shows. */
const isShown = ([pattern]: readonly [string, unknown]): boolean => pattern !== 'groupKey' && pattern !== 'replaces';
const shownOf = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).filter(isShown));

/** What stands in the fields of a message. */
const readFrom = (message: unknown, fields: Fields): Json =>
  Object.fromEntries(Object.keys(fields).map((pattern) => [pattern, at(message, pattern)]));

const wanted = (fields: Fields, value: (typeof VALUES)[string]): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([pattern, as]) => [
      pattern,
      isLink(as) ? value.wantedLink : as === 'html' ? value.html : value.text,
    ]),
  );

describe.each(Object.entries(VALUES))('a text that is a %s value', (_kind, value) => {
  const delivery = useDelivery();
  const session = useSession(delivery);
  const payload = { text: value.text, link: value.link };
  let smtp: SmtpCatcher;
  let http: RecordingServer;
  beforeAll(async () => {
    smtp = await startSmtpCatcher({ onAuth: (_auth, _session, done) => done(null, { user: 'user' }) });
    http = await startRecordingServer();
    http.answer = () => ({ body: { id: 'provider-1' } });
  });
  beforeEach(() => {
    smtp.mails.length = 0;
    http.requests.length = 0;
  });
  afterAll(async () => {
    await http.close();
    await smtp.close();
  });

  const deliver = async (template: Json, to: Json = {}): Promise<string> => {
    const { identifier } = await createWorkflow(session, [{ template }]);
    const id = await trigger(session, { name: identifier, to: { subscriberId: 'ann', ...to }, payload });
    await delivery.drain();
    return id;
  };

  it('should arrive as itself in every field of an in-app message, by every route and by the socket', async () => {
    const fields = shownOf(RENDERED_FIELDS.in_app);
    const expected = wanted(fields, value);
    await dataOf(session.post('/v1/subscribers', { subscriberId: 'ann' }), 201);
    const token = await openSession(delivery, session, 'ann');
    const socket = await SocketClient.connect(delivery, token);
    try {
      const id = await deliver(templateOf('in_app', RENDERED_FIELDS.in_app));
      const [inFeed] = await feedOf(session, 'ann');
      const [inList] = await messagesOf(session, id);
      const browser = await browserOf(delivery, session, 'ann');
      const [inBell] = (await browser.get('/v1/widgets/notifications/feed').expect(200)).body.data as Json[];
      await eventually(() => expect(socket.messages).toHaveLength(1));
      for (const message of [inFeed, inList, inBell, socket.messages[0]]) {
        expect(readFrom(message, fields)).toEqual(expected);
      }
      const [inInbox] = (await browser.get('/v1/inbox/notifications').expect(200)).body.data as Json[];
      const redirect = value.wantedLink === '' ? {} : { redirect: { url: value.wantedLink } };
      expect(inInbox).toMatchObject({
        subject: value.text,
        body: value.html,
        primaryAction: { label: value.text, ...redirect },
        ...redirect,
      });
      const [grouped] = (await browser.get('/v1/inbox/notifications?grouped=true').expect(200)).body.data as Json[];
      expect(grouped).toMatchObject({ group: { key: value.text, count: 1 } });
      const messageId = String(inFeed?.['_id']);
      const path = `/v1/subscribers/ann/messages/${messageId}/actions/primary`;
      const done = await dataOf(session.post(path, { status: 'done' }), 201);
      expect(readFrom(done, fields)).toEqual(expected);
    } finally {
      socket.close();
    }
  });

  it.each(['customHtml', 'editor'])('should arrive as itself in every field of a mail of %s', async (contentType) => {
    const { content, ...fields } = RENDERED_FIELDS.email;
    const ofBlocks = Object.entries(fields).flatMap(([pattern, as]) =>
      pattern.startsWith('content.*.') ? [[pattern.slice('content.*.'.length), as] as const] : [],
    );
    const inBlocks = Object.fromEntries(ofBlocks) as Fields;
    const lines = Object.fromEntries(Object.entries(fields).filter(([pattern]) => !pattern.includes('*'))) as Fields;
    await smtpIntegration(session, smtp.port);
    const isEditor = contentType === 'editor';
    const template = templateOf('email', isEditor ? lines : { ...lines, content });
    const id = await deliver(
      { ...template, ...(isEditor && { content: BLOCKS }), contentType },
      { email: 'ann@example.com' },
    );
    const [mail] = smtp.mails;
    expect(mail).toMatchObject({ subject: value.text, from: { value: [{ name: value.text }] } });
    expect(mail?.html).not.toContain('<img src=x');
    const [message] = await messagesOf(session, id);
    expect(message?.subject).toBe(value.text);
    if (!isEditor) return expect(message?.content).toBe(value.html);
    const urls = [...String(mail?.html).matchAll(/(?:href|<img src)="([^"]*)"/g)].map(([, url = '']) => url);
    expect(urls).toEqual(value.wantedLink === '' ? [] : Array(6).fill(value.wantedLink.replace('&', '&amp;')));
    const texts = unescapedQuotes(String(mail?.html)).split(unescapedQuotes(value.html));
    // Two buttons, prices and links, and the names of two products.
    expect(texts.length - 1).toBe(8);
    expect(at(message, 'content.*.url')).toBe(value.wantedLink);
    const covered = BLOCKS.flatMap((block) => Object.keys(inBlocks).filter((pattern) => at(block, pattern)));
    expect([...new Set(covered)].sort()).toEqual(Object.keys(inBlocks).sort());
  });

  it('should arrive as itself in a text message, a chat message and a push message', async () => {
    const { url } = http;
    const sms = { baseUrl: `${url}/sms`, apiKeyRequestHeader: 'x-key', apiKey: 'key', idPath: 'id', from: '+1' };
    const integrations = [
      { providerId: 'generic-sms', channel: 'sms', credentials: sms },
      { providerId: 'mattermost', channel: 'chat', credentials: {} },
      { providerId: 'push-webhook', channel: 'push', credentials: { webhookUrl: `${url}/push`, secretKey: 'secret' } },
    ];
    for (const one of integrations) await session.post('/v1/integrations', { ...one, active: true }).expect(201);
    const channels = [
      { providerId: 'mattermost', credentials: { webhookUrl: `${url}/chat` } },
      { providerId: 'push-webhook', credentials: { deviceTokens: ['token-1'] } },
    ];
    for (const type of ['sms', 'chat', 'push'] as const) {
      http.requests.length = 0;
      const fields = RENDERED_FIELDS[type];
      const id = await deliver(templateOf(type, fields), { phone: '+15551230100', channels });
      const [message] = await messagesOf(session, id);
      const shown = shownOf(fields);
      expect([type, readFrom(message, shown)]).toEqual([type, wanted(shown, value)]);
      // Push providers get the payload as well.
      const { payload: _, ...sent } = JSON.parse(String(http.requests[0]?.body)) as Json;
      expect(textsOf(sent).filter((text) => text === value.text)).toHaveLength(Object.keys(fields).length);
    }
  });
});

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

describe('a button of an in-app message', () => {
  const delivery = useDelivery();
  const session = useSession(delivery);

  it('should be refused when it is saved with a URL that runs code', async () => {
    const cta = { action: { buttons: [{ type: 'primary', content: 'Go', url: 'javascript:go({{id}})' }] } };
    const steps = [{ template: { type: 'in_app', content: 'Hello', cta } }];
    const { body } = await session.post('/v1/workflows', { name: 'Links', steps }).expect(400);
    expect((body as { message: unknown }).message).toEqual([
      'steps.0.template.cta.action.buttons.0.url must not have a scheme that can run code, such as javascript: or data:',
    ]);
  });
});
