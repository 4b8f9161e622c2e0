import { defineError } from '#libs/http-kit';

export const ToolNotFound = defineError(
  404,
  'tool_not_found',
  (name: string) => `There is no tool '${name}'. The list of tools has those that your key may call.`,
  ['delete_workflow'],
);

export const TooManyForAgent = defineError(
  403,
  'too_many_for_agent',
  (count: number, max: number) =>
    `This would send ${count} notifications, and this key may send ${max} at once. Ask a person to do it in the console.`,
  [4_711, 10],
);

export const AgentLimitReached = defineError(
  429,
  'agent_limit_reached',
  (notifications: number, people: number, minutes: number) =>
    `This key may send ${notifications} notifications to ${people} different people within ${minutes} minutes, and this would be more. Wait, or ask a person for a key with other limits.`,
  [60, 60, 60],
);

export const AgentIsQuiet = defineError(
  403,
  'agent_is_quiet',
  (until: string | undefined) =>
    `This key may not send at this hour${until === undefined ? '' : `, and may again from ${until}`}. Nobody was notified.`,
  ['2026-01-31T08:00:00.000Z'],
);

export const CountChanged = defineError(
  409,
  'count_changed',
  (expected: number, found: number) =>
    `You expected ${expected} failed notifications, and there are ${found} now. Call again without expected to count them.`,
  [3, 5],
);
