import { createActiveWorkflow } from '../factories/workflow.factory.js';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { TestSession } from '../harness/index.js';
import { PreferencesService } from '../../src/content/preferences/index.js';
import { dataOf, faultsOf, type Json } from '../support/answers.js';
import { unique, UNKNOWN_ID } from '../factories/ids.js';
import { useTestApi } from '../support/test-api.js';

const api = useTestApi();

const step = (type: string, rest: Json = {}): Json => ({
  name: type,
  template: { type, content: 'Hello', ...(type === 'email' && { subject: 'Hi', contentType: 'customHtml' }) },
  ...rest,
});

interface Setting {
  readonly session: TestSession;
  readonly subscriber: { _id: string; subscriberId: string };
  readonly workflow: Json & { _id: string };
  readonly path: string;
}

async function newSetting(workflow: Json = {}): Promise<Setting> {
  const session = await api.session();
  const body = { subscriberId: unique('ann') };
  const subscriber = dataOf<Setting['subscriber']>(await session.post('/v1/subscribers', body).expect(201));
  return {
    session,
    subscriber,
    workflow: await createActiveWorkflow(session, { steps: [step('email'), step('in_app')], ...workflow }),
    path: `/v1/subscribers/${subscriber.subscriberId}/preferences`,
  };
}

const patch = async ({ session, path, workflow }: Setting, body: Json): Promise<Json> =>
  dataOf(await session.patch(`${path}/${workflow._id}`, body).expect(200));
const patchGlobal = async ({ session, path }: Setting, body: Json): Promise<Json> =>
  dataOf(await session.patch(path, body).expect(200));
const list = async ({ session, path }: Setting, rest = ''): Promise<Json[]> =>
  dataOf<Json[]>(await session.get(path + rest).expect(200));
const ALL_ON = { in_app: true, email: true, sms: true, chat: true, push: true };

describe('GET /v1/subscribers/:subscriberId/preferences', () => {
  it('should show what holds for each active workflow', async () => {
    const setting = await newSetting({ data: { team: 'shop' }, critical: true });
    await createActiveWorkflow(setting.session, { active: false });
    expect(await list(setting)).toEqual([
      {
        template: {
          _id: setting.workflow._id,
          id: setting.workflow._id,
          name: setting.workflow['name'],
          tags: ['orders'],
          critical: true,
          triggers: [{ type: 'event', identifier: expect.any(String) as string, variables: [] }],
          data: { team: 'shop' },
        },
        preference: {
          enabled: true,
          channels: { email: true, in_app: true },
          overrides: [
            { channel: 'in_app', source: 'template' },
            { channel: 'email', source: 'template' },
          ],
        },
        type: 'SUBSCRIBER_WORKFLOW',
      },
    ]);
    expect(await list(setting, '/template')).toEqual(await list(setting));
  });

  it('should show only channels that have an active step, or all where that is asked for', async () => {
    const setting = await newSetting({ steps: [step('sms'), step('email', { active: false })] });
    const channels = async (query: string): Promise<unknown> =>
      ((await list(setting, query))[0]?.['preference'] as Json)['channels'];
    expect(await channels('')).toEqual({ sms: true });
    expect(await channels('?includeInactiveChannels=true')).toEqual(ALL_ON);
  });

  it('should be empty where there is no active workflow, and 404 for an unknown subscriber', async () => {
    const setting = await newSetting({ active: false });
    expect(await list(setting)).toEqual([]);
    await setting.session.get('/v1/subscribers/nobody/preferences').expect(404);
    await setting.session.get('/v1/subscribers/nobody/preferences/global').expect(404);
  });

  it('should show the global preference as a list of one', async () => {
    expect(await list(await newSetting(), '/global')).toEqual([{ preference: { enabled: true, channels: ALL_ON } }]);
  });

  it('should refuse another level', async () => {
    const { session, path } = await newSetting();
    expect(faultsOf(await session.get(`${path}/personal`).expect(400))).toEqual([
      'level must be one of the following values: global, template',
    ]);
  });
});

