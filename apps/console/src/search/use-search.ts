import { bodyOf, type Schemas } from '../api/client.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { guessedSearch, type SearchBy } from '../subscribers/subscriber-words.js';

/** Of each kind; the page of the kind has all. */
export const SHOWN = 5;

interface Found {
  readonly workflows: readonly Schemas['WorkflowSummaryResponse'][];
  readonly subscribers: readonly Schemas['SubscriberResponse'][];
  /** Where the subscribers were found. */
  readonly by: SearchBy;
  readonly notifications: readonly Schemas['NotificationResponse'][];
}

const NOTHING: Found = { workflows: [], subscribers: [], by: 'subscriberId', notifications: [] };

/** What a text names, of each kind the first few; nothing is asked for an empty one. */
export function useSearch(text: string): ReturnType<typeof useQuery<Found>> {
  const api = useApi();
  return useQuery(`search ${text}`, async (signal) => {
    if (text === '') return NOTHING;
    const limit = SHOWN + 1;
    const subscribersBy = async (by: SearchBy): Promise<Found['subscribers']> =>
      (await bodyOf(api.GET('/v1/subscribers', { params: { query: { page: 0, limit, [by]: text } }, signal }))).data;
    const guessed = guessedSearch(text);
    const [byId, byOther, workflows, notifications] = await Promise.all([
      subscribersBy('subscriberId'),
      subscribersBy(guessed ?? 'name'),
      bodyOf(api.GET('/v1/workflows', { params: { query: { page: 0, limit, query: text } }, signal })),
      bodyOf(api.GET('/v1/notifications', { params: { query: { page: 0, limit, transactionId: text } }, signal })),
    ]);
    const subscribers = [...new Map([...byId, ...byOther].map((row) => [row.subscriberId, row])).values()];
    const by = byId.length > 0 ? 'subscriberId' : (guessed ?? 'name');
    return { workflows: workflows.data, subscribers, by, notifications: notifications.data };
  });
}
