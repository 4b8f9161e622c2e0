import { h } from './dom.js';
import type { InboxLabels } from './labels.js';

const HOUR_MS = 3_600_000;
const MORNING = 9;

/** Ways to say when, as far as Herald allows them. */
export function drawSnooze(labels: InboxLabels, maxHours: number, onChosen: (until: Date) => void): HTMLElement {
  const latest = Date.now() + maxHours * HOUR_MS;
  const choices = [
    [labels.snoozeHour, new Date(Date.now() + HOUR_MS)],
    [labels.snoozeTomorrow, morningIn(1)],
    [labels.snoozeWeek, morningIn(7)],
  ] as const;
  const field = h('input', {
    type: 'datetime-local',
    'aria-label': labels.snoozeUntil,
    min: localText(new Date(Date.now() + 60_000)),
    max: localText(new Date(latest)),
    required: true,
  });
  const choose = (): void => {
    if (field.reportValidity()) onChosen(new Date(field.value));
  };
  return h(
    'div',
    { class: 'actions until', role: 'group', 'aria-label': labels.snooze },
    ...choices.map(([label, until]) =>
      until.getTime() > latest ? undefined : h('button', { type: 'button', click: () => onChosen(until) }, label),
    ),
    field,
    h('button', { type: 'button', click: choose }, labels.ok),
  );
}

function morningIn(days: number): Date {
  const date = new Date();
  date.setDate(date.getDate() + days);
  date.setHours(MORNING, 0, 0, 0);
  return date;
}

/** As fields for local times write it. */
function localText(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
