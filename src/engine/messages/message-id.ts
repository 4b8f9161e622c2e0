import { createHash } from 'node:crypto';
import type { Types } from 'mongoose';
import { objectIdFrom } from '#libs/persistence';

export interface MessageKey {
  readonly notificationId: Types.ObjectId;
  readonly jobId: Types.ObjectId;
  /** Distinguishes messages of one step: a device token or a webhook URL. */
  readonly target?: string;
}

/**
 * Deterministic: a step repeated after a crash writes the same message, and details can name it before it is stored.
 */
export function messageIdFor({ notificationId, jobId, target = '' }: MessageKey): Types.ObjectId {
  const digest = createHash('sha256').update(notificationId.id).update(jobId.id).update(target).digest();
  return objectIdFrom(notificationId, digest);
}
