import { LineTooSlow } from '#libs/work';

/** Why a message waits although its turn has come, and what its trail says. */
export const HOLDS = {
  integration_limit: 'The integration has sent as many messages as its messagesPerSecond allows.',
  provider_wait: 'The provider has asked for a wait.',
  provider_down: 'The provider is down, and no other integration is left.',
} as const;
export type HoldReason = keyof typeof HOLDS;

/** The message was not tried: it comes again, and that is no attempt. */
export class HeldBack extends LineTooSlow {
  constructor(
    readonly reason: HoldReason,
    retryAfterMs: number,
  ) {
    super(retryAfterMs);
    this.name = 'HeldBack';
    this.message = HOLDS[reason];
  }
}

export function isHoldReason(reason: string | undefined): reason is HoldReason {
  return reason !== undefined && Object.hasOwn(HOLDS, reason);
}

/** @param error of a step or of one of its targets, which waits for its next attempt */
export function holdReasonOf(error: string): HoldReason | undefined {
  return (Object.keys(HOLDS) as HoldReason[]).find((reason) => HOLDS[reason] === error);
}
