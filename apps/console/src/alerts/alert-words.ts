import type { Schemas } from '../api/client.js';
import { textIn } from '../ui/form-text.js';

export type Alerts = Schemas['AlertsResponse'];
export type AlertsChange = Schemas['UpdateAlertsDto'];

export const KINDS: readonly { readonly kind: Alerts['kinds'][number]; readonly words: string }[] = [
  { kind: 'provider', words: 'A provider does not answer, or answers again' },
  { kind: 'failures', words: 'Many messages fail' },
  { kind: 'dead_letters', words: 'Messages could not be delivered, and are not tried again' },
  { kind: 'late_work', words: 'Messages are late' },
  { kind: 'daily_report', words: 'A report each day' },
];

/** Who is told, and by which topic. */
export function audienceWords({ recipients }: Pick<Alerts, 'recipients'>): string {
  if (recipients === 0) return 'Nobody is told: the topic has no members';
  return recipients === 1 ? 'One person is told' : `${recipients.toLocaleString('en')} people are told`;
}

export function changeIn(form: FormData): AlertsChange {
  const chosen = form.getAll('kinds');
  return {
    kinds: KINDS.map(({ kind }) => kind).filter((kind) => chosen.includes(kind)),
    topic: textIn(form, 'topic') || null,
    subscribers: textIn(form, 'subscribers')
      .split(',')
      .map((id) => id.trim())
      .filter((id) => id !== ''),
    failurePercent: Number(textIn(form, 'failurePercent')),
    lateMinutes: Number(textIn(form, 'lateMinutes')),
    reportAt: textIn(form, 'reportAt') || null,
    timezone: textIn(form, 'timezone') || null,
  };
}
