import type { TestSession } from '../harness/index.js';
import { dataOf, fieldsOf, type Json } from '../support/answers.js';
import { createWorkflow, generalGroupId, stepFactory, stepsOf, workflowPath } from '../factories/workflow.factory.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();
let session: TestSession;
let notificationGroupId: string;
beforeAll(async () => {
  session = await api.session();
  notificationGroupId = await generalGroupId(session);
});

const refusalOf = async (steps: Json[], path = '/v1/workflows'): Promise<string[]> => {
  const { body } = await session.post(path, { name: 'x', notificationGroupId, steps }).expect(422);
  expect(body).toMatchObject({ statusCode: 422, code: 'steps_not_runnable' });
  return (body as { message: string[] }).message;
};
const okay = stepFactory();

describe.each(['/v1/workflows', '/v1/notification-templates'])('steps that cannot run, with POST %s', (path) => {
  it.each(['custom', 'trigger'])('should refuse a step of the type %s, with its path and what to do', async (type) => {
    const [fault, ...others] = await refusalOf([okay, { template: { type, content: 'x' } }], path);
    expect(fault).toMatch(new RegExp(`^steps\\.1\\.template\\.type must not be ${type}: .*Use one of in_app, email`));
    expect(others).toEqual([]);
  });

  it.each(['in_app', 'email', 'sms', 'chat', 'push'])(
    'should refuse a step of the type %s without content',
    async (type) => {
      const steps = [undefined, null, '', ' \n'].map((content) => ({
        template: { type, content, title: 't', subject: 's' },
      }));
      const faults = await refusalOf([okay, okay, ...steps], path);
      expect(fieldsOf(faults)).toEqual([2, 3, 4, 5].map((n) => `steps.${n}.template.content`));
    },
  );

  it('should refuse blocks that say nothing, and look into variants', async () => {
    const variant = {
      template: { type: 'email' },
      filters: [{ children: [{ on: 'payload', field: 'a', operator: 'IS_DEFINED' }] }],
    };
    const empty = [{ type: 'text', content: '' }];
    const faults = await refusalOf(
      [
        { template: { type: 'email', content: [] } },
        { template: { type: 'email', content: empty } },
        { template: { type: 'email', content: 'x' }, variants: [variant] },
      ],
      path,
    );
    expect(fieldsOf(faults)).toEqual([
      'steps.0.template.content',
      'steps.1.template.content',
      'steps.2.variants.0.template.content',
    ]);
  });
});

describe('steps that can run', () => {
  it('should take mails without a subject, and digests and delays without content', async () => {
    const made = await createWorkflow(session, {
      steps: [
        { template: { type: 'email', content: [{ type: 'text', content: 'Hello' }] } },
        { template: { type: 'digest' }, metadata: { type: 'regular', amount: 1, unit: 'minutes' } },
        { template: { type: 'delay' }, metadata: { type: 'regular', amount: 1, unit: 'minutes' } },
      ],
    });
    expect(stepsOf(made)).toHaveLength(3);
  });
});

describe.each([
  ['PUT /v1/workflows', workflowPath],
  ['PUT /v1/notification-templates', (workflow: Json) => `/v1/notification-templates/${String(workflow['_id'])}`],
] as const)('steps that cannot run, with %s', (_case, pathOf) => {
  it('should be refused and change nothing', async () => {
    const made = await createWorkflow(session, { steps: [okay] });
    const steps = [{ template: { type: 'custom' } }, { template: { type: 'sms' } }];
    const { body } = await session.put(pathOf(made), { name: 'Other', notificationGroupId, steps }).expect(422);
    expect((body as { message: string[] }).message).toHaveLength(2);
    expect(dataOf(await session.get(workflowPath(made)).expect(200))).toEqual(made);
  });

  it('should keep the content of a step that is named without it', async () => {
    const made = await createWorkflow(session, { steps: [okay] });
    const [step] = stepsOf(made);
    const steps = [{ _templateId: step?.['_templateId'], template: { type: 'in_app' } }];
    const changed = dataOf(await session.put(pathOf(made), { name: 'Other', notificationGroupId, steps }).expect(200));
    expect((stepsOf(changed)[0]?.['template'] as Json)['content']).toBe('Hello {{name}}');
  });
});
