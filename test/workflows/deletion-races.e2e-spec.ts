import { REFERENCES_CHECKED } from '#libs/persistence';
import { STEPS_CHECKED } from '../../src/content/workflows/steps-builder.js';
import { createWorkflow, stepFactory, workflowPath } from '../factories/workflow.factory.js';
import { dataOf, type Json } from '../support/answers.js';
import { useSession, useTestApi } from '../support/test-api.js';

/** A workflow is written while something that it names is being deleted: one of the two gives way. */
describe('deletion of what a workflow is about to use', () => {
  const api = useTestApi();
  const session = useSession(api);

  const made = async (path: string): Promise<string> =>
    String(dataOf(await session.post(path, { name: 'Soon gone' }).expect(201))['_id']);
  const stepWith = (feedId: string): Json => ({ template: { type: 'in_app', content: 'Hello', feedId } });
  /** Lets something happen when the next workflow is checked and not written yet. */
  const beforeWriting = (act: () => Promise<unknown>): void => STEPS_CHECKED.armOnce(act);
  /** Lets something happen when the next record was found unused and is not deleted yet. */
  const beforeDeleting = (act: () => Promise<unknown>): void => REFERENCES_CHECKED.armOnce(act);
  const workflowsOf = async (): Promise<unknown[]> => dataOf<unknown[]>(session.get('/v1/workflows'), 200);

  it('should leave no workflow whose feed is gone when it was written', async () => {
    const notificationGroupId = await made('/v1/notification-groups');
    const feedId = await made('/v1/feeds');
    beforeWriting(() => session.delete(`/v1/feeds/${feedId}`).expect(200));
    const body = { name: 'Late', notificationGroupId, steps: [stepWith(feedId)] };
    const refused = await session.post('/v1/workflows', body).expect(400);
    expect(JSON.stringify(refused.body)).toContain('steps.0.template.feedId');
    expect(await workflowsOf()).toEqual([]);
  });

  it('should leave a workflow as it was when what its change names is gone', async () => {
    const workflow = await createWorkflow(session, { steps: [stepFactory()] });
    /** Without the counters of changes, which go on. */
    const shown = async (): Promise<unknown> =>
      JSON.parse(
        JSON.stringify(dataOf(await session.get(workflowPath(workflow)).expect(200)), (key, value: unknown) =>
          key === '__v' ? undefined : value,
        ),
      );
    const before = await shown();
    const path = `/v1/notification-templates/${String(workflow['_id'])}`;
    const feedId = await made('/v1/feeds');
    beforeWriting(() => session.delete(`/v1/feeds/${feedId}`).expect(200));
    await session.put(path, { name: 'New', steps: [stepWith(feedId)] }).expect(400);
    const notificationGroupId = await made('/v1/notification-groups');
    beforeWriting(() => session.delete(`/v1/notification-groups/${notificationGroupId}`).expect(200));
    await session.put(path, { name: 'New', notificationGroupId, steps: [] }).expect(404);
    expect(await shown()).toEqual(before);
  });

  it('should keep a feed and a group that a workflow has begun to use', async () => {
    const notificationGroupId = await made('/v1/notification-groups');
    const feedId = await made('/v1/feeds');
    const body = { name: 'Quick', notificationGroupId, steps: [stepWith(feedId)] };
    for (const path of [`/v1/feeds/${feedId}`, `/v1/notification-groups/${notificationGroupId}`]) {
      for (const workflow of (await workflowsOf()) as Json[]) await session.delete(workflowPath(workflow)).expect(200);
      beforeDeleting(() => session.post('/v1/workflows', body).expect(201));
      await session.delete(path).expect(409);
    }
    expect(await dataOf(session.get('/v1/feeds'), 200)).toMatchObject([{ _id: feedId, deleted: false }]);
    await session.get(`/v1/notification-groups/${notificationGroupId}`).expect(200);
  });
});
