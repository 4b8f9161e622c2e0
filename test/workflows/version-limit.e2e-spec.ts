import { createWorkflow, workflowPath } from '../factories/workflow.factory.js';
import { pageOf } from '../support/answers.js';
import { useSession, useTestApi } from '../support/test-api.js';

const api = useTestApi({ WORKFLOW_VERSIONS: '2' });
const session = useSession(api);

describe('WORKFLOW_VERSIONS', () => {
  it('should keep the newest versions only', async () => {
    const made = await createWorkflow(session);
    for (const name of ['A', 'B', 'C', 'D']) await session.put(workflowPath(made), { name }).expect(200);
    const { data } = await pageOf(session.get(`${workflowPath(made)}/versions`));
    expect(data.map(({ version }) => version)).toEqual([4, 3, 2]);
    await session.get(`${workflowPath(made)}/versions/1`).expect(404);
  });
});
