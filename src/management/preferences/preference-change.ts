import type { Channel } from '#libs/channels';
import type { WeeklySchedule } from '#libs/schedule';

/** Null unsets a value. */
export interface GlobalPreferenceChange {
  readonly enabled?: boolean | null | undefined;
  readonly preferences?: readonly { readonly type: Channel; readonly enabled: boolean | null }[] | null | undefined;
  readonly schedule?: WeeklySchedule | null | undefined;
}

/** Null unsets a value. A channel without a type changes nothing. */
export interface WorkflowPreferenceChange {
  readonly enabled?: boolean | null | undefined;
  readonly channel?: { readonly type?: Channel; readonly enabled?: boolean | null } | null | undefined;
}

/** What is written of either. */
export interface PreferenceChange extends Pick<GlobalPreferenceChange, 'enabled' | 'schedule'> {
  readonly channels: Readonly<Partial<Record<Channel, boolean | null | undefined>>>;
}
