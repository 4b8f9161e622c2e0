import { Types } from 'mongoose';
import { messageIdFor } from './message-store.js';

const notificationId = new Types.ObjectId('64f0c1a2b3c4d5e6f7a8b9c0');
const jobId = new Types.ObjectId('64f0c1a2b3c4d5e6f7a8b9c1');
const idOf = (key: Partial<Parameters<typeof messageIdFor>[0]> = {}): string =>
  messageIdFor({ notificationId, jobId, ...key }).toHexString();

describe('messageIdFor', () => {
  it('should give the same id for the same step and target', () => {
    expect(idOf()).toBe(idOf());
    expect(idOf({ target: 'a' })).toBe(idOf({ target: 'a' }));
  });

  it('should keep the time of the notification', () => {
    expect(messageIdFor({ notificationId, jobId }).getTimestamp()).toEqual(notificationId.getTimestamp());
  });

  it.each([
    ['step', { jobId: new Types.ObjectId('64f0c1a2b3c4d5e6f7a8b9c2') }],
    ['notification', { notificationId: new Types.ObjectId('64f0c1a2b3c4d5e6f7a8b9c3') }],
    ['target', { target: 'token' }],
  ])('should give another id for another %s', (_part, key) => {
    expect(idOf(key)).not.toBe(idOf());
  });
});
