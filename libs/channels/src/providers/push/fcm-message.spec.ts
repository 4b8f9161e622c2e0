import { PUSH } from '../../../test/provider-case.js';
import { fcmMessage } from './fcm-message.js';

const plain = (overrides: Record<string, unknown>): unknown =>
  JSON.parse(JSON.stringify(fcmMessage({ ...PUSH, overrides })));
const notification = { title: 'Hi', body: 'Hello Ada' };

describe('fcmMessage', () => {
  it('should put what is no block of a platform into the notification', () => {
    expect(plain({ title: 'Other', imageUrl: 'https://x.example/a.png', deviceTokens: ['t'] })).toEqual({
      notification: { title: 'Other', body: 'Hello Ada', image: 'https://x.example/a.png' },
    });
  });

  it("should take the blocks under the Admin SDK's names and under those of the API", () => {
    const expected = { notification, webpush: { headers: { Urgency: 'high' } }, fcm_options: { analyticsLabel: 'a' } };
    expect(plain({ webPush: { headers: { Urgency: 'high' } }, fcmOptions: { analyticsLabel: 'a' } })).toEqual(expected);
    expect(plain({ webpush: { headers: { Urgency: 'high' } }, fcm_options: { analyticsLabel: 'a' } })).toEqual(
      expected,
    );
  });

  it('should make of what the Admin SDK takes what the API takes', () => {
    expect(
      plain({
        android: {
          ttl: 3_600_000,
          priority: 'high',
          notification: { channelId: 'c', imageUrl: 'https://x.example/a' },
        },
        apns: {
          payload: { aps: { contentAvailable: true, mutableContent: true, threadId: 't', badge: 1 } },
          fcmOptions: { imageUrl: 'https://x.example/b' },
        },
      }),
    ).toEqual({
      notification,
      android: { ttl: '3600s', priority: 'high', notification: { channelId: 'c', image: 'https://x.example/a' } },
      apns: {
        payload: { aps: { 'content-available': 1, 'mutable-content': 1, 'thread-id': 't', badge: 1 } },
        fcmOptions: { image: 'https://x.example/b' },
      },
    });
  });

  it('should leave blocks as they are that the API takes', () => {
    const android = { ttl: '60s', notification: { channel_id: 'c' } };
    const apns = { headers: { 'apns-priority': '5' }, payload: { aps: { 'content-available': 1 } } };
    expect(plain({ android, apns })).toEqual({ notification, android, apns });
  });

  it('should send text alone as data, the content under both of its names', () => {
    expect(plain({ type: 'data', data: { deep: { a: 1 } }, android: { priority: 'high' } })).toEqual({
      data: { order: '7', deep: '{"a":1}', title: 'Hi', body: 'Hello Ada', message: 'Hello Ada' },
      android: { priority: 'high' },
    });
  });

  describe('with a key', () => {
    const withKey = (replaces: string, overrides: Record<string, unknown> = {}): unknown =>
      JSON.parse(JSON.stringify(fcmMessage({ ...PUSH, replaces, overrides })));

    it('should replace an earlier message on every platform', () => {
      expect(withKey('order-7')).toEqual({
        notification,
        android: { collapse_key: 'order-7', notification: { tag: 'order-7' } },
        apns: { headers: { 'apns-collapse-id': 'order-7' } },
        webpush: { headers: { Topic: 'order-7' }, notification: { tag: 'order-7' } },
      });
    });

    it('should let the overrides win', () => {
      const android = { collapseKey: 'own', notification: { tag: 'own' } };
      const apns = { headers: { 'apns-collapse-id': 'own', 'apns-priority': '5' } };
      const webpush = { headers: { topic: 'own' }, notification: { tag: 'own', icon: '/i.png' } };
      expect(withKey('order-7', { android, apns, webpush })).toEqual({ notification, android, apns, webpush });
    });

    it('should add no notification to data alone', () => {
      expect(withKey('order-7', { type: 'data' })).toMatchObject({ android: { collapse_key: 'order-7' } });
      expect(JSON.stringify(withKey('order-7', { type: 'data' }))).not.toContain('notification');
    });

    it('should make a key of what providers do not take as one', () => {
      const { android } = withKey(`Größe ${'x'.repeat(200)}`) as { android: { collapse_key: string } };
      expect(android.collapse_key).toMatch(/^[\w-]{32}$/);
      expect(withKey(`Größe ${'x'.repeat(200)}`)).toMatchObject({ android });
    });
  });
});
