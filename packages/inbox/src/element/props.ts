import type { InboxArrival, InboxFault, InboxNotification, InboxTab } from '../store/index.js';
import type { InboxLabels } from './labels.js';

/** What the wrappers for React and Vue take. Each property that is a text or a flag is the attribute of the same name. */
export interface InboxProps {
  /** Address of Herald. */
  readonly backendUrl: string;
  /** `identifier` of the environment. */
  readonly applicationIdentifier: string;
  readonly subscriberId: string;
  /** HMAC of the subscriber's id, from your server. */
  readonly subscriberHash?: string | undefined;
  readonly tabs?: readonly InboxTab[] | undefined;
  readonly labels?: Partial<InboxLabels> | undefined;
  /** Without a bell, where the element stands. */
  readonly inline?: boolean | undefined;
  readonly open?: boolean | undefined;
  /** Rows of two lines. */
  readonly compact?: boolean | undefined;
  /** Shows messages that come while the panel is closed in a corner of the page. */
  readonly toast?: boolean | undefined;
  readonly theme?: 'light' | 'dark' | 'auto' | undefined;
  readonly lang?: string | undefined;
  readonly dir?: 'ltr' | 'rtl' | undefined;
  readonly badge?: 'unread' | 'unseen' | undefined;
  /** Address of a service worker of your origin, for web push. */
  readonly pushWorker?: string | undefined;
}

/** By the ends of the names of the events: `herald-select`, … */
export interface InboxEvents {
  readonly select: { readonly notification: InboxNotification };
  readonly action: { readonly notification: InboxNotification; readonly actionType: 'primary' | 'secondary' };
  readonly message: InboxArrival;
  readonly counts: { readonly unread: number; readonly unseen: number | undefined };
  readonly error: { readonly error: InboxFault };
  readonly toggle: { readonly open: boolean };
}

export const EVENTS = ['select', 'action', 'message', 'counts', 'error', 'toggle'] as const;

/** Attributes of the element; those without a value are absent. */
export function attributesOf(props: Omit<InboxProps, 'tabs' | 'labels'>): Record<string, string | undefined> {
  const flag = (isSet: boolean | undefined): string | undefined => (isSet === true ? '' : undefined);
  return {
    'backend-url': props.backendUrl,
    'application-identifier': props.applicationIdentifier,
    'subscriber-id': props.subscriberId,
    'subscriber-hash': props.subscriberHash,
    inline: flag(props.inline),
    open: flag(props.open),
    compact: flag(props.compact),
    toast: flag(props.toast),
    theme: props.theme,
    lang: props.lang,
    dir: props.dir,
    badge: props.badge,
    'push-worker': props.pushWorker,
  };
}
