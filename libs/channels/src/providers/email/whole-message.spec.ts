import { createTransport, type SendMailOptions } from 'nodemailer';
import type MimeNode from 'nodemailer/lib/mime-node';
import { wholeMessage } from './whole-message.js';

const DATE = new Date('2026-11-22T18:00:00Z');
const PARAGRAPH = '<p>Grüße an <a href="https://example.com/?a=1&amp;b=2">alle</a>, and a line that is long.  </p>\n';

/** The message that nodemailer composes, as a transport gets it. */
function compose(mail: SendMailOptions): Promise<MimeNode> {
  return new Promise((resolve) => {
    const transport = createTransport({
      name: 'test',
      version: '1',
      send: ({ message }, done) => {
        resolve(message);
        done(null, { envelope: { from: false, to: [] }, messageId: '' });
      },
    });
    void transport.sendMail({
      from: { name: 'Sender Ä', address: 'sender@example.com' },
      to: ['ada@example.com', 'bob@exämple.com'],
      subject: 'Grüße, '.repeat(20),
      messageId: '<1@example.com>',
      date: DATE,
      headers: { 'X-Tag': 'a', 'X-Long': 'word '.repeat(40) },
      ...mail,
    });
  });
}

async function bytesOf(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('latin1');
}

describe('wholeMessage', () => {
  it.each<[string, SendMailOptions]>([
    ['short texts', { html: '<p>Hello</p>', text: 'Hello' }],
    ['HTML alone', { html: '<p>Hello</p>' }],
    ['text alone, without and with an end of line', { text: 'Hello\r\n.\r\n..dots\nlone' }],
    ['an empty text', { html: '<p>Hello</p>', text: '' }],
    ['long lines with umlauts', { html: PARAGRAPH.repeat(40).replaceAll('\n', ''), text: PARAGRAPH.repeat(3) }],
    ['long lines of ASCII', { html: `<p>${'word = '.repeat(300)}</p>`, text: `${'word '.repeat(100)}.` }],
    ['many lines with umlauts', { html: PARAGRAPH.repeat(200), text: 'Grüße\n'.repeat(50) }],
    [
      'a script without Latin letters',
      { html: `<p>${'こんにちは世界'.repeat(50)}</p>`, text: `${'Привет '.repeat(60)}.` },
    ],
    [
      'copies and an address for replies',
      { text: 'x', cc: ['c@example.com'], bcc: ['b@example.com'], replyTo: 'r@example.com' },
    ],
  ])('should have the bytes of the stream: %s', async (_name, mail) => {
    const message = await compose(mail);
    const expected = await bytesOf(message.createReadStream());
    const whole = wholeMessage(message);
    if (whole === undefined) throw new Error('It was not composed as one piece.');
    expect(await bytesOf(whole)).toBe(expected);
  });

  it.each<[string, SendMailOptions]>([
    ['attachments', { text: 'x', attachments: [{ filename: 'a.txt', content: Buffer.from('a') }] }],
    ['long texts', { text: 'x'.repeat(70_000) }],
    ['a text that ends with a space', { text: 'word '.repeat(100) }],
  ])('should leave it to the stream: %s', async (_name, mail) => {
    expect(wholeMessage(await compose(mail))).toBeUndefined();
  });
});
