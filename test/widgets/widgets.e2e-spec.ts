import request from 'supertest';
import { dataOf, type Json } from '../support/answers.js';
import { createWorkflow } from '../factories/workflow.factory.js';
import { openSession } from '../support/browser-session.js';
import { useTestApi } from '../support/test-api.js';

const api = useTestApi();

describe('GET /v1/widgets/organization', () => {
  it("should answer with name and branding of the subscriber's environment", async () => {
    const [main, sibling] = await api.siblings();
    await main.put('/v1/organizations/branding', { color: '#f47373', fontFamily: 'Inter' }).expect(200);
    await sibling.put('/v1/organizations/branding', { color: '#000000' }).expect(200);
    const token = await openSession(api, main, 'ada');
    const call = request(api.url).get('/v1/widgets/organization').set('Authorization', `Bearer ${token}`);
    expect(await dataOf(call, 200)).toMatchObject({
      _id: main.organizationId,
      name: expect.any(String) as string,
      branding: { color: '#f47373', fontFamily: 'Inter' },
    });
  });
});

describe('GET /v1/widgets/preferences', () => {
  const list = async (token: string): Promise<Json[]> =>
    dataOf<Json[]>(request(api.url).get('/v1/widgets/preferences').set('Authorization', `Bearer ${token}`), 200);

  it('should answer with the preferences of the subscriber, and of no other', async () => {
    const [main, sibling] = await api.siblings();
    const workflow = await createWorkflow(main, { active: true });
    const tokens = [await openSession(api, main, 'ada'), await openSession(api, main, 'bob')] as const;
    const ofSibling = await openSession(api, sibling, 'ada');
    const path = `/v1/subscribers/ada/preferences/${String(workflow['_id'])}`;
    await main.patch(path, { enabled: false }).expect(200);
    const shown = { template: { _id: workflow['_id'] }, preference: { enabled: false } };
    expect(await list(tokens[0])).toMatchObject([shown]);
    expect(await list(tokens[1])).toMatchObject([{ ...shown, preference: { enabled: true } }]);
    expect(await list(ofSibling)).toEqual([]);
  });
});
