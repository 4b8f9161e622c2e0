import { helloName } from './smtp-transports.js';

describe('the name with which a connection greets', () => {
  it.each([
    ['mail.example.com', 'news@example.org', {}],
    ['f3a1b2c4d5e6', 'news@example.org', { name: 'example.org' }],
    ['f3a1b2c4d5e6', 'News <news@bücher.example>', { name: 'xn--bcher-kva.example' }],
    ['10.0.0.7', 'news@example.org', { name: 'example.org' }],
    ['f3a1b2c4d5e6', 'news@localhost', {}],
    ['f3a1b2c4d5e6', undefined, {}],
  ])('should, on %s with the sender %s, be %j', (machine, from, wanted) => {
    expect(helloName(from === undefined ? {} : { from }, machine)).toEqual(wanted);
  });
});
