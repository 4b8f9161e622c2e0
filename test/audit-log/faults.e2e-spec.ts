import { jest } from '@jest/globals';
import { dataOf, type Json } from '../support/answers.js';
import { useSession, useTestApi } from '../support/test-api.js';
import { FeedsService } from '../../src/content/feeds/index.js';
import { AuditTrail } from '../../src/outcomes/audit-log/index.js';

interface Page {
  readonly entries: Json[];
}

describe('an audit log under faults', () => {
  const api = useTestApi({ AUDIT_TRAFFIC: 'on', AUDIT_RETENTION_DAYS: '0' });
  const session = useSession(api);
  const entries = async (): Promise<Json[]> =>
    (await dataOf<Page>(session.get('/v1/audit-log'), 200)).entries.map(({ action, outcome, errorCode, resource }) => ({
      action,
      ...(outcome !== undefined && { outcome }),
      ...(errorCode !== undefined && { errorCode }),
      name: (resource as Json)['name'],
    }));
  const feeds = async (): Promise<unknown[]> =>
    (await dataOf<Json[]>(session.get('/v1/feeds'), 200)).map(({ name }) => name);
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('should let nothing be changed whose entry the store does not take', async () => {
    jest.spyOn(api.app.get(AuditTrail), 'begin').mockRejectedValueOnce(new Error('no store'));
    await session.post('/v1/feeds', { name: 'News' }).expect(500);
    expect(await feeds()).toEqual([]);
    expect(await entries()).toEqual([]);
  });

  it('should not turn a change into an error whose entry cannot be completed', async () => {
    jest.spyOn(api.app.get(AuditTrail), 'finish').mockRejectedValueOnce(new Error('no store'));
    await session.post('/v1/feeds', { name: 'News' }).expect(201);
    expect(await feeds()).toEqual(['News']);
    expect(await entries()).toEqual([{ action: 'createFeed', name: undefined }]);
  });

  it('should keep what failed in the middle, because part of it may be there', async () => {
    jest.spyOn(api.app.get(FeedsService), 'create').mockRejectedValueOnce(new Error('broken'));
    await session.post('/v1/feeds', { name: 'News' }).expect(500);
    expect(await entries()).toEqual([
      { action: 'createFeed', outcome: 'failed', errorCode: 'internal_error', name: undefined },
    ]);
  });

  it('should have what keys do with subscribers, if it is wanted', async () => {
    await session.post('/v1/subscribers', { subscriberId: 'ada' }).expect(201);
    await session.post('/v1/topics', { key: 'news', name: 'News' }).expect(201);
    await session.patch('/v1/subscribers/ada/preferences', { enabled: false });
    await session.patch('/v1/subscribers/ada/online-status', { isOnline: true }).expect(200);
    expect((await entries()).map(({ action, name }) => [action, name])).toEqual([
      ['updateGlobalPreference', 'ada'],
      ['createTopic', 'News'],
      ['createSubscriber', 'ada'],
    ]);
  });
});
