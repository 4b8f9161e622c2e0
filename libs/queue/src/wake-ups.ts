/**
 * Tells workers that there is work. It carries no truth: what is due stands in the store, so a call that is lost costs
 * at most one polling interval. Injected by class.
 */
export abstract class WakeUps {
  /** Says that work is due now. Never throws, never waits. */
  abstract notify(): void;
  /** @returns stops listening */
  abstract listen(listener: () => void): () => void;
  abstract close(): Promise<void>;
}