describe('PATCH /v1/subscribers/:subscriberId/preferences/:workflowId', () => {
  it('should switch a channel, and leave the others and the whole as they are', async () => {
    const setting = await newSetting();
    const answer = await patch(setting, { channel: { type: 'email', enabled: false } });
    expect(answer).toMatchObject({
      template: { _id: setting.workflow._id },
      preference: { enabled: true, channels: { email: false, in_app: true } },
    });
    expect(await list(setting)).toEqual([answer]);
  });

  it('should switch the whole and the channels independently', async () => {
    const setting = await newSetting();
    await patch(setting, { enabled: false });
    const answer = await patch(setting, { channel: { type: 'in_app', enabled: false } });
    expect(answer).toMatchObject({ preference: { enabled: false, channels: { email: true, in_app: false } } });
    expect(await patch(setting, { enabled: true })).toMatchObject({
      preference: { enabled: true, channels: { email: true, in_app: false } },
    });
  });

  it('should win over what the workflow says', async () => {
    const setting = await newSetting({ preferenceSettings: { email: false } });
    expect(await list(setting)).toMatchObject([{ preference: { channels: { email: false, in_app: true } } }]);
    expect(await patch(setting, { channel: { type: 'email', enabled: true } })).toMatchObject({
      preference: {
        channels: { email: true },
        overrides: expect.arrayContaining([{ channel: 'email', source: 'subscriber' }]) as Json,
      },
    });
  });

  it('should keep a channel that the workflow does not use until it does', async () => {
    const setting = await newSetting({ steps: [step('in_app')] });
    expect(await patch(setting, { channel: { type: 'sms', enabled: false } })).toMatchObject({
      preference: { channels: { in_app: true } },
    });
    await setting.session
      .put(`/v1/workflows/${setting.workflow._id}`, {
        name: setting.workflow['name'],
        notificationGroupId: setting.workflow['_notificationGroupId'],
        steps: [step('in_app'), step('sms')],
      })
      .expect(200);
    expect(await list(setting)).toMatchObject([{ preference: { channels: { in_app: true, sms: false } } }]);
  });

  it('should change nothing where the channel is empty', async () => {
    const setting = await newSetting();
    await patch(setting, { channel: { type: 'email', enabled: false } });
    const rows = api.app.get<Model<Json>>(getModelToken('Preference'));
    const stored = (): Promise<unknown> => rows.find({ _environmentId: setting.session.environmentId }).lean().exec();
    const [before, record] = [await list(setting), await stored()];
    for (const channel of [{}, { type: null, enabled: null }])
      expect([await patch(setting, { channel })]).toEqual(before);
    expect(await stored()).toEqual(record);
  });

  it('should refuse a critical workflow, which is delivered all the same, and store nothing', async () => {
    const setting = await newSetting({ critical: true });
    const before = await list(setting);
    const { session, path, workflow } = setting;
    for (const body of [{ channel: { type: 'in_app', enabled: false } }, { enabled: false }]) {
      const answer = await session.patch(`${path}/${workflow._id}`, body).expect(400);
      expect(answer.body).toMatchObject({ code: 'workflow_is_critical' });
    }
    expect(await list(setting)).toEqual(before);
  });

  it('should make one record when many come at once', async () => {
    const setting = await newSetting();
    const body = (i: number): Json => ({ channel: { type: i % 2 ? 'email' : 'in_app', enabled: false } });
    await Promise.all(Array.from({ length: 10 }, (_, i) => patch(setting, body(i))));
    expect(await list(setting)).toMatchObject([{ preference: { channels: { email: false, in_app: false } } }]);
  });

  it.each([
    [{}, 'The body changes nothing'],
    [{ enabled: 'yes' }, 'enabled must be a boolean value'],
    [{ channel: { type: 'email', enabled: '' } }, 'channel.enabled must be a boolean value'],
    [{ channel: { type: 'email' } }, 'channel.enabled is required and must be a boolean value'],
    [{ channel: { type: 'fax', enabled: true } }, 'channel.type must be one of the following values'],
    [{ channel: 'email' }, 'channel must be an object'],
  ])('should refuse %j', async (body, fault) => {
    const { session, path, workflow } = await newSetting();
    const answer = await session.patch(`${path}/${workflow._id}`, body).expect(400);
    expect([faultsOf(answer)].flat()[0]).toMatch(fault);
  });

  it('should answer 404 for what does not exist, and store nothing', async () => {
    const setting = await newSetting();
    const body = { enabled: false };
    const code = async (path: string): Promise<unknown> =>
      ((await setting.session.patch(path, body).expect(404)).body as Json)['code'];
    expect(await code(`${setting.path}/${UNKNOWN_ID}`)).toBe('workflow_not_found');
    expect(await code(`/v1/subscribers/nobody/preferences/${setting.workflow._id}`)).toBe('subscriber_not_found');
    await setting.session.patch(`${setting.path}/x`, body).expect(400);
    const tenant = { environmentId: setting.session.environmentId };
    expect(await api.app.get(PreferencesService).forSubscribers(tenant, [setting.subscriber._id], UNKNOWN_ID)).toEqual(
      new Map(),
    );
  });

  it('should not reach into another environment', async () => {
    const [session, sibling] = await api.siblings();
    const workflow = await createActiveWorkflow(session);
    const subscriberId = unique('ann');
    await sibling.post('/v1/subscribers', { subscriberId }).expect(201);
    await sibling.patch(`/v1/subscribers/${subscriberId}/preferences/${workflow._id}`, { enabled: false }).expect(404);
  });
});

