import '../../../test/support/declared-steps.js';
import { extractTriggerVariables } from './extract-trigger-variables.js';
import { judgedIn, judgeTemplate, languageOf, missingValues, parseTemplate, sizeFault } from './languages.js';
import { mjmlToHtml } from './mjml.js';
import { isCheap } from './render-cost.js';
import { createRenderer, type RenderOptions } from './renderer.js';
import { TemplateError } from './template-error.js';
import type { Wording } from './translate.js';

const renderer = createRenderer();

function render(source: string, data: Record<string, unknown> = {}, options: RenderOptions = {}): string {
  return renderer.render(source, languageOf('liquid').roots(data), { language: 'liquid', ...options });
}

function faultOf(source: string, data: Record<string, unknown> = {}): string {
  try {
    return `rendered: ${render(source, data, { timeoutMs: 300 }).slice(0, 50)}`;
  } catch (error) {
    if (error instanceof TemplateError) return error.message;
    throw error;
  }
}

describe('Liquid', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['Hello {{ payload.name }}', { name: 'Ada' }, 'Hello Ada'],
    ['Hello {{name}}', { name: 'Ada' }, 'Hello Ada'],
    ["Hello {{ payload.name | default: 'there' }}", {}, 'Hello there'],
    ["{{subscriber.firstName | default: 'there'}}", { subscriber: { firstName: 'Ada' } }, 'Ada'],
    ['{% if payload.vip %}VIP{% else %}you{% endif %}', { vip: true }, 'VIP'],
    ['{% unless payload.vip %}you{% endunless %}', {}, 'you'],
    [
      '{% for item in payload.items %}{{ forloop.index }}:{{ item.name }};{% endfor %}',
      { items: [{ name: 'a' }, { name: 'b' }] },
      '1:a;2:b;',
    ],
    ["{% case payload.state %}{% when 'new' %}New{% else %}Old{% endcase %}", { state: 'new' }, 'New'],
    ['{% assign total = payload.a | plus: payload.b %}{{ total | times: 2 }}', { a: 1, b: 2 }, '6'],
    ["{{ payload.events | pluralize: 'comment', 'comments' }}", { events: [1, 2] }, '2 comments'],
    ["{{ payload.n | pluralize: 'comment', 'comments', 'false' }}", { n: 1 }, 'comment'],
    [
      "{{ payload.events | toSentence: 'payload.name', 2, 'other' }}",
      { events: ['A', 'B', 'C'].map((name) => ({ payload: { name } })) },
      'A, B, and 1 other',
    ],
    ['{{ payload.names | digest: 2 }}', { names: ['A', 'B', 'C', 'D'] }, 'A, B and 2 others'],
    ["{{ payload.day | date: '%Y-%m-%d' }}", { day: '2026-03-01T10:00:00Z' }, '2026-03-01'],
    ['{{ payload.list }} {{ payload.object }}', { list: ['a', 'b'], object: { a: 1 } }, 'ab {&quot;a&quot;:1}'],
    ['{{ payload.n | numberFormat }} {{ payload.word | titlecase }}', { n: 1234.5, word: 'hello' }, '1,234.50 Hello'],
    ['{%- comment -%} no {%- endcomment -%}{% raw %}{{ x }}{% endraw %}', {}, '{{ x }}'],
  ])('should render %j with %j', (source, data, expected) => {
    expect(render(source, data)).toBe(expected);
  });

  describe('when values are shown in HTML', () => {
    it.each([
      ['{{ payload.x }}', '&lt;b&gt;&quot;&#39;&amp;'],
      ['{{ payload.x | escape }}', '&lt;b&gt;&#34;&#39;&amp;'],
      ['{{ payload.x | upcase }}', '&lt;B&gt;&quot;&#39;&amp;'],
      ['{% echo payload.x %}', '&lt;b&gt;&quot;&#39;&amp;'],
      ["{{ '%3Cb%3E' | url_decode }}", '&lt;b&gt;'],
      ['{{ payload.x | raw }}', '<b>"\'&'],
      ['{{ payload.lines | newline_to_br }}', '&lt;a<br />\nb'],
      ['{% capture y %}{{ payload.x }}{% endcapture %}{{ y | raw }}', '&lt;b&gt;&quot;&#39;&amp;'],
    ])('should escape %s', (source, expected) => {
      expect(render(source, { x: '<b>"\'&', lines: '<a\nb' })).toBe(expected);
    });

    it('should escape nothing in text', () => {
      expect(render('{{ payload.x }}', { x: '<b>' }, { escaping: 'none' })).toBe('<b>');
    });
  });

  describe('when a template is hostile', () => {
    it.each([
      ['a range', '{% for i in (1..1000000000) %}x{% endfor %}', 'too much memory'],
      ['a range of a payload', '{% for i in (1..payload.n) %}x{% endfor %}', 'too much memory'],
      ['a range in a condition', '{% if (1..1000000000) contains 5 %}x{% endif %}', 'too much memory'],
      [
        'loops in loops',
        `${'{% for a in (1..1000) %}'.repeat(4)}{{ a }}${'{% endfor %}'.repeat(4)}`,
        /too much memory|longer than/,
      ],
      [
        'silent loops in loops',
        `${'{% for a in (1..1000) %}'.repeat(4)}${'{% endfor %}'.repeat(4)}`,
        /too much memory|longer than/,
      ],
      [
        'doubling',
        `{% assign x = 'xxxxxxxx' %}${'{% assign x = x | append: x %}'.repeat(40)}{{ x }}`,
        'too much memory',
      ],
      [
        'captures',
        `{% capture x %}xxxxxxxx{% endcapture %}${'{% capture x %}{{ x }}{{ x }}{% endcapture %}'.repeat(40)}{{ x }}`,
        'too much memory',
      ],
      [
        'replacing',
        "{% assign x = payload.long | replace: 'x', payload.long %}{{ x | replace: 'x', payload.long }}",
        'too much memory',
      ],
      ['a long output', '{% for i in (1..100) %}{{ payload.long }}{% endfor %}', 'the output is longer than'],
      ['a wide date', "{{ 'now' | date: '%999999999d' }}", 'too much memory'],
      ['files', "{% render '/etc/passwd' %}", 'render %} is not available'],
      ['including', "{% include 'x' %}", 'include %} is not available'],
      ['layouts', "{% layout 'x' %}", 'layout %} is not available'],
      ['prototypes', '{{ payload.constructor.constructor }}', 'the name "constructor" is not allowed'],
      ['prototypes by bracket', "{{ payload['__proto__'] }}", 'the name "__proto__" is not allowed'],
      ['prototypes of translations', '{{ t[payload.key].x }}{{ t[payload.made] }}', 'cannot be rendered'],
      ['nesting', `${'{% if a %}'.repeat(40)}${'{% endif %}'.repeat(40)}`, 'nested at most 32 levels deep'],
      ['deep nesting', `${'{% if a %}'.repeat(900)}${'{% endif %}'.repeat(900)}`, /nested/],
      ['many tags', '{{ a }}'.repeat(2_001), 'at most 2000 expressions and tags'],
      ['a long tag', `{{ '${'x'.repeat(2_000)}' }}`, 'at most 2000 characters'],
    ])('should bound %s', (_name, source, expected) => {
      const result = parseTemplate(source, 'liquid');
      const fault = result.ok
        ? faultOf(source, { key: '__proto__', made: 'constructor', n: 1e12, long: 'x'.repeat(20_000) })
        : result.message;
      expect(fault).toMatch(expected);
    });

    it('should read own properties only', () => {
      const data = { key: '__proto__', list: [1], text: 'x', t2: {} };
      const source = '[{{ payload[payload.key].x }}{{ payload.text.at }}{{ payload.list.push }}]';
      expect(render(source, data, { escaping: 'none' })).toBe('[]');
    });

    it('should leave the data as it is', () => {
      const data = { n: 1 };
      expect(render('{% increment n %}{% increment n %}{% assign m = 2 %}', data)).toBe('12');
      expect(data).toEqual({ n: 1 });
    });

    it('should compute multiplications without end', () => {
      expect(render(`{{ 9${' | times: 999999999'.repeat(60)} }}`)).toBe('Infinity');
    });
  });

  it.each([
    ['Hello\n{% if a %}x', 'is not closed; close it with {% endif %} (line 2, column 1)'],
    ['{{ a', 'an expression is not closed; close it with "}}" (line 1'],
    ['{% if a', 'a tag is not closed; close it with "%}" (line 1'],
    ['{{ a | shout }}', 'there is no filter named "shout"; the manual lists'],
    ['{% shout %}', 'there is no tag named "shout" (line 1'],
    ['a\n\n{% endif %}', 'stands where no tag is open that it belongs to; remove it, or open the tag (line 3'],
    ['{{#if a}}x{{/if}}', 'in this workflow, templates are Liquid'],
    ['{% for a of b %}{% endfor %}', 'in this workflow, templates are Liquid'],
  ])('should say what is wrong with %j', (source, expected) => {
    expect(parseTemplate(source, 'liquid')).toMatchObject({
      ok: false,
      message: expect.stringContaining(expected) as string,
    });
  });

  it.each(["{{ payload.name | default: 'x' }}", '{% for a in (1..3) %}{{ a b }}{% endfor %}'])(
    'should say that %s could be Liquid where it is not',
    (source) => {
      const result = judgedIn('handlebars', () => judgeTemplate(source));
      expect(result).toMatchObject({
        message: expect.stringContaining("set the workflow's templateLanguage to liquid") as string,
      });
    },
  );

  it('should find the variables of a payload, as payloads have them', () => {
    const content =
      '{{ payload.order.id }} {{ name | default: fallback }} {% if payload.vip %}{% endif %}{% if a == b.c %}{% endif %}' +
      '{% for item in payload.items limit: payload.max %}{{ item.price }} {{ forloop.index }}{% endfor %}' +
      "{% assign own = payload.x %}{{ own }} {{ payload.list.size }} {{ payload.tags | join: ', ' }} {{ t.key }} {{ 'k' | t: n: count }} {{ payload.rows[0].id }} {{ subscriber.email }}";
    expect(extractTriggerVariables([{ template: { type: 'sms', content } }], 'liquid').variables).toEqual(
      [
        ['order.id', 'String'],
        ['name', 'String'],
        ['fallback', 'String'],
        ['vip', 'Boolean'],
        ['a', 'String'],
        ['b.c', 'String'],
        ['items', 'Array'],
        ['max', 'String'],
        ['x', 'String'],
        ['list', 'Array'],
        ['tags', 'Array'],
        ['count', 'String'],
        ['rows.0.id', 'String'],
      ].map(([name, type]) => ({ name, type })),
    );
  });

  it.each<[string, Record<string, unknown>, string[]]>([
    ['{{ payload.a }} {{ b.c }}', {}, ['a', 'b.c']],
    ["{{ a | default: 'x' }} {{ b }}", { b: null }, []],
    ['{% if a %}{{ b }}{% else %}{{ c }}{% endif %}', {}, ['c']],
    ['{% unless a %}{{ b }}{% endunless %}', {}, ['b']],
    ["{% case a %}{% when 'x' %}{{ b }}{% else %}{{ c }}{% endcase %}", { a: 'x' }, ['b']],
    ['{% for i in payload.items %}{{ i.price }}{% endfor %}', { items: [{ price: 1 }, {}] }, ['items[].price']],
    ['{% for i in items %}{{ i }}{% endfor %}', {}, ['items']],
    ['{% for i in items %}{{ i }}{% else %}{{ none }}{% endfor %}', {}, ['none']],
    ['{% assign a = b %}{{ a }}{% capture c %}x{% endcapture %}{{ c }}', {}, []],
    ['{% for i in (1..1000000000) %}{{ b }}{% endfor %}', {}, []],
    ['{{ t.key }} {{ a | upcase }} {% broken', { a: 1 }, []],
  ])('should find what %s misses', (source, data, expected) => {
    expect(missingValues([source], languageOf('liquid').roots(data), 'liquid')).toEqual(expected);
  });

  it('should translate', () => {
    const words = {
      hello: { message: 'Hallo {name}', locale: 'de' },
      'a.b': { message: '<b>Bestellung</b>', locale: 'de' },
    };
    const dictionary = { locale: 'de', words, longest: 20, braces: 1 };
    const wording: Wording = { dictionary, timeZone: 'UTC', missing: new Set() };
    const source =
      "{{ 'hello' | t: name: payload.name }}|{{ t.a.b }}|{{ 'hello' | t_html: name: payload.name }}|{{ t.none }}";
    expect(render(source, { name: '<i>' }, { wording })).toBe(
      'Hallo &lt;i&gt;|&lt;b&gt;Bestellung&lt;/b&gt;|Hallo &lt;i&gt;|none',
    );
    expect([...wording.missing]).toEqual(['none']);
  });

  it.each([
    ['{{ payload.a | upcase }}{% if a %}{{ b }}{% endif %}', true],
    ['{% for i in payload.items %}{{ i.name }}{% endfor %}', true],
    ['{% for i in (1..100) %}{{ i }}{% endfor %}', false],
    ['{{ (1..1000000) }}', false],
    ['{% assign a = b | append: b %}', false],
    ["{{ a | replace: '', a }}", false],
    ['{% capture x %}x{% endcapture %}', false],
  ])('should know whether %s is quick', (source, expected) => {
    expect(isCheap(source, { parts: 5, characters: 100 }, { language: 'liquid' })).toBe(expected);
  });

  it('should be kept as it is by MJML, tags included', () => {
    const html = mjmlToHtml(
      "<mjml><mj-body><mj-section><mj-column><mj-text>{% if payload.a < 2 and b == '}}' %}{{ '}}' | append: \"<b>\" }}{% endif %}</mj-text></mj-column></mj-section></mj-body></mjml>",
      'liquid',
    );
    expect(html).toContain("{% if payload.a < 2 and b == '}}' %}{{ '}}' | append: \"<b>\" }}{% endif %}");
  });

  it('should count the expressions of all texts together', () => {
    const texts = Array.from({ length: 20 }, () => '{{ a.b.c }}'.repeat(100));
    expect(sizeFault(texts, 'liquid')).toMatch('has expressions of more than 10000');
  });
});
