import { withoutMarks } from './marked-values.js';
import { createRenderer } from './renderer.js';
import type { TemplateLanguage } from './template.types.js';

const renderer = createRenderer();
const VALUES = { name: '<!channel>', list: ['a', '<b>'], empty: '', forged: 'a\uFDD1<!here>\uFDD0b', n: 7 };
const shown = (source: string, language: TemplateLanguage = 'handlebars'): string => {
  const words = { hello: { message: '<https://a.example|Hello> {name}', locale: 'en' } };
  const wording = { dictionary: { locale: 'en', words }, timeZone: 'UTC', missing: new Set<string>() };
  const text = renderer.render(
    source,
    { ...VALUES, ...(language === 'liquid' && { payload: VALUES }) },
    {
      escaping: 'marks',
      wording: wording as never,
      language,
    },
  );
  return withoutMarks(text, (value) => `[${value}]`);
};

describe('marked values', () => {
  it.each([
    ['<@U1> hello {{name}}', '<@U1> hello [<!channel>]'],
    ['{{{name}}} and {{&name}}', '<!channel> and <!channel>'],
    ['{{#each list}}{{this}},{{/each}}{{n}}{{empty}}', '[a],[<b>],[7]'],
    ['{{uppercase name}}{{#if name}}x{{/if}}', '[<!CHANNEL>]x'],
    ['{{t "hello" name=name}}', '<https://a.example|Hello> [<!channel>]'],
    ['{{forged}}', '[a<!here>b]'],
  ])('should tell them from what an author wrote: %s', (source, text) => expect(shown(source)).toBe(text));

  it.each([
    ['<@U1> hello {{name}}', '<@U1> hello [<!channel>]'],
    ['{{ name | raw }}', '<!channel>'],
    ['{% for one in list %}{{ one }},{% endfor %}{{ n }}{{ empty }}', '[a],[<b>],[7]'],
    ['{{ name | upcase }}', '[<!CHANNEL>]'],
    ['{% capture all %}hi {{ name }}{% endcapture %}{{ all }}', '[hi <!channel>]'],
    ["{{ 'hello' | t: name: name }}", '<https://a.example|Hello> [<!channel>]'],
    ['{{ t.hello }}', '<https://a.example|Hello> '],
  ])('should do so in Liquid: %s', (source, text) => expect(shown(source, 'liquid')).toBe(text));

  it('should leave no marks in what has none to replace', () => {
    expect(withoutMarks('a \uFDD0b\uFDD1 \uFDD0')).toBe('a b ');
  });
});
