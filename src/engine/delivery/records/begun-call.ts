/**
 * A call of a provider that a worker has begun. It is stored with the state of the step before anything leaves, so whoever takes
 * the run up and finds it without an outcome knows that the provider may have the message.
 */
export interface BegunCall {
  /** The key of the target. */
  readonly target: string;
  readonly integrationId: string;
  readonly providerId: string;
  /** Integrations that had refused the message before. */
  readonly tried?: string[];
  readonly at: Date;
  /** `attempt` of the step. Processes of former versions leave calls of earlier attempts behind. */
  readonly attempt: number;
}

interface CallingStep {
  readonly attempt: number;
  readonly calls?: readonly BegunCall[];
}

/** Calls of a step that have no recorded outcome. */
export function openCalls({ calls = [], attempt }: CallingStep): readonly BegunCall[] {
  return calls.filter((call) => call.attempt === attempt);
}
