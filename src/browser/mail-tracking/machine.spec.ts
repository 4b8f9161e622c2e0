import { isMachine } from './machine.js';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

describe('isMachine', () => {
  it.each([
    ['a browser', { 'user-agent': CHROME }],
    [
      'Apple Mail of a person',
      { 'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)' },
    ],
    [
      'the proxy of Gmail',
      { 'user-agent': 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)' },
    ],
    [
      'the proxy of Yahoo',
      { 'user-agent': 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html' },
    ],
    ['somebody who tries a link', { 'user-agent': 'curl/8.5.0' }],
    ['a client that says nothing', {}],
  ])('should take %s for a person', (_who, headers) => expect(isMachine(headers)).toBe(false));

  it.each([
    ['Apple Mail, which loads all pictures', { 'user-agent': 'Mozilla/5.0' }],
    [
      'Gmail in advance',
      {
        'user-agent':
          'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
      },
    ],
    ['a browser in advance', { 'user-agent': CHROME, 'sec-purpose': 'prefetch;prerender' }],
    ['a preview', { 'user-agent': CHROME, 'x-purpose': 'preview' }],
    ['a preview of links', { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }],
    ['a script', { 'user-agent': 'python-requests/2.32.0' }],
    [
      'a browser without a window',
      {
        'user-agent':
          'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0 Safari/537.36',
      },
    ],
  ])('should recognise %s', (_who, headers) => expect(isMachine(headers)).toBe(true));
});
