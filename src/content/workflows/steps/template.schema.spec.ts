import '../../../../test/support/declared-steps.js';
import fc from 'fast-check';
import { faultsOf as listFaults } from '#libs/validation';
import { STEP_TYPES } from '#libs/plugins';
import { stepTemplate, typeFault } from './template.schema.js';

/** The same cases in every run; another number looks at others. */
fc.configureGlobal({ seed: 20_261_120 });

const PATH = 'steps.0.template';

function faultsOf(template: unknown, stepType?: string): string[] {
  const ofType = stepType === undefined ? undefined : typeFault(template, stepType);
  const faults = listFaults(stepTemplate, template, PATH);
  return ofType === undefined ? faults : [...faults, `${PATH}.type ${ofType}`];
}

describe('stepTemplate', () => {
  describe('when a template is sound', () => {
    const needing = ['ask', 'http_request', 'trigger_workflow'];
    it.each(STEP_TYPES.names.filter((type) => !needing.includes(type)))('should accept the bare type %s', (type) => {
      expect(faultsOf({ type }, type)).toEqual([]);
    });

    it('should ask for the workflow that is to be started', () => {
      expect(faultsOf({ type: 'trigger_workflow' })).toEqual([`${PATH}.workflow must be a string`]);
      expect(faultsOf({ type: 'trigger_workflow', workflow: '{{next}}', recipients: ['{{id}}'] })).toEqual([]);
    });

    it('should ask for the URL of a request', () => {
      expect(faultsOf({ type: 'http_request' }, 'http_request')).toEqual([`${PATH}.url must be a string`]);
      expect(faultsOf({ type: 'http_request', url: 'https://crm.example.com' }, 'http_request')).toEqual([]);
    });

    it('should accept every part of an email', () => {
      const template = {
        type: 'email',
        name: 'Welcome',
        contentType: 'editor',
        subject: 'Hi {{name}}',
        preheader: '{{preview}}',
        senderName: 'Shop {{city}}',
        content: [
          { type: 'text', content: 'Hello {{name}}', styles: { textAlign: 'center' } },
          { type: 'button', content: 'Open', url: '{{link}}' },
        ],
        variables: [{ name: 'user.name', type: 'String', required: true, defaultValue: '' }],
        layoutId: '0123456789abcdef01234567',
        feedId: null,
        actor: null,
        cta: null,
      };
      expect(faultsOf(template, 'email')).toEqual([]);
    });

    it('should accept every part of an in-app message', () => {
      const buttons = [{ type: 'primary', content: 'Ok {{n}}', resultContent: 'Done', url: '/{{x}}', target: '_self' }];
      const template = {
        type: 'in_app',
        title: '{{t}}',
        content: '{{c}}',
        cta: { type: 'redirect', data: { url: '/orders/{{id}}', target: '_blank' }, action: { buttons } },
        feedId: 'ABCDEF0123456789abcdef01',
        actor: { type: 'system_icon', data: 'warning' },
      };
      expect(faultsOf(template)).toEqual([]);
    });
  });

  describe('when a template is faulty', () => {
    it.each([
      ['no object', 'text', ' must be an object'],
      ['no type', {}, '.type must be one of in_app, email, sms, chat, push, digest, delay'],
      ['an unknown content type', { type: 'email', contentType: 'markdown' }, '.contentType must be one of editor'],
      ['a number as content', { type: 'sms', content: 5 }, '.content must be a string'],
      ['blocks outside email', { type: 'sms', content: [] }, '.content must be a string: only email'],
      [
        'blocks as custom HTML',
        { type: 'email', contentType: 'customHtml', content: [] },
        '.content must be a string because',
      ],
      ['a broken content', { type: 'sms', content: '{{#if a}}' }, '.content is not a valid template: a block or an'],
      [
        'too many characters in all blocks',
        { type: 'email', content: Array(10).fill({ type: 'text', content: 'x'.repeat(50_001) }) },
        '.content must hold at most 500000 characters',
      ],
      ['a text block', { type: 'email', content: ['x'] }, '.content.0 must be an object'],
      [
        'an unknown block',
        { type: 'email', content: [{ type: 'carousel', content: '' }] },
        '.content.0.type must be one of',
      ],
      ['an empty block', { type: 'email', content: [{ type: 'text' }] }, '.content.0.content must be a string'],
      [
        'a broken URL',
        { type: 'email', content: [{ type: 'button', content: '', url: '{{' }] },
        '.content.0.url is not',
      ],
      [
        'an unknown alignment',
        { type: 'email', content: [{ type: 'text', content: '', styles: { textAlign: 'top' } }] },
        '.content.0.styles.textAlign must be one of left, center, right',
      ],
      ['a broken subject', { type: 'email', subject: '{{a' }, '.subject is not a valid template'],
      ['a broken title', { type: 'push', title: '{{/a}}' }, '.title is not a valid template'],
      ['a list as preheader', { type: 'email', preheader: [] }, '.preheader must be a string'],
      ['a broken sender name', { type: 'email', senderName: '{{> x}}' }, '.senderName is not a valid template'],
      ['a short feed id', { type: 'in_app', feedId: 'abc' }, '.feedId must be an id of 24'],
      ['a number as layout id', { type: 'email', layoutId: 7 }, '.layoutId must be an id of 24'],
      ['an unknown cta', { type: 'in_app', cta: { type: 'popup' } }, '.cta.type must be one of redirect'],
      ['an empty action', { type: 'in_app', cta: { action: '' } }, '.cta.action must be an object'],
      [
        'a broken cta URL',
        { type: 'in_app', cta: { data: { url: '{{x y}}' } } },
        '.cta.data.url is not a valid template',
      ],
      [
        'text as buttons',
        { type: 'in_app', cta: { action: { buttons: 'x' } } },
        '.cta.action.buttons must be an array',
      ],
      [
        'an unknown button',
        { type: 'in_app', cta: { action: { buttons: [{ type: 'third', content: 'x' }] } } },
        '.cta.action.buttons.0.type must be one of primary, secondary',
      ],
      [
        'a broken button',
        { type: 'in_app', cta: { action: { buttons: [{ type: 'primary', content: '{{' }] } } },
        '.cta.action.buttons.0.content is not a valid template',
      ],
      ['variables as an object', { type: 'sms', variables: {} }, '.variables must be an array'],
      [
        'a nameless variable',
        { type: 'sms', variables: [{ type: 'String' }] },
        '.variables.0.name must be a dotted path',
      ],
      [
        'an unknown variable type',
        { type: 'sms', variables: [{ name: 'a', type: 'Date' }] },
        '.variables.0.type must be',
      ],
      [
        'a variable required by text',
        { type: 'sms', variables: [{ name: 'a', type: 'String', required: 'yes' }] },
        '.variables.0.required must be a boolean',
      ],
      [
        'an object as default',
        { type: 'sms', variables: [{ name: 'a', type: 'String', defaultValue: {} }] },
        '.variables.0.defaultValue must be a string',
      ],
      [
        'a prototype as variable',
        { type: 'sms', variables: [{ name: '__proto__.a', type: 'String' }] },
        '.variables.0.name',
      ],
      ['an unknown actor', { type: 'in_app', actor: { type: 'robot' } }, '.actor.type must be one of none, user'],
      [
        'an unknown icon',
        { type: 'in_app', actor: { type: 'system_icon', data: 'skull' } },
        '.actor.data must be one of',
      ],
    ])('should name %s with its path', (_, template, fault) => {
      const faults = faultsOf(template);
      expect(faults).toHaveLength(1);
      expect(faults[0]).toContain(PATH + fault);
    });

    it('should name a type that differs from the expected one', () => {
      expect(faultsOf({ type: 'sms' }, 'email')).toEqual(['steps.0.template.type must be email']);
    });

    it('should list all faults at once', () => {
      expect(faultsOf({ type: 'email', content: [{}], subject: '{{', feedId: 1 })).toHaveLength(4);
    });
  });

  describe('when it is given anything at all', () => {
    it('should answer with texts that begin with the path', () => {
      const template = fc.record({
        type: fc.constantFrom(...STEP_TYPES.names),
        content: fc.oneof(fc.string(), fc.array(fc.oneof(fc.anything(), fc.record({ content: fc.string() })))),
        subject: fc.anything(),
        cta: fc.oneof(fc.anything(), fc.record({ action: fc.anything(), data: fc.anything() })),
        variables: fc.oneof(fc.anything(), fc.array(fc.anything())),
        actor: fc.anything(),
      });
      fc.assert(
        fc.property(fc.oneof(fc.anything(), template), (value) =>
          faultsOf(value).every((fault) => fault.startsWith(PATH)),
        ),
      );
    });
  });
});
