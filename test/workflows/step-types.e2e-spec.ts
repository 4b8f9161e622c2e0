import { generalGroupId } from '../factories/workflow.factory.js';
import { dataOf } from '../support/answers.js';
import { useHerald, useSession } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

describe('GET /v1/step-types', () => {
  it('should list every type that is carried out, messages first', async () => {
    const found = dataOf<{ type: string; group: string; canHaveVariants: boolean }[]>(
      await session.get('/v1/step-types').expect(200),
    );
    expect(found.slice(0, 9).map(({ type }) => type)).toEqual([
      'in_app',
      'email',
      'sms',
      'chat',
      'push',
      'digest',
      'delay',
      'throttle',
      'wait_for_event',
    ]);
    const { body } = await session
      .post('/v1/workflows', {
        name: 'x',
        notificationGroupId: await generalGroupId(session),
        steps: [{ template: { type: 'none' } }],
      })
      .expect(400);
    expect(JSON.stringify(body)).toContain(`must be one of ${found.map(({ type }) => type).join(', ')}`);
    expect(found.filter(({ canHaveVariants }) => canHaveVariants).map(({ group }) => group)).toContain('message');
  });
});
