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
});
