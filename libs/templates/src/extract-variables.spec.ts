import '../../../test/support/declared-steps.js';
import { extractTriggerVariables } from './extract-trigger-variables.js';
import { extractVariables } from './extract-variables.js';
import { TemplateError } from './template-error.js';

/** `name:type` for each variable, the shortest form that shows both. */
function namesIn(source: string): string[] {
  return extractVariables(source).map(({ name, type }) => `${name}:${type}`);
}

describe('extractVariables', () => {
  describe('when a template reads from its root', () => {
    it.each([
      ['plain text', []],
      ['{{name}} {{{order.total}}} {{name}}', ['name:String', 'order.total:String']],
      ['{{this.name}} {{./name}} {{this}} {{.}}', ['name:String']],
      ['{{@root.user.name}} {{@index}}', ['user.name:String']],
      ['{{items.[0].name}}', ['items.0.name:String']],
      ['{{#if paid}}{{total}}{{else}}{{due}}{{/if}}', ['paid:Boolean', 'total:String', 'due:String']],
      ['{{#unless paid}}x{{/unless}}', ['paid:Boolean']],
      ['{{#if (gt count 3)}}x{{/if}}', ['count:String']],
      [
        '{{#each items}}{{name}}{{this.price}}{{../shop}}{{@root.vat}}{{/each}}',
        ['items:Array', 'shop:String', 'vat:String'],
      ],
      ['{{#each items as |item i|}}{{item.name}}{{i}}{{shop}}{{/each}}', ['items:Array']],
      [
        '{{#each a}}{{#each b}}{{../../c}}{{../d}}{{/each}}{{else}}{{none}}{{/each}}',
        ['a:Array', 'c:String', 'none:String'],
      ],
      [
        '{{#with user}}{{name}}{{address.city}}{{../title}}{{/with}}',
        ['user.name:String', 'user.address.city:String', 'title:String'],
      ],
      ['{{#with user as |u|}}{{u.name}}{{/with}}', ['user.name:String']],
      ['{{#with user}}hello{{/with}}', ['user:String']],
      ['{{#with user}}{{#each tags}}{{label}}{{/each}}{{/with}}', ['user.tags:Array']],
      ['{{#section}}{{inner}}{{/section}}{{^missing}}none{{/missing}}', ['section:Array', 'missing:Boolean']],
      [
        '{{uppercase name}} {{numberFormat price decimalLength=digits}}',
        ['name:String', 'price:String', 'digits:String'],
      ],
      ['{{#each (sortBy (unique people "id") key)}}{{name}}{{/each}}', ['people:Array', 'key:String']],
      ['{{#equals a.b "x"}}{{c}}{{/equals}}', ['a.b:String', 'c:String']],
      ['{{#if a}}{{a}}{{/if}}', ['a:String']],
      ['{{"literal"}} {{eq 1 true}}', []],
    ])('should find the variables of %j', (source, expected) => {
      expect(namesIn(source)).toEqual(expected);
    });
  });

  describe('when a template cannot be read', () => {
    it('should throw a TemplateError', () => {
      expect(() => extractVariables('{{#if a}}')).toThrow(TemplateError);
    });
  });
});

