import '../../../test/support/declared-steps.js';
import { faultsOf } from '#libs/validation';
import {
  finished,
  linkFault,
  RENDERED_FIELDS,
  renderedFields,
  type TextContext,
  withTexts,
} from './rendered-fields.js';
import { stepTemplate } from '../../../src/content/workflows/steps/template.schema.js';

const blockWith = (text: string): Record<string, unknown> => ({
  ...{ type: 'product', content: text, url: text, price: text, links: [{ text, url: text }], styles: {} },
  // Paths, which are no templates.
  ...{ each: 'items', showIf: 'items' },
});

/** With the same text in every member that takes one. */
function filledWith(text: string, type: string): Record<string, unknown> {
  const link = { url: text, target: text };
  return {
    ...{ type, name: text, subject: text, title: text, preheader: text, senderName: text, variables: [] },
    ...{ groupKey: text, replaces: text },
    content:
      type === 'email' ? [{ ...blockWith(text), type: 'columns', columns: [{ blocks: [blockWith(text)] }] }] : text,
    actor: { type: 'system_custom', data: text },
    cta: {
      type: 'redirect',
      data: link,
      action: { buttons: [{ type: 'primary', content: text, resultContent: text, ...link }] },
    },
  };
}

const ALL = Object.values<Readonly<Record<string, TextContext>>>(RENDERED_FIELDS).flatMap((fields) =>
  Object.keys(fields),
);
const patternOf = (path: string): string => path.replaceAll(/\.\d+/g, '.*');

describe('RENDERED_FIELDS', () => {
  it.each(Object.keys(RENDERED_FIELDS))(
    'should have every member of a step of %s that is checked as a template',
    (type) => {
      const faults = faultsOf(stepTemplate, filledWith('{{', type), 't');
      const checked = faults.map((fault) => patternOf((fault.split(' ')[0] ?? '').slice('t.'.length)));
      expect(checked.filter((path) => !ALL.includes(path))).toEqual([]);
      const rendered = renderedFields(type, filledWith('{{', type)).map(({ path }) => patternOf(path));
      expect(rendered.filter((path) => !checked.includes(path))).toEqual([]);
      expect(rendered.length).toBeGreaterThan(0);
    },
  );

  it('should be none of steps that send nothing', () => {
    expect(renderedFields('delay', filledWith('x', 'delay'))).toEqual([]);
    expect(renderedFields('constructor', filledWith('x', 'constructor'))).toEqual([]);
  });
});

describe('withTexts', () => {
  it('should replace texts by their paths, and nothing else', () => {
    const cta = {
      type: 'redirect',
      data: { url: 'a', target: 'a' },
      action: { buttons: [{ content: 'a', url: null }, { n: 1 }] },
    };
    const texts = new Map([
      ['cta.data.url', 'b'],
      ['cta.action.buttons.0.content', ''],
    ]);
    expect(withTexts(cta, texts, 'cta')).toEqual({
      ...cta,
      data: { url: 'b', target: 'a' },
      action: { buttons: [{ content: '' }, { n: 1 }] },
    });
  });
});

describe('the context of a text', () => {
  it.each<[TextContext, string, string | undefined]>([
    ['text', 'a\n<b>', 'a\n<b>'],
    ['html', '<b>', '<b>'],
    ['line', ' a\r\nBcc: x \u0000', 'a Bcc: x'],
    ['link', 'myapp://a?b=c&d', 'myapp://a?b=c&d'],
    ['link', 'java\nscript:alert(1)', undefined],
    ['mailLink', 'https://example.com/?a=1&b', 'https://example.com/?a=1&b'],
    ['mailLink', 'myapp://a', undefined],
  ])('should, as %s, make %j %j', (as, text, wanted) => {
    expect(finished(text, as)).toBe(wanted);
  });

  it.each<[TextContext, string, boolean]>([
    ['link', 'javascript:alert({{x}})', true],
    ['link', 'data:{{x}}', true],
    ['link', '{{scheme}}:alert(1)', false],
    ['link', 'myapp://{{x}}', false],
    ['link', '/orders/{{x}}', false],
    ['link', '', false],
    ['mailLink', 'myapp://{{x}}', true],
    ['mailLink', 'mailto:{{x}}', false],
    ['text', 'javascript:alert(1)', false],
    ['html', 'javascript:alert(1)', false],
  ])('should, as %s, judge %j when it is saved: %j', (as, source, isRefused) => {
    expect(linkFault({ source, as }) !== undefined).toBe(isRefused);
  });

  it('should be told in the words of the field', () => {
    const [fault] = faultsOf(stepTemplate, filledWith('javascript:{{x}}', 'in_app'), 'template');
    expect(fault).toBe('template.cta.data.url must not have a scheme that can run code, such as javascript: or data:');
  });
});
