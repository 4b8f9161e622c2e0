import type { Novu } from '@novu/api';

type Call = readonly [call: () => Promise<unknown>, expected: object];

export interface CallWorld {
  readonly novu: () => Novu;
  /** Of a workflow with a step on each channel. */
  readonly workflowId: () => string;
  /** An unread notification with a primary button, of a new subscriber. */
  readonly notified: () => Promise<{ readonly subscriberId: string; readonly notificationId: string }>;
}

let made = 0;
const fresh = (kind: string): string => {
  made += 1;
  return `${kind}-${made}`;
};
const LINKS = { next: null, previous: null, totalCountCapped: false };
const IN_AN_HOUR = (): Date => new Date(Date.now() + 3_600_000);

/** A call of each method of the client that has a route under `/v2`, and what it returns. */
export function callsOfV2({ novu, workflowId, notified }: CallWorld): Record<string, Call> {
  return {
    ...subscriberCalls(novu),
    ...preferenceCalls(novu, workflowId),
    ...notificationCalls(novu, notified),
    ...topicCalls(novu),
  };
}

function subscriberCalls(novu: CallWorld['novu']): Record<string, Call> {
  const create = async (): Promise<string> => {
    const { result } = await novu().subscribers.create({ subscriberId: fresh('person'), email: 'ada@example.com' });
    return result.subscriberId;
  };
  return {
    subscribersCreate: [
      () => novu().subscribers.create({ subscriberId: 'una', firstName: 'Una', phone: null, data: { plan: 'pro' } }),
      { result: { subscriberId: 'una', firstName: 'Una', deleted: false, channels: [], data: { plan: 'pro' } } },
    ],
    subscribersRetrieve: [
      async () => novu().subscribers.retrieve(await create()),
      { result: { email: 'ada@example.com' } },
    ],
    subscribersPatch: [
      async () => novu().subscribers.patch({ email: null, lastName: 'Lovelace' }, await create()),
      { result: { lastName: 'Lovelace' } },
    ],
    subscribersDelete: [
      async () => novu().subscribers.delete(await create()),
      { result: { acknowledged: true, status: 'deleted' } },
    ],
    subscribersSearch: [
      async () => novu().subscribers.search({ subscriberId: await create(), orderBy: '_id', orderDirection: 'ASC' }),
      { result: { ...LINKS, totalCount: 1, data: [{ email: 'ada@example.com' }] } },
    ],
    subscribersTopicsList: [
      async () => {
        const subscriberId = await create();
        await novu().topics.subscriptions.create({ subscriptions: [subscriberId] }, 'readers');
        return novu().subscribers.topics.list({ subscriberId, key: 'readers' });
      },
      { result: { ...LINKS, totalCount: 1, data: [{ topic: { key: 'readers' } }] } },
    ],
  };
}

function preferenceCalls(novu: CallWorld['novu'], workflowId: CallWorld['workflowId']): Record<string, Call> {
  const create = async (): Promise<string> =>
    (await novu().subscribers.create({ subscriberId: fresh('person') })).result.subscriberId;
  const hours = [{ start: '09:00 AM', end: '05:00 PM' }];
  const schedule = { isEnabled: true, weeklySchedule: { monday: { isEnabled: true, hours } } };
  return {
    subscribersPreferencesList: [
      async () => novu().subscribers.preferences.list({ subscriberId: await create(), criticality: 'all' }),
      {
        result: {
          global: { enabled: true },
          workflows: [{ enabled: true, overrides: expect.any(Array), channels: { inApp: true } }],
        },
      },
    ],
    subscribersPreferencesUpdate: [
      async () => {
        const subscriberId = await create();
        await novu().subscribers.preferences.update({ schedule, channels: { sms: false } }, subscriberId);
        return novu().subscribers.preferences.update(
          { workflowId: workflowId(), channels: { inApp: false } },
          subscriberId,
        );
      },
      { result: { global: { channels: { sms: false }, schedule }, workflows: [{ channels: { inApp: false } }] } },
    ],
    subscribersPreferencesBulkUpdate: [
      async () => {
        const preferences = [{ workflowId: workflowId(), channels: { email: false } }];
        return novu().subscribers.preferences.bulkUpdate({ preferences }, await create());
      },
      { result: [{ level: 'template', enabled: true, channels: { email: false } }] },
    ],
  };
}

