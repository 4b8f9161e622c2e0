import { jest } from '@jest/globals';
import type { AppConfig } from '#libs/config';
import type { AppLogger } from '#libs/http-kit';
import { FeedSignals, type LiveFeedReader, NO_MESSAGES } from '../../engine/messages/live/index.js';
import { Audience, type Connection, type FeedUpdate } from './audience.js';
import { LiveFeeds } from './live-feeds.js';
import type { ProcessLink } from './process-link.js';

const LIMITS: Readonly<Record<string, number>> = { REAL_TIME_PER_SUBSCRIBER: 10, REAL_TIME_PER_ADDRESS: 0 };

/** One subscriber in each environment; a feed of each changes at the same time. */
function feedsOf(...environments: string[]) {
  const audience = new Audience({ get: (name: string) => LIMITS[name] } as unknown as AppConfig);
  const received = new Map<string, FeedUpdate[]>();
  for (const environmentId of environments) {
    const id = `subscriber of ${environmentId}`;
    const own: FeedUpdate[] = [];
    received.set(environmentId, own);
    const subscriber = { id, subscriberId: id, expiresAt: new Date() };
    const session = { subscriber, environmentId, organizationId: 'organization' };
    const connection: Connection = {
      session,
      address: '127.0.0.1',
      deliver: (update) => own.push(update),
      end: () => undefined,
    };
    audience.add(connection);
  }
  const signals = new FeedSignals();
  const countUnread = jest.fn((owner: { environmentId: string }) => Promise.resolve(new Map([[owner, NO_MESSAGES]])));
  const reader = {
    messagesByIds: () => Promise.resolve(new Map()),
    countUnseen: () => Promise.resolve(new Map()),
    countUnread,
  };
  const link = { onChanges: () => undefined, onRestored: () => undefined } as unknown as ProcessLink;
  const logger = { error: jest.fn() };
  const feeds = new LiveFeeds(
    audience,
    reader as unknown as LiveFeedReader,
    signals,
    link,
    logger as unknown as AppLogger,
  );
  feeds.onApplicationBootstrap();
  const change = (): void =>
    signals.changed(
      environments.map((environmentId) => ({
        environmentId,
        subscriberId: `subscriber of ${environmentId}`,
        unseen: true,
        unread: true,
      })),
    );
  return { feeds, change, countUnread, received };
}

describe('LiveFeeds', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('should repeat a failed update of one environment without those of the others', async () => {
    const { feeds, change, countUnread, received } = feedsOf('one', 'other');
    countUnread.mockRejectedValueOnce(new Error('The store is away'));
    change();
    await jest.advanceTimersByTimeAsync(500);
    expect([received.get('one'), received.get('other')]).toEqual([[], [expect.anything()]]);
    await jest.advanceTimersByTimeAsync(2_000);
    expect([received.get('one'), received.get('other')]).toEqual([[expect.anything()], [expect.anything()]]);
    expect(countUnread).toHaveBeenCalledTimes(3);
    feeds.onModuleDestroy();
  });
});
