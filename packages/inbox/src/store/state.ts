import type { InboxFault, InboxNotification, InboxStatus, InboxTab, InboxView } from './types.js';

/** A group whose notifications are shown. */
export interface OpenGroup {
  readonly key: string;
  /** Newest first, the one that stands for the group included; empty until they are read. */
  readonly items: readonly InboxNotification[];
}

export interface InboxState {
  readonly status: InboxStatus;
  readonly error: InboxFault | undefined;
  /** Up to 99: there can be more. */
  readonly unread: number;
  /** Undefined until the server has told. */
  readonly unseen: number | undefined;
  readonly tabs: readonly InboxTab[];
  /** Unread ones, in the order of the tabs; empty until they are counted. */
  readonly tabCounts: readonly number[];
  readonly tab: number;
  readonly view: InboxView;
  /** Of a group only the newest one. */
  readonly items: readonly InboxNotification[];
  readonly openGroup: OpenGroup | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** The list has been read once since it was chosen. */
  readonly isLoaded: boolean;
  /** 0 if notifications cannot be snoozed. */
  readonly maxSnoozeHours: number;
  /** Changes that Herald does not have yet. */
  readonly unsent: number;
}

export const BEGINNING: InboxState = {
  status: 'idle',
  error: undefined,
  unread: 0,
  unseen: undefined,
  tabs: [],
  tabCounts: [],
  tab: 0,
  view: 'inbox',
  items: [],
  openGroup: undefined,
  hasMore: false,
  isLoading: false,
  isLoaded: false,
  maxSnoozeHours: 0,
  unsent: 0,
};