describe('extractTriggerVariables', () => {
  describe('when the steps are of all channels', () => {
    it('should read exactly the parts that the channel uses', () => {
      const steps = [
        { template: { type: 'in_app', content: '{{a}}', cta: { data: { url: '/x/{{b}}' } }, title: '{{a1}}' } },
        { template: { type: 'sms', content: '{{c}}', title: '{{no1}}' } },
        { template: { type: 'push', content: '{{d}}', title: '{{e}}' } },
        {
          template: {
            type: 'email',
            subject: '{{f}}',
            content: [
              { type: 'text', content: '{{g}}' },
              { type: 'button', content: '{{h}}', url: '{{i}}' },
            ],
          },
        },
        {
          template: {
            type: 'email',
            subject: '{{i1}}',
            preheader: '{{i2}}',
            senderName: '{{i3}}',
            content: '<p>{{j}}</p>',
          },
        },
        {
          template: {
            type: 'in_app',
            content: 'x',
            cta: {
              action: { buttons: [{ type: 'primary', content: '{{j1}}', resultContent: '{{j2}}', url: '/{{j3}}' }] },
            },
          },
        },
        { template: { type: 'chat', content: '{{#each k}}{{x}}{{/each}}{{#if l}}{{/if}}' } },
      ];
      const { variables } = extractTriggerVariables(steps);
      expect(variables.map(({ name, type }) => `${name}:${type}`)).toEqual([
        'a1:String',
        'a:String',
        'b:String',
        'c:String',
        'e:String',
        'd:String',
        'f:String',
        'g:String',
        'h:String',
        'i:String',
        'i1:String',
        'i2:String',
        'i3:String',
        'j:String',
        'j1:String',
        'j2:String',
        'j3:String',
        'k:Array',
        'l:Boolean',
      ]);
    });

    it('should name the addresses that sms and email need, phone first', () => {
      const steps = [{ template: { type: 'email', content: '' } }, { template: { type: 'sms', content: '' } }];
      expect(extractTriggerVariables(steps).subscriberVariables).toEqual([{ name: 'phone' }, { name: 'email' }]);
      expect(extractTriggerVariables([{ template: { type: 'chat' } }]).subscriberVariables).toEqual([]);
    });
  });

  describe('when conditions and metadata name payload keys', () => {
    it('should add them as strings', () => {
      const steps = [
        {
          template: { type: 'sms', content: 'x' },
          filters: [
            {
              children: [
                { on: 'payload', field: 'order.total' },
                { on: 'subscriber', field: 'locale' },
              ],
            },
          ],
        },
        { template: { type: 'delay' }, metadata: { type: 'scheduled', delayPath: 'sendAt' } },
        { template: { type: 'delay' }, metadata: { type: 'regular', delayPath: 'unused' } },
        { template: { type: 'digest' }, metadata: { type: 'regular', digestKey: 'post.id' } },
        { template: { type: 'digest' }, metadata: { type: 'regular', digestKey: 'payload.post.kind' } },
      ];
      expect(extractTriggerVariables(steps).variables).toEqual([
        { name: 'order.total', type: 'String' },
        { name: 'sendAt', type: 'String' },
        { name: 'post.id', type: 'String' },
        { name: 'post.kind', type: 'String' },
      ]);
    });
  });

  describe('when templates use system variables', () => {
    it('should leave them out and reserve tenant and actor', () => {
      const content =
        '{{subscriber.name}}{{#each step.events}}{{/each}}{{branding.logo}}{{tenant.name}}{{actor.x}}{{own}}';
      expect(extractTriggerVariables([{ template: { type: 'chat', content } }])).toEqual({
        variables: [{ name: 'own', type: 'String' }],
        reservedVariables: [
          { type: 'tenant', variables: [{ name: 'identifier', type: 'String' }] },
          { type: 'actor', variables: [{ name: 'subscriberId', type: 'String' }] },
        ],
        subscriberVariables: [],
      });
    });
  });

  describe('when a name appears in several steps', () => {
    it('should list it once, with the last type', () => {
      const steps = [
        { template: { type: 'chat', content: '{{items}}' } },
        { template: { type: 'chat', content: '{{#each items}}x{{/each}}' } },
      ];
      expect(extractTriggerVariables(steps).variables).toEqual([{ name: 'items', type: 'Array' }]);
    });
  });

  describe('when a step has variants', () => {
    it('should count what they read', () => {
      const step = {
        template: { type: 'chat', content: '{{a}}' },
        variants: [{ template: { type: 'chat', content: '{{b}}' } }],
      };
      expect(extractTriggerVariables([step]).variables.map(({ name }) => name)).toEqual(['a', 'b']);
    });
  });

  describe('when there is nothing to read', () => {
    it('should answer three empty lists', () => {
      expect(extractTriggerVariables([{}, { template: null, filters: null, metadata: null }])).toEqual({
        variables: [],
        reservedVariables: [],
        subscriberVariables: [],
      });
    });
  });
});
