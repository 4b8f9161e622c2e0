const MAIL = {
  channel: 'email',
  id: 'm-1',
  to: ['ada@example.com'],
  from: 'news@herald.example',
  senderName: 'Herald',
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
};
const SMS = { channel: 'sms', id: 'm-1', to: '+4915112345678', from: '+4930111222', content: 'Hello Ada' };
const CHAT = { channel: 'chat', id: 'm-1', content: 'Hello Ada' };
const PUSH = { channel: 'push', id: 'm-1', title: 'Hi', content: 'Hello Ada', payload: { order: '7' } };
const UNICODE = 'Größe ✓ 你好 👩‍🚀 "quoted", \\ and\nlines';

/** The messages that both sides send, by channel. What a provider cannot do at all is left out by its row. */
export const MESSAGES = {
  email: {
    plain: MAIL,
    unicode: {
      ...MAIL,
      subject: 'Größe ✓ 你好',
      html: `<p>${UNICODE}</p>`,
      text: UNICODE,
      senderName: 'Größe, "News"',
      names: { 'ada@example.com': 'Ädä Lövelace' },
    },
    'html alone': { ...MAIL, text: undefined },
    'ten recipients': { ...MAIL, to: Array.from({ length: 10 }, (_, place) => `reader-${place}@example.com`) },
    'an empty name': { ...MAIL, senderName: '' },
    copies: { ...MAIL, cc: ['carl@example.com'], bcc: ['dora@example.com'], names: { 'carl@example.com': 'Carl C' } },
    'an answer to a name': { ...MAIL, replyTo: 'help@herald.example', names: { 'help@herald.example': 'Help desk' } },
    headers: { ...MAIL, headers: { 'X-Campaign': 'spring' } },
    'custom data': { ...MAIL, customData: { order: '7', kind: 'invoice' } },
    'a file of 2 MB': {
      ...MAIL,
      attachments: [{ name: 'Größe.pdf', mime: 'application/pdf', content: Buffer.alloc(2_000_000, 'Herald') }],
    },
    'an image': {
      ...MAIL,
      html: '<img src="cid:logo">',
      attachments: [{ name: 'logo.png', mime: 'image/png', content: Buffer.from('PNG'), cid: 'logo' }],
    },
    template: MAIL,
  },
  sms: {
    plain: SMS,
    unicode: { ...SMS, content: UNICODE },
    'three parts': { ...SMS, content: 'Hello Ada. '.repeat(40) },
    'a named sender': { ...SMS, from: 'Herald' },
  },
  chat: { plain: CHAT, unicode: { ...CHAT, content: UNICODE }, rich: CHAT },
  push: {
    plain: PUSH,
    unicode: { ...PUSH, title: 'Größe ✓', content: UNICODE },
    'several devices': PUSH,
    'with options': PUSH,
  },
};
