import { dataOf } from '../support/answers.js';
import {
  createWorkflow,
  feedOf,
  inApp,
  notificationOf,
  type SentStep,
  trigger,
  waitForEvent,
} from '../support/delivery.js';
import { useDelivery } from '../support/herald.js';
import { json, useProviderSink } from '../support/provider-sink.js';
import type { TestSession } from '../harness/index.js';

const delivery = useDelivery();
const provider = useProviderSink();
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The recipe of the manual, with a text message in the place of the mail. */
describe('an escalation', () => {
  let session: TestSession;
  let name: string;

  beforeEach(async () => {
    session = await delivery.session();
    const credentials = {
      baseUrl: `${provider.url}/`,
      apiKeyRequestHeader: 'x-key',
      apiKey: 'k',
      idPath: 'id',
      from: '+1',
    };
    await session
      .post('/v1/integrations', { providerId: 'generic-sms', channel: 'sms', active: true, credentials })
      .expect(201);
    provider.answer = json(200, { id: '1' });
    await session
      .post('/v1/subscribers', { subscriberId: 'ada', phone: '+491', data: { manager: 'grace' } })
      .expect(201);
    await session.post('/v1/subscribers', { subscriberId: 'grace' }).expect(201);
    const { key: value } = await dataOf<{ key: string }>(
      session.post('/v1/environments/api-keys', { name: 'escalation', scopes: ['trigger'] }),
      201,
    );
    await session.put('/v1/secrets/HERALD_KEY', { value, hosts: ['127.0.0.1'] }).expect(200);
    const escalated = await createWorkflow(session, [inApp('{{person}} has not read: {{text}}')], {
      name: 'Nobody reads',
    });
    const untilRead = { event: 'message.read', step: 'tell', onMatch: 'stop', onTimeout: 'continue' };
    const toManager: SentStep = {
      template: {
        type: 'http_request',
        url: `${delivery.url}/v1/events/trigger`,
        headers: [{ key: 'Authorization', value: 'ApiKey {{secrets.HERALD_KEY}}' }],
        body: JSON.stringify({
          name: escalated.identifier,
          to: '{{subscriber.data.manager}}',
          payload: { person: '{{subscriber.subscriberId}}', text: '{{text}}' },
        }),
      },
    };
    const steps = [
      inApp('{{text}}', { stepId: 'tell' }),
      waitForEvent({ ...untilRead, amount: 10, unit: 'minutes' }),
      { template: { type: 'sms', content: '{{text}}' } },
      waitForEvent({ ...untilRead, amount: 1, unit: 'days' }),
      toManager,
    ];
    name = (await createWorkflow(session, steps)).identifier;
  });

  const start = async (): Promise<string> => {
    const id = await trigger(session, { name, to: 'ada', payload: { text: 'The disk is full' } });
    await delivery.drain();
    return id;
  };
  const read = async (): Promise<void> => {
    const [message] = await feedOf(session, 'ada');
    await session.post('/v1/subscribers/ada/messages/mark-as', { messageId: message?._id, markAs: 'read' }).expect(201);
    await delivery.drain();
  };
  const told = async (): Promise<readonly [texts: number, manager: string[]]> => [
    provider.requests.length,
    (await feedOf(session, 'grace')).map(({ content }) => content),
  ];
  const statuses = async (id: string): Promise<string[]> =>
    (await notificationOf(session, id)).jobs.map(({ status }) => status);

  it('should tell nobody else if the message is read in time', async () => {
    const id = await start();
    await delivery.drain(9 * MINUTE_MS);
    await read();
    expect(await statuses(id)).toEqual(['completed', 'completed', 'skipped', 'skipped', 'skipped']);
    await delivery.drain(2 * DAY_MS);
    expect(await told()).toEqual([0, []]);
  });

  it('should send a text after ten minutes, and leave the manager alone if the message is read after that', async () => {
    const id = await start();
    await delivery.drain(11 * MINUTE_MS);
    expect(await told()).toEqual([1, []]);
    await read();
    await delivery.drain(2 * DAY_MS);
    expect(await told()).toEqual([1, []]);
    expect(await statuses(id)).toEqual(['completed', 'completed', 'completed', 'completed', 'skipped']);
  });

  it('should tell the manager after a day, once', async () => {
    const id = await start();
    await delivery.drain(DAY_MS);
    expect(await told()).toEqual([1, []]);
    await delivery.drain(11 * MINUTE_MS);
    await delivery.drain();
    expect(await told()).toEqual([1, ['ada has not read: The disk is full']]);
    await delivery.drain(2 * DAY_MS);
    expect(await told()).toEqual([1, ['ada has not read: The disk is full']]);
    expect(await statuses(id)).toEqual(['completed', 'completed', 'completed', 'completed', 'completed']);
    expect(dataOf(await session.get('/v1/notifications?page=0').expect(200))).toHaveLength(2);
  });
});
