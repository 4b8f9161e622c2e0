import { helloName } from './smtp-transports.js';

describe('the name with which a connection greets', () => {
  it.each([
    [{ from: 'news@example.org' }, { name: 'example.org' }],
    [{ from: 'News <news@bücher.example>' }, { name: 'xn--bcher-kva.example' }],
    [{ from: ' news@example.org\n' }, { name: 'example.org' }],
    [{ from: 'news@example.org', helloName: 'mail.example.com' }, { name: 'mail.example.com' }],
    [{ from: 'news@localhost' }, {}],
    [{}, {}],
  ])('should, for %j, be %j', (credentials, wanted) => {
    expect(helloName(credentials)).toEqual(wanted);
  });
});
