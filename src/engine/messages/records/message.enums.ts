/** The first three are the compatible system's; the others come from provider callbacks. */
export const MESSAGE_STATUSES = [
  'pending',
  'sent',
  'warning',
  'error',
  'delivered',
  'bounced',
  'opened',
  'clicked',
  'complained',
] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

export const ACTION_TYPES = ['primary', 'secondary'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];

export const ACTION_STATUSES = ['pending', 'done'] as const;
export type ActionStatus = (typeof ACTION_STATUSES)[number];

export const MARKS = ['read', 'seen', 'unread', 'unseen'] as const;
export type Mark = (typeof MARKS)[number];

export const ACTOR_TYPES = ['none', 'user', 'system_icon', 'system_custom'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];
