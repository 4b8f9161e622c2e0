import type { Schemas } from '../api/client.js';
import type { Tone } from '../ui/status.js';

export type Integration = Schemas['IntegrationResponse'];

export const CHANNELS = ['email', 'sms', 'push', 'chat', 'in_app'] as const;

interface Word {
  readonly tone: Tone;
  readonly label: string;
}

export function integrationWord({
  active,
  credentialsError,
  outage,
}: Pick<Integration, 'active' | 'credentialsError' | 'outage'>): Word {
  if (credentialsError !== undefined) return { tone: 'bad', label: 'Credentials cannot be read' };
  if (active && outage !== undefined) return { tone: 'bad', label: 'Down' };
  return active ? { tone: 'good', label: 'Active' } : { tone: 'idle', label: 'Inactive' };
}

/** Whether it takes the messages of its channel instead of all others. */
export function isCatching({ active, providerId }: Pick<Integration, 'active' | 'providerId'>): boolean {
  return active && providerId.startsWith('catcher-');
}

/** The integrations of each channel that has some, in the order in which they are tried. */
export function byChannel<T extends Pick<Integration, 'channel' | 'primary' | 'priority' | 'active'>>(
  all: readonly T[],
): { channel: (typeof CHANNELS)[number]; rows: T[] }[] {
  const rank = ({ primary, priority, active }: T): number => (primary ? 1e9 : 0) + (active ? 1e6 : 0) + priority;
  return CHANNELS.map((channel) => ({
    channel,
    rows: all.filter((one) => one.channel === channel).toSorted((one, other) => rank(other) - rank(one)),
  })).filter(({ rows }) => rows.length > 0);
}
