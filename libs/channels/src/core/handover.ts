import type { FailureOutcome } from './provider-error.js';

/** Knows whether any part of a message was handed to a connection: from then on the provider may have it. */
export class Handover {
  private hasBegun = false;

  /** To be called before the first byte of the message leaves. */
  begin(): void {
    this.hasBegun = true;
  }

  /** What a failure without an answer means at this moment. */
  get outcome(): FailureOutcome {
    return this.hasBegun ? 'uncertain' : 'not_sent';
  }
}
