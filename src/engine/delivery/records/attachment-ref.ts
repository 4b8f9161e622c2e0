import type { Types } from 'mongoose';
import type { EmailAttachment } from '#libs/channels';

/** A file that goes with an event; its bytes lie in the attachment store. */
export interface AttachmentRef extends Pick<EmailAttachment, 'cid' | 'disposition'> {
  _id: Types.ObjectId;
  name: string;
  mime: string;
  size: number;
  /** Channels that it is for; absent: all that can carry files. */
  channels?: string[];
}
