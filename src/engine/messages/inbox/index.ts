export {
  dataFaults,
  dateFaults,
  feedFaults,
  filterFaults,
  groupFaults,
  severityFaults,
  tagFaults,
  toFilter,
} from './inbox-filter.js';
export {
  InboxMessagesService,
  type InboxOwner,
  type InboxRows,
  type MessageGroup,
  type UnreadCounts,
} from './inbox-messages.service.js';
export { SubscriberFeedService } from './subscriber-feed.service.js';
