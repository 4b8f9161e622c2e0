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
    `This would send to ${count} recipients, and an agent may send to ${max} at once. Ask a person to do it in the console.`,
  [4_711, 10],
);

export const AgentLimitReached = defineError(
  429,
  'agent_limit_reached',
  (max: number) =>
    `This key has sent ${max} times as an agent within an hour, which is the limit. Wait, or ask a person to raise MCP_SENDS_PER_HOUR.`,
  [60],
);

export const CountChanged = defineError(
  409,
  'count_changed',
  (expected: number, found: number) =>
    `You expected ${expected} failed notifications, and there are ${found} now. Call again without expected to count them.`,
  [3, 5],
);
