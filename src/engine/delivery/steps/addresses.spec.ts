import { isOnePhone, readMailbox } from './addresses.js';

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

describe('isOnePhone', () => {
  it.each(['+15550100', '015112345', '+49 (151) 123-45', 'whatsapp:+15550100', '72345', 'Herald'])(
    'should take %s',
    (text) => {
      expect(isOnePhone(text)).toBe(true);
    },
  );

  it.each(['+15550100,+15550111', '1<2', '+1555;+1666', '+1555 +1666', '+1555\n+1666', '1|2', '1&to=2', '', ' , '])(
    'should refuse %j',
    (text) => {
      expect(isOnePhone(text)).toBe(false);
    },
  );
});