function notificationCalls(novu: CallWorld['novu'], notified: CallWorld['notified']): Record<string, Call> {
  const shown = (state: object): object => ({ result: { channelType: 'in_app', ...state } });
  const marked = async (
    change: 'archive' | 'markAsRead' | 'unarchive' | 'markAsUnread' | 'unsnooze',
  ): Promise<unknown> => novu().subscribers.notifications[change](await notified());
  /** How many are so after a change of all. */
  const onAll = async (
    change: 'archiveAll' | 'archiveAllRead' | 'deleteAll' | 'markAllAsRead' | 'markAsSeen',
    filter: object,
    before?: 'markAllAsRead',
  ): Promise<unknown> => {
    const { subscriberId } = await notified();
    if (before !== undefined) await novu().subscribers.notifications[before]({}, subscriberId);
    await novu().subscribers.notifications[change]({}, subscriberId);
    return novu().subscribers.notifications.count(subscriberId, JSON.stringify([filter]));
  };
  const counted = (count: number): object => ({ result: [{ count }] });
  const actionType = 'primary';
  return {
    subscribersNotificationsList: [
      async () => {
        const { subscriberId } = await notified();
        return novu().subscribers.notifications.list({ subscriberId, read: false, severity: ['none'], createdGte: 1 });
      },
      { result: { hasMore: false, data: [{ isRead: false, primaryAction: { isCompleted: false } }] } },
    ],
    subscribersNotificationsCount: [
      async () =>
        novu().subscribers.notifications.count((await notified()).subscriberId, '[{"read":false},{"read":true}]'),
      { result: [{ count: 1 }, { count: 0 }] },
    ],
    subscribersNotificationsMarkAsRead: [() => marked('markAsRead'), shown({ isRead: true })],
    subscribersNotificationsMarkAsUnread: [() => marked('markAsUnread'), shown({ isRead: false })],
    subscribersNotificationsArchive: [() => marked('archive'), shown({ isArchived: true })],
    subscribersNotificationsUnarchive: [() => marked('unarchive'), shown({ isArchived: false })],
    subscribersNotificationsSnooze: [
      async () => {
        const snoozeSubscriberNotificationDto = { snoozeUntil: IN_AN_HOUR() };
        return novu().subscribers.notifications.snooze({ ...(await notified()), snoozeSubscriberNotificationDto });
      },
      shown({ isSnoozed: true }),
    ],
    subscribersNotificationsUnsnooze: [
      async () => {
        const one = await notified();
        const snoozeSubscriberNotificationDto = { snoozeUntil: IN_AN_HOUR() };
        await novu().subscribers.notifications.snooze({ ...one, snoozeSubscriberNotificationDto });
        return novu().subscribers.notifications.unsnooze(one);
      },
      shown({ isSnoozed: false }),
    ],
    subscribersNotificationsCompleteAction: [
      async () => novu().subscribers.notifications.completeAction({ ...(await notified()), actionType }),
      shown({ primaryAction: { isCompleted: true } }),
    ],
    subscribersNotificationsRevertAction: [
      async () => novu().subscribers.notifications.revertAction({ ...(await notified()), actionType }),
      shown({ primaryAction: { isCompleted: false } }),
    ],
    subscribersNotificationsDelete: [
      async () => {
        const one = await notified();
        await novu().subscribers.notifications.delete(one);
        return novu().subscribers.notifications.count(one.subscriberId, '[{}]');
      },
      counted(0),
    ],
    subscribersNotificationsMarkAsSeen: [() => onAll('markAsSeen', { seen: true }), counted(1)],
    subscribersNotificationsMarkAllAsRead: [() => onAll('markAllAsRead', { read: true }), counted(1)],
    subscribersNotificationsArchiveAll: [() => onAll('archiveAll', { archived: true }), counted(1)],
    subscribersNotificationsArchiveAllRead: [
      () => onAll('archiveAllRead', { archived: true }, 'markAllAsRead'),
      counted(1),
    ],
    subscribersNotificationsDeleteAll: [() => onAll('deleteAll', {}), counted(0)],
  };
}

function topicCalls(novu: CallWorld['novu']): Record<string, Call> {
  const topic = async (): Promise<string> =>
    (await novu().topics.create({ key: fresh('topic'), name: 'Parcels' })).result.key;
  const withMember = async (): Promise<string> => {
    const key = await topic();
    await novu().subscribers.create({ subscriberId: 'vera', firstName: 'Vera' });
    await novu().topics.subscriptions.create({ subscriptions: ['vera'] }, key);
    return key;
  };
  const vera = { identifier: 'vera', subscriber: { subscriberId: 'vera', firstName: 'Vera' } };
  return {
    topicsCreate: [
      () => novu().topics.create({ key: 'parcels', name: 'Parcels', data: { region: 'eu' } }),
      { result: { key: 'parcels', name: 'Parcels', data: { region: 'eu' } } },
    ],
    topicsGet: [async () => novu().topics.get(await topic()), { result: { name: 'Parcels' } }],
    topicsUpdate: [
      async () => novu().topics.update({ name: 'Letters' }, await topic()),
      { result: { name: 'Letters' } },
    ],
    topicsDelete: [async () => novu().topics.delete(await withMember()), { result: { acknowledged: true } }],
    topicsList: [
      async () => novu().topics.list({ key: await topic(), includeCursor: true }),
      { result: { ...LINKS, totalCount: 1, data: [{ name: 'Parcels' }] } },
    ],
    topicsSubscriptionsCreate: [
      async () => {
        await novu().subscribers.create({ subscriberId: 'vera', firstName: 'Vera' });
        const vera = { identifier: 'vera', subscriberId: 'vera' };
        return novu().topics.subscriptions.create({ name: 'Boxes', subscriptions: [vera, 'nobody'] }, fresh('topic'));
      },
      {
        result: {
          data: [{ ...vera, topic: { name: 'Boxes' } }],
          meta: { totalCount: 2, successful: 1, failed: 1 },
          errors: [{ subscriberId: 'nobody', code: 'SUBSCRIBER_NOT_FOUND' }],
        },
      },
    ],
    topicsSubscriptionsList: [
      async () => novu().topics.subscriptions.list({ topicKey: await withMember(), subscriberId: 'vera' }),
      { result: { ...LINKS, totalCount: 1, data: [vera] } },
    ],
    topicsSubscriptionsGetSubscription: [
      async () => novu().topics.subscriptions.getSubscription(await withMember(), 'vera'),
      { result: { identifier: 'vera' } },
    ],
    topicsSubscriptionsUpdate: [
      async () => {
        const topicKey = await withMember();
        return novu().topics.subscriptions.update({
          topicKey,
          identifier: 'vera',
          updateTopicSubscriptionRequestDto: {},
        });
      },
      { result: vera },
    ],
    topicsSubscriptionsDelete: [
      async () => novu().topics.subscriptions.delete({ subscriptions: ['vera', 'nobody'] }, await withMember()),
      {
        result: {
          data: [vera],
          meta: { totalCount: 2, successful: 1, failed: 1 },
          errors: [{ subscriberId: 'nobody', code: 'SUBSCRIPTION_NOT_FOUND' }],
        },
      },
    ],
  };
}
