import { CHAT_DECLARATIONS } from '../catalogue/chat.js';
import { escapeValue } from './value-escapes.js';

const shown = (id: string, value: string, fields = {}): string =>
  escapeValue(
    CHAT_DECLARATIONS.find((one) => one.id === id),
    value,
    fields,
  ).replaceAll('\u200b', '|');

describe('values in chats', () => {
  it.each([
    ['slack', '<!channel> & <@U1>', '&lt;!channel&gt; &amp; &lt;@U1&gt;'],
    ['slack-app', '<https://evil.example|Pay>', '&lt;https://evil.example|Pay&gt;'],
    ['discord', '@everyone <@123> <@&9> <#1>', '@|everyone <@|123> <@|&9> <|#1>'],
    ['mattermost', 'hi @All, @here. (@ada) <!channel>', 'hi @|All, @|here. (@|ada) <|!channel>'],
    ['rocket-chat', '@all', '@|all'],
    ['zulip', '@**all** @_**Ada** <!everyone>', '@|**all** @|_**Ada** <|!everyone>'],
    ['ryver', '@team', '@|team'],
    ['matrix', '@room', '@|room'],
    ['google-chat', '<users/all> Ada', '<|users/all> Ada'],
    ['telegram', '<b>@ada</b> *', '<b>@ada</b> *'],
  ])('should be no commands of %s: %s', (id, value, expected) => expect(shown(id, value)).toBe(expected));

  it.each(['discord', 'mattermost', 'matrix'])('should leave addresses as they are in %s', (id) => {
    for (const value of ['ada@example.com', 'ada@here.example', 'https://a.example/@ada/1?x=@y', 'a < b', 'a@b'])
      expect(shown(id, value)).toBe(value);
  });

  it.each([
    ['HTML', '<b>&', '&lt;b&gt;&amp;'],
    ['MarkdownV2', 'a.b_[x](y)!\\', 'a\\.b\\_\\[x\\]\\(y\\)\\!\\\\'],
    ['Markdown', '_a_ [b]', '\\_a\\_ \\[b]'],
    ['__proto__', '<b>', '<b>'],
  ])('should be texts for Telegram with parse_mode %s', (mode, value, expected) => {
    expect(shown('telegram', value, { parse_mode: mode })).toBe(expected);
  });

  it('should take little time, whatever they are', () => {
    const began = process.cpuUsage();
    for (const part of ['@', '<', '<users', '@everyone', '&']) shown('discord', part.repeat(200_000));
    expect(process.cpuUsage(began).user / 1_000).toBeLessThan(1_000);
  });
});
