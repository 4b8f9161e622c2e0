import type { Schemas } from '../api/client.js';
import type { Tone } from '../ui/status.js';
import { durationOf } from '../durations.js';
import { providerLabel, typeLabel } from '../activity/words.js';

export type ProviderHealth = Schemas['ProviderHealthResponse'];
export type Lane = Schemas['DeliveryBacklogResponse']['lane'];

/** From this share on, failures are no single cases. */
const MANY = 0.1;

export function titleOf({ channel, providerId }: Pick<ProviderHealth, 'channel' | 'providerId'>): string {
  if (providerId === undefined) return `${typeLabel(channel)} · no provider called`;
  return channel === 'in_app' ? typeLabel(channel) : `${typeLabel(channel)} · ${providerLabel(providerId)}`;
}

/** How a provider does, as a word and a tone. */
export function healthWord({ sent, failed }: Pick<ProviderHealth, 'sent' | 'failed'>): { tone: Tone; label: string } {
  if (failed === 0) return { tone: 'good', label: 'No failures' };
  const all = sent + failed;
  const label = `${failed.toLocaleString('en')} of ${all.toLocaleString('en')} failed`;
  return { tone: failed / all >= MANY ? 'bad' : 'warn', label };
}

/** The worst first: those with the most failures, then the busiest. */
export function worstFirst(providers: readonly ProviderHealth[]): ProviderHealth[] {
  return [...providers].sort((one, other) => other.failed - one.failed || other.sent - one.sent);
}

/** What a chart shows, for those who cannot see it. */
export function chartWords(health: ProviderHealth, clockOf: (at: string) => string): string {
  const { sent, failed, points } = health;
  const worst = points.reduce((most, point) => (point.failed > most.failed ? point : most), { failed: 0, at: '' });
  const peak = worst.failed > 0 ? ` Most failures at ${clockOf(worst.at)}: ${worst.failed}.` : '';
  const before = countsBefore(health);
  const former = hasAny(before) ? ` In the period before: ${before.sent} sent and ${before.failed} failed.` : '';
  return `${titleOf(health)}: ${sent} sent and ${failed} failed in ${points.length} intervals.${peak}${former}`;
}

type SentAndFailed = Pick<ProviderHealth, 'sent' | 'failed'>;

export function countsBefore({ pointsBefore }: Pick<ProviderHealth, 'pointsBefore'>): SentAndFailed {
  const total = (of: keyof SentAndFailed): number => pointsBefore.reduce((sum, point) => sum + point[of], 0);
  return { sent: total('sent'), failed: total('failed') };
}

export function hasAny({ sent, failed }: SentAndFailed): boolean {
  return sent + failed > 0;
}

/** How a figure differs from that of the period before. */
export function changeWords(count: number, before: number | undefined): string {
  if (before === undefined || before === 0) return '';
  const percent = Math.round((100 * (count - before)) / before);
  if (percent === 0) return 'as before';
  return percent > 0 ? `${percent.toLocaleString('en')} % more than before` : `${-percent} % less than before`;
}

/** A time that is known by its class only, so it is rounded up to it. */
export function timeToSend(ms: number | undefined): string {
  return ms === undefined ? '–' : `≤ ${durationOf(ms)}`;
}

const LANES: Readonly<Record<Lane, string>> = {
  expand: 'Triggers waiting for expansion',
  store: 'In-app messages, delays and digests',
  webhook: 'Conditions that call a webhook',
  email: 'Email',
  sms: 'SMS',
  chat: 'Chat',
  push: 'Push',
  plugin: 'Plugin steps',
  http: 'HTTP requests',
};

export function laneLabel(lane: Lane): string {
  return LANES[lane];
}

/** The value at the top of an axis: 1, 2 or 5 of a power of ten, so that the middle is a round value, too. */
export function axisTop(max: number): number {
  if (max <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(max));
  return ([1, 2, 5, 10].find((factor) => factor * power >= max) ?? 10) * power;
}
