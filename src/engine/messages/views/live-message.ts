import type { Severity } from '../../../content/workflows/index.js';
import { forBrowser } from './browser-content.js';
import type { FeedMessageResponse } from './message.response.js';
import type { Message } from '../records/message.schema.js';

/** Contains the fields of both the bell and the Inbox. */
export interface LiveMessage extends FeedMessageResponse {
  severity: Severity;
  snoozedUntil?: Date;
  deliveredAt: Date[];
  firstSeenDate?: Date;
  workflow?: {
    readonly _id: string;
    readonly identifier?: string;
    readonly name: string;
    readonly critical: boolean;
    readonly tags: readonly string[];
    readonly severity: Severity;
  };
}

/** @param shown the same message as in the feed */
export async function showLiveMessage(row: Message, shown: FeedMessageResponse): Promise<LiveMessage> {
  const { severity = 'none', snoozedUntil, deliveredAt = [row.createdAt], lastSeenDate } = row;
  const { template, templateIdentifier } = shown;
  const safe = await forBrowser(shown);
  return {
    ...safe,
    severity,
    deliveredAt,
    ...(snoozedUntil && { snoozedUntil }),
    ...(lastSeenDate && { firstSeenDate: lastSeenDate }),
    ...(template && {
      workflow: {
        _id: template._id,
        ...(templateIdentifier !== undefined && { identifier: templateIdentifier }),
        name: template.name,
        critical: template.critical,
        tags: template.tags,
        severity,
      },
    }),
  };
}
