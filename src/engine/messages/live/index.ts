export { type FeedChange, FeedSignals } from './feed-signals.js';
export {
  type FeedCount,
  LiveFeedReader,
  type MessageKeyInTime,
  NO_MESSAGES,
  type UnreadCount,
} from './live-feed-reader.js';