describe('PATCH /v1/subscribers/:subscriberId/preferences', () => {
  it('should switch what is named and show all channels', async () => {
    const setting = await newSetting();
    const answer = await patchGlobal(setting, { preferences: [{ type: 'in_app', enabled: false }] });
    expect(answer).toEqual({ preference: { enabled: true, channels: { ...ALL_ON, in_app: false } } });
    await patchGlobal(setting, { enabled: false, preferences: [{ type: 'sms', enabled: false }] });
    expect(await list(setting, '/global')).toEqual([
      { preference: { enabled: false, channels: { ...ALL_ON, in_app: false, sms: false } } },
    ]);
  });

  it('should set and show the hours for messages, and keep the channels', async () => {
    const setting = await newSetting();
    await patchGlobal(setting, { preferences: [{ type: 'sms', enabled: false }] });
    const schedule = {
      isEnabled: true,
      weeklySchedule: { monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '17:00' }] } },
    };
    const preference = { enabled: true, channels: { ...ALL_ON, sms: false }, schedule };
    expect(await patchGlobal(setting, { schedule })).toEqual({ preference });
    expect(await patchGlobal(setting, { enabled: true })).toEqual({ preference });
    expect(await list(setting, '/global')).toEqual([{ preference }]);
    const off = { isEnabled: false };
    expect(await patchGlobal(setting, { schedule: off })).toMatchObject({ preference: { schedule: off } });
  });

  it('should refuse hours that are none, and change nothing', async () => {
    const setting = await newSetting();
    const weeklySchedule = { monday: { isEnabled: true, hours: [{ start: '9 o’clock', end: '17:00' }] }, someday: {} };
    const answer = await setting.session
      .patch(setting.path, { enabled: false, schedule: { isEnabled: 'yes', weeklySchedule } })
      .expect(400);
    expect(faultsOf(answer)).toMatchInlineSnapshot(`
     [
       "schedule.isEnabled must be a boolean",
       "schedule.weeklySchedule.monday.hours.0.start must be a time such as 09:00 AM",
     ]
    `);
    expect(await list(setting, '/global')).toEqual([{ preference: { enabled: true, channels: ALL_ON } }]);
  });

  it('should leave the preferences of workflows as they are', async () => {
    const setting = await newSetting();
    await patchGlobal(setting, { enabled: false });
    expect(await list(setting)).toMatchObject([{ preference: { enabled: true } }]);
  });

  it.each([
    [{}, 'The body changes nothing'],
    [{ enabled: 'no' }, 'enabled must be a boolean value'],
    [{ preferences: { type: 'email', enabled: true } }, 'preferences'],
    [{ preferences: [{ type: 'email', enabled: 'x' }] }, 'preferences.0.enabled must be a boolean value'],
    [{ preferences: [{ type: 'fax', enabled: true }] }, 'preferences.0.type must be one of'],
  ])('should refuse %j', async (body, fault) => {
    const { session, path } = await newSetting();
    expect([faultsOf(await session.patch(path, body).expect(400))].flat()[0]).toMatch(fault);
  });

  it('should answer 404 for an unknown subscriber', async () => {
    const session = await api.session();
    await session.patch('/v1/subscribers/nobody/preferences', { enabled: false }).expect(404);
  });
});

describe('forSubscribers', () => {
  it('should tell what many subscribers have said, each for itself', async () => {
    const setting = await newSetting();
    const second = dataOf<Setting['subscriber']>(
      await setting.session.post('/v1/subscribers', { subscriberId: unique('bob') }).expect(201),
    );
    await patch(setting, { channel: { type: 'email', enabled: false } });
    await patchGlobal(setting, { enabled: false });
    const tenant = { environmentId: setting.session.environmentId };
    const found = await api.app
      .get(PreferencesService)
      .forSubscribers(tenant, [setting.subscriber._id, second._id], setting.workflow._id);
    expect([...found.keys()]).toEqual([setting.subscriber._id]);
    expect(found.get(setting.subscriber._id)).toMatchObject({
      global: { enabled: false },
      workflow: { channels: { email: false } },
    });
  });
});
