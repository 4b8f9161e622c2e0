/** Where a click leads. */
export interface InboxLink {
  readonly url: string;
  readonly target?: string;
}

/** A button of a notification. */
export interface InboxAction {
  readonly label: string;
  readonly isCompleted: boolean;
  readonly redirect?: InboxLink;
}

export type Severity = 'high' | 'medium' | 'low' | 'none';

/** The notifications with the same group key that match the list. */
export interface InboxGroup {
  readonly key: string;
  readonly count: number;
  readonly unreadCount: number;
}

/** What a notification shows in place of a picture. */
export type InboxIcon = 'info' | 'warning' | 'error' | 'success' | 'up' | 'question';

/** A notification as `GET /v1/inbox/notifications` shows it. */
export interface InboxNotification {
  readonly id: string;
  readonly subject?: string;
  /** Sanitized HTML. */
  readonly body: string;
  readonly isRead: boolean;
  readonly isSeen: boolean;
  readonly isArchived: boolean;
  readonly isSnoozed: boolean;
  readonly snoozedUntil?: string;
  readonly createdAt: string;
  readonly avatar?: string;
  readonly icon?: InboxIcon;
  readonly primaryAction?: InboxAction;
  readonly secondaryAction?: InboxAction;
  readonly tags: readonly string[];
  readonly redirect?: InboxLink;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly severity: Severity;
  /** Of the newest one of a group. */
  readonly group?: InboxGroup;
}

/** A notification that has just come. */
export interface InboxArrival {
  readonly id: string;
  readonly subject?: string;
  /** Sanitized HTML. */
  readonly body: string;
}

export type InboxView = 'inbox' | 'unread' | 'archived' | 'snoozed';

/** Which notifications a tab shows. */
export interface InboxFilter {
  readonly tags?: readonly string[];
  readonly feedIdentifier?: string | readonly string[];
  readonly severity?: Severity | readonly Severity[];
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface InboxTab {
  readonly label: string;
  readonly filter?: InboxFilter;
}

/**
 * `live`: changes come by themselves. `polling`: they are asked for. `offline`: they are not; it tries again by itself.
 * `refused`: the session was refused, see `error`.
 */
export type InboxStatus = 'idle' | 'connecting' | 'live' | 'polling' | 'offline' | 'refused';

/** What Herald refused. */
export interface InboxFault {
  readonly message: string;
  /** 0 if Herald was not reached. */
  readonly status: number;
  readonly code?: string;
}

export type ChannelName = 'in_app' | 'email' | 'sms' | 'chat' | 'push';
export type Channels = Readonly<Partial<Record<ChannelName, boolean>>>;

export interface TimeRange {
  readonly start: string;
  readonly end: string;
}

export interface DaySchedule {
  readonly isEnabled: boolean;
  readonly hours?: readonly TimeRange[];
}

export const WEEK_DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type WeekDay = (typeof WEEK_DAYS)[number];

/** When messages of other channels than in-app may be sent. */
export interface WeeklySchedule {
  readonly isEnabled: boolean;
  readonly weeklySchedule?: Readonly<Partial<Record<WeekDay, DaySchedule>>>;
}

export interface InboxPreference {
  readonly level: 'global' | 'template';
  readonly enabled: boolean;
  readonly channels: Channels;
  readonly workflow?: {
    readonly id: string;
    readonly identifier: string;
    readonly name: string;
    readonly critical: boolean;
  };
  /** Heading under which the workflow stands. */
  readonly notificationGroup?: {
    readonly _id: string;
    readonly name: string;
    readonly description?: string;
    readonly order?: number;
  };
  readonly schedule?: WeeklySchedule;
}

/** Providers of push messages to applications. */
export type DeviceProvider = 'apns' | 'expo' | 'fcm' | 'one-signal';

export interface InboxOptions {
  /** Address of Herald, with a path if it has one. */
  readonly backendUrl: string;
  /** `identifier` of the environment. */
  readonly applicationIdentifier: string;
  readonly subscriberId: string;
  /** HMAC of the subscriber's id, from your server. */
  readonly subscriberHash?: string;
  readonly tabs?: readonly InboxTab[];
  /** Milliseconds between requests where there is no stream. */
  readonly pollMs?: number;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch;
}
