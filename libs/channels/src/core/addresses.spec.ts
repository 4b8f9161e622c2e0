import { addressKey, distinctAddresses, phoneNumber, readMailbox } from './addresses.js';

describe('readMailbox', () => {
  it.each([
    ['ada@example.com', { address: 'ada@example.com' }],
    ['  ada+tag@example.com ', { address: 'ada+tag@example.com' }],
    ['Ada Lovelace <ada@example.com>', { address: 'ada@example.com', name: 'Ada Lovelace' }],
    ['<ada@example.com>', { address: 'ada@example.com' }],
    ['"Lovelace, \\"Ada\\"" <ada@example.com>', { address: 'ada@example.com', name: 'Lovelace, "Ada"' }],
    ['Größe ✓ <größe@bücher.example>', { address: 'größe@bücher.example', name: 'Größe ✓' }],
  ])('should read %s', (text, expected) => {
    expect(readMailbox(text)).toEqual(expected);
  });

  it.each([
    'a@x.example, evil@example.com',
    'a@x.example;evil@example.com',
    'a@x.example evil@example.com',
    'group: a@x.example, evil@example.com;',
    'group:evil@example.com;',
    'a@x.example\r\nRCPT TO:<evil@example.com>',
    'a@x.example\nevil@example.com',
    'Ada\r\nBcc: evil@example.com <a@x.example>',
    '<a@x.example> <evil@example.com>',
    'a@x.example <evil@example.com>',
    'evil@example.com, Ada <a@x.example>',
    '"x" evil@example.com <a@x.example>',
    'Ada (evil@example.com) <a@x.example>',
    'a@b@example.com',
    '"a@x.example"@example.com',
    'nobody',
    'nobody@',
    '@example.com',
    '.ada@example.com',
    'ada.@example.com',
    'a..da@example.com',
    'ada@example..com',
    'ada@.example.com',
    'ada@example.com.',
    'ada@-example.com',
    'ada@exa|mple.com',
    `ada@${'a'.repeat(64)}.com`,
    `${'ä'.repeat(33)}@example.com`,
    'a@x.example>',
    '',
    `${'a'.repeat(400)}@example.com`,
  ])('should refuse %j', (text) => {
    expect(readMailbox(text)).toBeUndefined();
  });

  it('should take no longer for hostile texts', () => {
    for (const part of ['<', '"', '\\"', ' ', '@', 'a@'])
      expect(readMailbox(`${part.repeat(100_000)}>`)).toBeUndefined();
  });
});

const LONDON = [
  '+442079460018',
  '+44 20 7946 0018',
  '+44 (0)20 7946-0018',
  '0044 020 79460018',
  'tel:+44.20.7946.0018',
];

describe('phoneNumber', () => {
  it.each([
    ...LONDON.map((text) => [text, '+442079460018']),
    ['+15550100', '+15550100'],
    ['015112345', '015112345'],
    ['+49 (151) 123-45', '+4915112345'],
    ['whatsapp:+1 555 0100', 'whatsapp:+15550100'],
    ['72345', '72345'],
    ['＋１５５５０１００', '+15550100'],
    ['+39 06 1234567', '+39061234567'],
    ['+225 07 12345678', '+2250712345678'],
  ])('should read %s', (text, expected) => {
    expect(phoneNumber(text)).toBe(expected);
  });

  it.each([
    ...[
      '+15550100,+15550111',
      '15550100<15550122',
      '+1555;+1666',
      '+1555 +1666',
      '+15550100\n+15550111',
      '1|2',
      '1&to=2',
    ],
    ...['', ' , ', 'Herald', '+1 800 FLOWERS', '+1 555 0100 x12', '15550100 15550111', '0'.repeat(200)],
  ])('should refuse %j', (text) => {
    expect(phoneNumber(text)).toBeUndefined();
  });
});

describe('addressKey', () => {
  it.each([
    ['email', ['Ada@Example.com', ' ada@example.com ', 'Ada L <ADA@EXAMPLE.COM>']],
    [
      'email',
      ['ada@münchen.example', 'ADA@MÜNCHEN.example', 'ada@xn--mnchen-3ya.example', 'ada@mu\u0308nchen.example'],
    ],
    ['email', ['jos\u00e9@example.com', 'jose\u0301@example.com']],
    ['sms', [...LONDON, '442079460018', '4402079460018', 'whatsapp:+442079460018']],
    ['sms', ['+15550100', '1 555 0100', '0015550100', '+1-555-0100']],
    ['sms', ['+39061234567', '0039 06 1234567']],
  ] as const)('should be the same for all forms of an address (%s): %j', (channel, forms) => {
    expect(new Set(forms.map((form) => addressKey(channel, form)))).toHaveProperty('size', 1);
  });

  it.each([
    ['email', 'ada@example.com', 'ada@example.org'],
    ['email', 'ada+news@example.com', 'ada@example.com'],
    ['sms', '+15550100', '+15550101'],
    ['sms', '02079460018', '+442079460018'],
  ] as const)('should tell apart (%s) %s and %s', (channel, one, other) => {
    expect(addressKey(channel, one)).not.toBe(addressKey(channel, other));
  });
});

describe('distinctAddresses', () => {
  it('should leave out what is there already, in any form', () => {
    const mailboxes = ['ann@example.com', 'ANN@example.com', 'bob@example.com'].map((address) => ({ address }));
    expect(distinctAddresses(mailboxes, [{ address: 'Bob@example.com' }])).toEqual([{ address: 'ann@example.com' }]);
  });
});
