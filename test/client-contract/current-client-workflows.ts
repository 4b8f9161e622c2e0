import type { Novu } from '@novu/api';

type Call = readonly [call: () => Promise<unknown>, expected: object];

const SKIP = { '==': [{ var: 'subscriber.data.plan' }, 'pro'] };
let made = 0;

/** A call of each method of workflows and environments, and what it returns. */
export function workflowCalls(novu: () => Novu, environmentId: () => string): Record<string, Call> {
  const create = async (): Promise<string> => {
    made += 1;
    const { result } = await novu().workflows.create({
      name: 'Made by a client',
      workflowId: `made-${made}`,
      active: true,
      tags: ['made'],
      steps: [
        { name: 'Bell', type: 'in_app', controlValues: { body: 'Hi {{ payload.name | default: "you" }}', skip: SKIP } },
        { name: 'Wait', type: 'digest', controlValues: { type: 'regular', amount: 5, unit: 'minutes' } },
        { name: 'Mail', type: 'email', controlValues: { subject: 'Hi', body: '<p>{{payload.name}}</p>' } },
      ],
    });
    return result.workflowId;
  };
  const bell = { type: 'in_app', stepId: 'bell', controlValues: { skip: SKIP } };
  const shape = { name: 'Made by a client', status: 'ACTIVE', origin: 'novu-cloud', tags: ['made'], severity: 'none' };
  return {
    workflowsCreate: [
      async () => novu().workflows.get(await create()),
      { result: { ...shape, steps: [bell, { type: 'digest' }, { type: 'email' }] } },
    ],
    workflowsGet: [async () => novu().workflows.get(await create()), { result: shape }],
    workflowsList: [
      async () => novu().workflows.list({ limit: 1, offset: 1, query: await create() }),
      { result: { workflows: [], totalCount: 1 } },
    ],
    workflowsUpdate: [
      async () => {
        const { result } = await novu().workflows.get(await create());
        const steps = result.steps.map(({ id, stepId, name, type, controlValues }) => ({
          id,
          stepId,
          name: `${name} 2`,
          type,
          controlValues,
        }));
        const { result: updated } = await novu().workflows.update(
          {
            name: 'Changed by a client',
            steps: steps,
            preferences: { user: { all: { readOnly: true }, channels: { sms: { enabled: false } } } },
            severity: 'high',
          },
          result.workflowId,
        );
        return [updated, updated.steps.map(({ id }) => id).join() === result.steps.map(({ id }) => id).join()];
      },
      [
        {
          name: 'Changed by a client',
          severity: 'high',
          steps: [{ name: 'Bell 2', ...bell }, { controlValues: { amount: 5 } }, { controlValues: { subject: 'Hi' } }],
          preferences: { user: { all: { readOnly: true }, channels: { sms: { enabled: false } } } },
        },
        true,
      ],
    ],
    workflowsPatch: [
      async () => novu().workflows.patch({ active: false, description: 'Later' }, await create()),
      { result: { status: 'INACTIVE', description: 'Later', name: 'Made by a client' } },
    ],
    workflowsDelete: [
      async () => {
        const id = await create();
        await novu().workflows.delete(id);
        return novu().workflows.list({ query: id });
      },
      { result: { totalCount: 0 } },
    ],
    workflowsStepsRetrieve: [async () => novu().workflows.steps.retrieve(await create(), 'bell'), { result: bell }],
    workflowsStepsGeneratePreview: [
      async () =>
        novu().workflows.steps.generatePreview({
          workflowId: await create(),
          stepId: 'mail',
          generatePreviewRequestDto: { previewPayload: { payload: { name: '<Ada>' } } },
        }),
      { result: { result: { type: 'email', preview: { subject: 'Hi' } } } },
    ],
    environmentsGetTags: [
      async () => {
        await create();
        return novu().environments.getTags(environmentId());
      },
      { result: [{ name: 'made' }] },
    ],
  };
}
