import { CATCHER_CHANNELS, CATCHERS, isCatcher } from '../core/caught.js';
import type { EmailMessage, OutboundMessage } from '../core/messages.js';
import { createChannelRegistry } from '../create-channel-registry.js';
import type { OutboundHttp } from '../http/outbound-http.types.js';
import { caughtContent } from './catcher.js';

const MAIL: EmailMessage = {
  channel: 'email',
  id: 'm1',
  to: ['ada@example.com'],
  from: 'shop@example.com',
  subject: 'Hello',
  html: '<p>Hello</p>',
};
const MESSAGES: Record<(typeof CATCHER_CHANNELS)[number], OutboundMessage> = {
  email: MAIL,
  sms: { channel: 'sms', id: 'm1', to: '+15551230100', content: 'Hello' },
  chat: { channel: 'chat', id: 'm1', content: 'Hello' },
  push: { channel: 'push', id: 'm1', target: ['token'], title: 'Hello', content: 'Ada', payload: {} },
};

describe('catchers', () => {
  it.each(CATCHER_CHANNELS)('should accept a message of %s and reach nobody', async (channel) => {
    const http = { request: jest.fn(), close: () => Promise.resolve() } as unknown as OutboundHttp;
    const registry = createChannelRegistry({ allowPrivateUrls: false, http });
    const options = { credentials: {}, idempotencyKey: 'm1' };
    const result = await registry.send(channel, CATCHERS[channel], MESSAGES[channel], options);
    expect(result).toMatchObject({ id: 'caught-m1', caught: { to: expect.any(Array) as string[] } });
    expect(http.request).not.toHaveBeenCalled();
    await registry.close();
  });

  it('should be known by their ids', () => {
    expect(Object.values(CATCHERS).every(isCatcher)).toBe(true);
    expect(isCatcher('sendgrid')).toBe(false);
  });
});

describe('caughtContent', () => {
  it('should keep everything of a mail but the content of its files', () => {
    const message: EmailMessage = {
      ...MAIL,
      senderName: 'Shop',
      text: 'Hello',
      cc: ['cc@example.com'],
      bcc: ['bcc@example.com'],
      replyTo: 'support@example.com',
      headers: { 'X-Order': '7' },
      customData: { order: 7 },
      attachments: [{ name: 'a.txt', mime: 'text/plain', content: Buffer.from('12345') }],
    };
    const { channel: _channel, id: _id, customData, attachments: _files, ...rest } = message;
    const attachments = [{ name: 'a.txt', mime: 'text/plain', bytes: 5 }];
    expect(caughtContent(message)).toEqual({ ...rest, attachments, extra: customData });
  });

  it('should keep a large mail in part, and say so', () => {
    const many = Array.from({ length: 51 }, (_, n) => `a${n}@example.com`);
    const html = 'é'.repeat(200_000);
    const caught = caughtContent({ ...MAIL, to: many, html, customData: { text: 'x'.repeat(33_000) } });
    expect(caught.cut).toEqual(['to', 'html', 'extra']);
    expect(caught.to).toHaveLength(50);
    expect(Buffer.byteLength(caught.html ?? '')).toBe(262_144);
    expect(caught.html?.endsWith('é')).toBe(true);
    expect(caught).not.toHaveProperty('extra');
  });

  it('should not end in half a character', () => {
    const html = `x${'é'.repeat(200_000)}`;
    expect(caughtContent({ ...MAIL, html }).html?.endsWith('é')).toBe(true);
  });

  it('should stay below a mebibyte, whatever the message has', () => {
    const long = '€'.repeat(400_000);
    const list = Array.from({ length: 500 }, () => long);
    const headers = Object.fromEntries(list.map((text, n) => [`${n}${text}`, text]));
    const attachments = list.map((name) => ({ name, mime: name, content: Buffer.alloc(0) }));
    const lists = { to: list, cc: list, bcc: list, headers, attachments };
    const texts = { from: long, senderName: long, replyTo: long, subject: long, html: long, text: long };
    const caught = caughtContent({ ...MAIL, ...lists, ...texts, customData: { long } });
    expect(Buffer.byteLength(JSON.stringify(caught))).toBeLessThan(1_048_576);
  });

  it('should say where a chat message would have gone without the secret in its URL', () => {
    const webhookUrl = 'https://hooks.example.com/services/very-secret';
    const message = { ...MESSAGES.chat, webhookUrl, customData: { blocks: [] } } as OutboundMessage;
    expect(caughtContent(message)).toEqual({ to: ['hooks.example.com'], text: 'Hello', extra: { blocks: [] } });
    expect(caughtContent({ ...message, webhookUrl: 'no url' } as OutboundMessage).to).toEqual([]);
  });
});
