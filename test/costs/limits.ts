// What requests and notifications may cost at most. Lower a limit when the program gets better; a higher one needs its reason in
// the commit that raises it.

export interface RequestLimit {
  /** Commands that the driver sends to the store while caches are warm. */
  readonly commands: number;
  /** Bytes of the response body. */
  readonly bytes: number;
}

export const REQUEST_LIMITS = {
  'GET /v1/health-check': { commands: 1, bytes: 200 },
  'POST /v1/subscribers': { commands: 1, bytes: 369 },
  'GET /v1/subscribers/{subscriberId}': { commands: 1, bytes: 368 },
  'GET /v1/subscribers?limit=20': { commands: 1, bytes: 7_253 },
  'GET /v1/subscribers/{subscriberId}/notifications/feed?limit=10': { commands: 2, bytes: 12_904 },
  'GET /v1/subscribers/{subscriberId}/notifications/unseen': { commands: 1, bytes: 21 },
  'POST /v1/subscribers/{subscriberId}/messages/mark-as': { commands: 2, bytes: 905 },
  'GET /v1/inbox/notifications': { commands: 1, bytes: 9_000 },
  'GET /v1/inbox/notifications/count': { commands: 2, bytes: 200 },
  'PATCH /v1/inbox/notifications/{notificationId}/read': { commands: 2, bytes: 1_000 },
  'POST /v1/events/trigger': { commands: 1, bytes: 106 },
  'POST /v1/events/trigger/dry-run': { commands: 2, bytes: 1_200 },
  'POST /v1/workflows/{workflowId}/steps/{stepId}/preview': { commands: 2, bytes: 300 },
} as const satisfies Record<string, RequestLimit>;

export interface DeliveryLimit {
  readonly notifications: number;
  /**
   * Commands of all of them together, from the trigger to the end of each notification and the looks for further work. Up to three of
   * these are reads of caches that a slow machine finds expired.
   */
  readonly commands: number;
}

/** Notifications with one step. */
export const DELIVERY_LIMITS = {
  'a single trigger': { notifications: 1, commands: 20 },
  'a bulk trigger of 100 events': { notifications: 100, commands: 20 },
  'a broadcast to 100 subscribers': { notifications: 100, commands: 22 },
  // Mails end one by one. At worst, none shares its commands: the check for a cancellation, the mark of the call, the message and the
  // state of the run.
  'a bulk trigger of 100 mails by SMTP': { notifications: 100, commands: 420 },
} as const satisfies Record<string, DeliveryLimit>;

/**
 * What a single trigger asks of the store, besides the looks for further work and reads of caches. The test delivers apart from
 * accepting, so the event is claimed by an update of its own.
 */
export const TRIGGER_COMMANDS = [
  'find preferences',
  'find subscribers',
  'insert messages',
  'insert notifications',
  'insert triggerEvents',
  'update triggerEvents',
  'update triggerEvents',
];

/** What a delivered notification with one in-app step leaves in the store. */
export const STORED_LIMITS = {
  documents: 3,
  /** Of all documents, as BSON. */
  documentBytes: 1_900,
  /** Entries of indexes that refer to these documents, those of `_id` included. */
  indexEntries: 16,
} as const;
