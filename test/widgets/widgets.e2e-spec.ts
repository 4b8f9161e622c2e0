import request from 'supertest';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { UNKNOWN_ID } from '../factories/ids.js';
import { createWorkflow } from '../factories/workflow.factory.js';
import { type BrowserClient, browserOf, openSession } from '../support/browser-session.js';
import { useHerald } from '../support/herald.js';

const api = useHerald();

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

describe('the preferences of the bell', () => {
  const PREFERENCES = '/v1/widgets/preferences';
  let bell: BrowserClient;
  let workflowId: string;
  beforeEach(async () => {
    const session = await api.session();
    workflowId = String((await createWorkflow(session, { active: true }))['_id']);
    bell = await browserOf(api, session, 'ada');
  });

  it('should show those of each workflow as well as the global one, which is a list of one', async () => {
    const listed = await dataOf<Json[]>(bell.get(PREFERENCES), 200);
    expect(listed).toMatchObject([
      {
        template: { _id: workflowId, name: expect.any(String) as string, critical: false, triggers: [{}] },
        preference: { enabled: true, channels: expect.any(Object) as object },
      },
    ]);
    expect(await dataOf(bell.get(`${PREFERENCES}/template`), 200)).toEqual(listed);
    expect(await dataOf(bell.get(`${PREFERENCES}/global`), 200)).toMatchObject([{ preference: { enabled: true } }]);
    expect(await faultsOf(bell.get(`${PREFERENCES}/others`))).not.toEqual([]);
  });

  it('should switch a channel of a workflow, and answer with both', async () => {
    const channel = { type: 'in_app', enabled: false };
    const changed = await dataOf(bell.patch(`${PREFERENCES}/${workflowId}`, { channel }), 200);
    expect(changed).toMatchObject({ template: { _id: workflowId }, preference: { channels: { in_app: false } } });
    expect(await dataOf(bell.get(PREFERENCES), 200)).toMatchObject([{ preference: { channels: { in_app: false } } }]);
    expect(await codeOf(bell.patch(`${PREFERENCES}/${UNKNOWN_ID}`, { channel }), 404)).toBe('workflow_not_found');
  });

  it('should switch channels globally', async () => {
    const preferences = [{ channelType: 'email', type: 'email', enabled: false }];
    const changed = await dataOf(bell.patch(PREFERENCES, { preferences }), 200);
    expect(changed).toMatchObject({ preference: { enabled: true, channels: { email: false } } });
    expect(await codeOf(bell.patch(PREFERENCES), 400)).toBe('no_preference_given');
  });
});

describe('POST /v1/widgets/usage/log', () => {
  it('should accept what the bell reports of a click', async () => {
    const bell = await browserOf(api, await api.session(), 'ada');
    // The published client sends the URL in hasCta.
    const payload = { notificationId: UNKNOWN_ID, hasCta: 'https://shop.example' };
    const report = { name: '[Widget] - Notification Click', payload };
    expect(await dataOf(bell.post('/v1/widgets/usage/log', report), 201)).toEqual({ success: true });
    expect(await faultsOf(bell.post('/v1/widgets/usage/log'))).not.toEqual([]);
  });
});
