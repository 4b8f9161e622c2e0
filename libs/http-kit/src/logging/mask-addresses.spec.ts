import { maskAddresses } from './mask-addresses.js';

describe('maskAddresses', () => {
  it.each([
    ['550 5.1.1 <ada.lovelace@example.com>: no such user', '550 5.1.1 <***@example.com>: no such user'],
    ["The number '+491701234567' is not valid.", "The number '+***67' is not valid."],
    [`Token ${'a1'.repeat(32)} is not registered.`, 'Token *** is not registered.'],
    ["Provider 'sendgrid' did not answer within 15000 ms.", "Provider 'sendgrid' did not answer within 15000 ms."],
    ['', ''],
  ])('should make %j into %j', (text, masked) => {
    expect(maskAddresses(text)).toBe(masked);
  });
});
