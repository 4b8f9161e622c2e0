import { createHash } from 'node:crypto';
import { Types } from 'mongoose';

/** What makes a message the same message when a step is run again. */
export interface MessageKey {
  readonly notificationId: Types.ObjectId;
  /** Id of the step of the notification. */
  readonly jobId: Types.ObjectId;
  /** Where one step sends several messages, which of them this is: a device token, a webhook address. */
  readonly target?: string;
}

/**
 * The id of a message, always the same for the same step and target, so that a step that is run again after a crash
 * writes the same message, and details can name it before it is stored.
 *
 * The first four bytes are those of the notification (its time), which keeps neighbours together in the index; the
 * other eight are a digest of the key.
 */
export function messageIdFor({ notificationId, jobId, target = '' }: MessageKey): Types.ObjectId {
  const digest = createHash('sha256').update(notificationId.id).update(jobId.id).update(target).digest();
  const id = new Uint8Array(12);
  id.set(notificationId.id.subarray(0, 4), 0);
  id.set(digest.subarray(0, 8), 4);
  return new Types.ObjectId(id);
}
