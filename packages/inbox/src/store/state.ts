import type { InboxFault, InboxNotification, InboxStatus, InboxTab, InboxView } from './types.js';

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
  readonly items: readonly InboxNotification[];
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
  hasMore: false,
  isLoading: false,
  isLoaded: false,
  maxSnoozeHours: 0,
  unsent: 0,
};
