import type { Schemas } from '../api/client.js';
import type { Week } from '../ui/week.js';

export type Limits = Schemas['AgentLimitsResponse'];
type Asked = Schemas['AgentLimitsDto'];

export const AGENT_NUMBERS = [
  { name: 'notifications', label: 'Notifications', usual: 60 },
  { name: 'people', label: 'Different people', usual: 60 },
  { name: 'periodMinutes', label: 'In so many minutes', usual: 60 },
  { name: 'approvalAbove', label: 'Ask a person above', usual: 10 },
  { name: 'callsPerMinute', label: 'Calls per minute', usual: 60 },
] as const;

/** Fields that are empty are left to the defaults of the API. */
export function limitsIn(form: FormData, week: Week | undefined): Asked {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const numbers = AGENT_NUMBERS.flatMap(({ name }) => (text(name) === '' ? [] : [[name, Number(text(name))] as const]));
  const approvers = text('approvers')
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  const timezone = text('timezone');
  return {
    ...Object.fromEntries(numbers),
    ...(approvers.length > 0 && { approvers }),
    ...(week && { sendWindow: { weeklySchedule: week, ...(timezone !== '' && { timezone }) } }),
  };
}

/** As the form says, also where it says nothing: then the default holds. */
export function changedLimits(form: FormData, week: Week | undefined): Asked {
  const usual = Object.fromEntries(AGENT_NUMBERS.map(({ name }) => [name, null]));
  return { ...usual, approvers: null, sendWindow: null, ...limitsIn(form, week) };
}

/** In one line. */
export function limitWords({ notifications, people, periodMinutes, approvalAbove, sendWindow }: Limits): string {
  const period = periodMinutes % 60 === 0 ? hourWord(periodMinutes / 60) : `${periodMinutes} minutes`;
  const hours = sendWindow === undefined ? '' : '; in certain hours';
  return `${notifications} notifications to ${people} people in ${period}; asks above ${approvalAbove} at once${hours}`;
}

function hourWord(hours: number): string {
  return hours === 1 ? 'an hour' : `${hours} hours`;
}
