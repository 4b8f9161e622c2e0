// Mails as teams write them. `shows`: texts that a reader has to see; `name`: of the picture.
const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitaenswitwenrentenauszahlungsstelle';
const PLAIN = 'font-family:Arial,sans-serif;color:#1f2430';

const step = (subject, content, more = {}) => ({ type: 'email', subject, contentType: 'customHtml', content, ...more });
const blocks = (subject, content, more = {}) => ({ type: 'email', subject, contentType: 'editor', content, ...more });
const text = (content, textAlign = 'left') => ({ type: 'text', content, styles: { textAlign } });
const button = (content, url) => ({ type: 'button', content, url });

/** With classes, as designers write it: Herald moves the rules into the elements. */
const RECEIPT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><style>
  body { margin: 0; background: #f2f4f7; ${PLAIN} } .sheet { width: 100%; max-width: 600px; margin: 0 auto; background: #ffffff }
  .sheet td { padding: 8px 16px; border-bottom: 1px solid #e3e6ea } .amount { text-align: right } .total td { font-weight: bold }
  @media (max-width: 480px) { .wide { display: none } }
</style></head><body><table class="sheet" role="presentation" cellspacing="0"><tr><td colspan="3"><h1>Receipt {{order.number}}</h1></td></tr>
{{#each order.items}}<tr><td>{{name}}</td><td class="wide">{{count}} ×</td><td class="amount">{{price}}</td></tr>{{/each}}
<tr class="total"><td>Total</td><td class="wide"></td><td class="amount">{{order.total}}</td></tr></table></body></html>`;

/** Two columns, which stand one above the other on a phone. */
const MJML = `<mjml>
  <mj-head>
    <mj-attributes><mj-all font-family="Arial" /><mj-class name="name" font-size="20px" /></mj-attributes>
    <mj-preview>{{plans.length}} plans</mj-preview>
  </mj-head>
  <mj-body>
    <mj-section>
      <mj-raw>{{#each plans}}</mj-raw>
      <mj-column width="50%">
        <mj-text mj-class="name">{{name}}</mj-text>
        <mj-divider border-color="#F45E43" />
        <mj-text font-size="14px" line-height="1.5">{{text}}</mj-text>
      </mj-column>
      <mj-raw>{{/each}}</mj-raw>
    </mj-section>
  </mj-body>
</mjml>`;

const DARK = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>
  body { margin: 0; padding: 24px; background: #ffffff; ${PLAIN} } .card { max-width: 560px; margin: 0 auto; padding: 20px; border: 1px solid #d0d5dd }
  @media (prefers-color-scheme: dark) { body { background: #14161a !important; color: #f2f4f7 !important } .card { border-color: #475467 !important } }
</style></head><body><div class="card"><h2>Night shift of {{subscriber.firstName}}</h2><p>It begins at {{begin}}.</p></div></body></html>`;

export const MAILS = [
  {
    name: 'receipt',
    template: step('Receipt {{order.number}}', RECEIPT),
    payload: {
      order: {
        number: 4711,
        total: '€ 1,234.50',
        items: Array.from({ length: 8 }, (_, n) => ({
          name: `Article number ${n + 1}`,
          count: n + 1,
          price: `€ ${n}9.90`,
        })),
      },
    },
    shows: ['Receipt 4711', 'Article number 8', '€ 1,234.50'],
  },
  {
    name: 'password-reset',
    template: blocks(
      'Choose a new password',
      [
        text('Hello {{subscriber.firstName}}, somebody has asked for a new password.'),
        button('Choose a password', 'https://app.example/reset/{{token}}'),
        text(`If the button does nothing, open https://app.example/reset/{{token}}`),
      ],
      { preheader: 'The link works for an hour' },
    ),
    payload: { token: 'abcdef0123456789'.repeat(8) },
    shows: ['Hello Ada', 'Choose a password', `https://app.example/reset/${'abcdef0123456789'.repeat(8)}`],
    hides: ['The link works for an hour'],
  },
  {
    name: 'digest',
    template: blocks('{{count}} new comments', [
      text('<h2>{{count}} new comments</h2><ul>{{#each comments}}<li><b>{{author}}</b>: {{words}}</li>{{/each}}</ul>'),
      button('Read them all', 'https://app.example/comments'),
    ]),
    payload: {
      count: 12,
      comments: Array.from({ length: 12 }, (_, n) => ({
        author: `Author ${n + 1}`,
        words: 'It <b>works</b> & it is "fine".',
      })),
    },
    shows: ['12 new comments', 'Author 12', 'It <b>works</b> & it is "fine".', 'Read them all'],
  },
  {
    name: 'invitation',
    template: blocks('An invitation', [
      text('<h1>You are invited</h1>', 'center'),
      text('{{host}} would like to see you on {{day}}.', 'center'),
      { ...button('Yes, I come', 'https://app.example/yes'), styles: { textAlign: 'center' } },
      { ...button('No, thank you', 'https://app.example/no'), styles: { textAlign: 'center' } },
    ]),
    payload: { host: 'Grace Hopper', day: 'Friday, 4 December' },
    shows: ['You are invited', 'Grace Hopper would like to see you', 'Yes, I come', 'No, thank you'],
  },
  {
    name: 'alert',
    template: step(
      'Disk {{disk}} is full',
      `<div style="${PLAIN};padding:16px;border-left:6px solid #d92d20;background:#fef3f2"><h2>Disk {{disk}} is full</h2>
       <pre style="white-space:pre-wrap;overflow-wrap:anywhere">{{log}}</pre></div>`,
    ),
    payload: { disk: '/var/lib/data', log: 'ENOSPC: no space left on device, write '.repeat(6) },
    shows: ['Disk /var/lib/data is full', 'ENOSPC: no space left on device'],
  },
  {
    name: 'newsletter',
    template: blocks(
      'News of the month',
      [1, 2, 3, 4].flatMap((n) => [
        text(`<h2>Story ${n}</h2><p>{{stories.[${n - 1}].text}}</p>`),
        button('Go on reading', `https://news.example/${n}`),
      ]),
    ),
    payload: { stories: [1, 2, 3, 4].map((n) => ({ text: `The ${n}. story tells of many things. `.repeat(8) })) },
    shows: ['Story 1', 'Story 4', 'The 4. story tells', 'Go on reading'],
  },
  {
    name: 'mjml',
    template: { type: 'email', subject: 'Two plans', contentType: 'mjml', content: MJML },
    payload: { plans: ['Basic', 'Premium'].map((name) => ({ name, text: `${name} has what you need, every day.` })) },
    shows: ['Basic', 'Premium has what you need'],
    isSideBySide: ['Basic', 'Premium'],
  },
  {
    name: 'arabic',
    template: step(
      'طلبك {{number}} في الطريق',
      `<html lang="ar" dir="rtl"><body style="${PLAIN};padding:16px"><h1>مرحبا {{subscriber.firstName}}</h1>
       <p>طلبك رقم {{number}} في الطريق إليك.</p></body></html>`,
    ),
    payload: { number: 4711 },
    shows: ['مرحبا Ada', 'طلبك رقم 4711 في الطريق إليك.'],
    isFromTheRight: 'مرحبا Ada',
  },
  {
    name: 'dark',
    template: step('Night shift', DARK),
    payload: { begin: '22:00' },
    shows: ['Night shift of Ada', '22:00'],
  },
  {
    name: 'long-words',
    template: blocks('🎉 {{word}}', [text('<h1>🎉 {{word}}</h1><p>👩‍👩‍👧‍👦 Zażółć gęślą jaźń — 你好，世界 {{address}}</p>')]),
    payload: {
      word: LONG_WORD,
      address: `https://files.example/${'x'.repeat(180)}`,
      attachments: [
        { name: 'Übersicht – März.txt', mime: 'text/plain', file: Buffer.from('Hello').toString('base64') },
      ],
    },
    shows: [`🎉 ${LONG_WORD}`, '👩‍👩‍👧‍👦 Zażółć gęślą jaźń — 你好，世界'],
    attachments: ['Übersicht – März.txt'],
  },
];
