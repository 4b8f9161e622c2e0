import type { SendWindow } from '#libs/schedule';

/** What the key of an agent may do without a person. */
export interface AgentLimits {
  readonly callsPerMinute: number;
  /** In any stretch of `periodMinutes`, one for each recipient. */
  readonly notifications: number;
  /** Different subscribers in the same time. */
  readonly people: number;
  readonly periodMinutes: number;
  /** More recipients at once need a person. */
  readonly approvalAbove: number;
  /** Subscribers who are asked then. People of the console always can decide. */
  readonly approvers: readonly string[];
  /** Absent: at any time. */
  readonly sendWindow?: SendWindow;
}

/** What is null has its usual value; what is absent stays. */
export type LimitChange = { readonly [K in keyof AgentLimits]?: AgentLimits[K] | null };

export const AGENT_DEFAULTS: AgentLimits = {
  callsPerMinute: 60,
  notifications: 60,
  people: 60,
  periodMinutes: 60,
  approvalAbove: 10,
  approvers: [],
};

/** Whoever can give rights to others is no agent. */
export const AGENT_SCOPES = ['read', 'trigger', 'write'] as const;
