import { DeletableRecordResponse, shower } from '#libs/http-kit';
import type { Feed } from './feed.schema.js';

export class FeedResponse extends DeletableRecordResponse {
  /**
   * Name of the feed.
   * @example Activities
   */
  name: string;
  /**
   * Equal to the name.
   * @example Activities
   */
  identifier: string;
}

export const showFeed = shower(FeedResponse, (row: Feed) => ({
  name: row.name,
  identifier: row.identifier,
}));
