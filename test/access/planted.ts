import { discordFactory } from '../factories/integration.factory.js';
import { createLayout } from '../factories/layout.factory.js';
import type { TestSession } from '../harness/index.js';
import { dataOf, type Json } from '../support/answers.js';
import { PNG } from '../factories/image.factory.js';
import { createWorkflow, feedOf, inApp, notificationOf, type SentStep, trigger } from '../support/delivery.js';
import { type useDeliveryApi } from '../support/delivery-api.js';

/** In everything that is stored of an environment, but its names. */
export const MARK = 'planted-7f3a';
/** What paths name records by; an answer may repeat a path. */
const NAME = 'named-5e8d';
/** In what is shown to callers with the scope `admin` only, or to nobody. */
export const SECRET = 'classified-9c1e';
/** In the user info and queries of URLs, which are shown to callers who may change them. */
export const URL_SECRET = 'queried-1b6f';
/** In what is stored of one subscriber, beside the one who has a session. */
export const PERSONAL = 'personal-4d2b';

const secretUrl = (place: string): string => `https://${URL_SECRET}:x@example.com/${place}?key=${URL_SECRET}&n=1`;

/** One record of each kind. @returns what the parameters of paths name */
export async function plant(
  delivery: ReturnType<typeof useDeliveryApi>,
  session: TestSession,
): Promise<Readonly<Record<string, string>>> {
  const made = async (path: string, body: Json): Promise<string> =>
    String((await dataOf(session.post(`/v1/${path}`, body), 201))['_id']);
  const put = (path: string, body: Json): Promise<Json> => dataOf(session.put(`/v1/${path}`, body), 200);
  const person = `person-${NAME}`;
  await made('integrations', discordFactory());
  await made('subscribers', { subscriberId: 'ann', firstName: MARK });
  await made('subscribers', {
    subscriberId: person,
    email: `${PERSONAL}@example.com`,
    data: { note: PERSONAL },
    channels: [{ providerId: 'discord', credentials: { webhookUrl: `https://example.com/${PERSONAL}` } }],
  });
  await session.post('/v1/topics', { key: NAME, name: MARK }).expect(201);
  await session.post(`/v1/topics/${NAME}/subscribers`, { subscribers: [person] }).expect(200);
  await session.post('/v1/segments', { segmentId: NAME, name: MARK, conditions: [] }).expect(201);
  await session.post('/v1/tenants', { identifier: NAME, name: MARK, data: { note: MARK } }).expect(201);
  const credentials = {
    host: 'smtp.example.com',
    port: '587',
    secure: false,
    user: MARK,
    password: SECRET,
    from: 'a@example.com',
    senderName: MARK,
  };
  const integrationId = await made('integrations', {
    providerId: 'nodemailer',
    channel: 'email',
    name: MARK,
    active: false,
    credentials,
  });
  const sms = { baseUrl: 'https://example.com/', apiKeyRequestHeader: 'x-key', apiKey: SECRET, from: '+1' };
  await made('integrations', {
    providerId: 'generic-sms',
    channel: 'sms',
    name: MARK,
    active: false,
    credentials: sms,
  });
  await put('secrets/PLANTED', { value: SECRET, hosts: [`${MARK}.example.com`] });
  const webhookId = await made('webhooks', {
    url: `https://example.com/${MARK}?key=${URL_SECRET}`,
    events: ['message.sent', 'audit.recorded'],
  });
  const asking = {
    type: 'GROUP',
    value: 'AND',
    // The first one fails, so nobody is asked.
    children: [
      { on: 'payload', field: 'never', operator: 'EQUAL', value: 'b' },
      { on: 'webhook', webhookUrl: secretUrl('condition'), field: 'a', operator: 'EQUAL', value: 'b' },
    ],
  };
  const calling = {
    active: false,
    filters: [asking],
    template: { type: 'http_request', method: 'GET', url: `https://example.com/step?key=${URL_SECRET}` },
    replyCallback: { active: false, url: secretUrl('reply') },
  };
  const steps = [
    inApp(`${MARK} {{note}}`),
    { ...inApp(MARK), filters: [asking] },
    { ...calling, variants: [calling] },
  ] as SentStep[];
  const workflow = await createWorkflow(session, steps, { name: NAME, description: MARK });
  const transactionId = await trigger(session, { name: workflow.identifier, to: person, payload: { note: PERSONAL } });
  await trigger(session, { name: workflow.identifier, to: 'ann', payload: { note: '' } });
  await delivery.drain();
  const { _id: notificationId, jobs } = await notificationOf(session, transactionId);
  const [message] = await feedOf(session, person);
  const override = { workflowId: workflow._id, tenantId: NAME, active: true };
  const overrideId = String((await dataOf(session.post('/v1/workflow-overrides', override), 200))['_id']);
  await put('translations/en', { messages: { hello: MARK } });
  await put('organizations/branding', { color: '#00aa55', logo: `https://example.com/${MARK}.png` });
  const schedule = {
    name: MARK,
    workflow: workflow.identifier,
    subscribers: [person],
    startAt: '2099-01-01T00:00:00Z',
  };
  const scheduleId = await made('schedules', schedule);
  const asked = { title: MARK, subscribers: [person], workflow: workflow.identifier, expiresIn: 86_400 };
  const questionId = await made('questions', asked);
  const suppressed = await dataOf<Json[]>(
    session.post('/v1/suppressions', { channel: 'email', address: `${PERSONAL}@example.com`, reason: MARK }),
    201,
  );
  const key = await dataOf(session.post('/v1/environments/api-keys', { name: MARK }), 201);
  const invited = { email: `${SECRET}@example.com`, role: 'viewer' };
  const invitation = await dataOf(session.post('/v1/users/invitations', invited), 201);
  const identifier = workflow.identifier;
  return {
    workflowId: workflow._id,
    workflowIdentifier: identifier,
    stepId: String(workflow.steps[0]?._id),
    version: '0',
    transactionId,
    notificationId,
    jobId: jobs[0]?._id ?? '',
    messageId: message?._id ?? '',
    subscriberId: person,
    providerId: 'discord',
    channel: 'email',
    topicKey: NAME,
    segmentId: NAME,
    integrationId,
    providerOrIntegrationId: integrationId,
    suppressionId: String(suppressed[0]?.['_id']),
    budgetId: await made('budgets', { name: MARK, max: 3 }),
    budgetName: NAME,
    identifier: NAME,
    tenantId: NAME,
    tenantIdentifier: NAME,
    overrideId,
    layoutId: String((await createLayout(session, { name: MARK, content: `${MARK}{{{body}}}` }))['_id']),
    layoutIdentifier: NAME,
    locale: 'en',
    imageId: await made('images', { name: MARK, file: PNG }),
    feedId: await made('feeds', { name: MARK }),
    feedName: NAME,
    groupId: await made('notification-groups', { name: MARK }),
    groupName: NAME,
    webhookId,
    name: 'PLANTED',
    scheduleId,
    questionId,
    apiKeyId: String(key['_id']),
    invitationId: String(invitation['_id']),
    type: 'primary',
    change: 'read',
    levelOrWorkflowId: workflow._id,
  };
}
