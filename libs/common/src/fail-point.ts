/**
 * A named point in the program at which a test can act, or let it fail: between two writes, for example. It does nothing
 * unless a test has armed it.
 */
export class FailPoint<T = void> {
  private act: ((value: T) => Promise<unknown>) | undefined;

  constructor(readonly name: string) {}

  /** Called by the program. @throws what the armed act throws */
  async pass(value: T): Promise<void> {
    await this.act?.(value);
  }

  /** Lets something happen at this point each time, until {@link disarm}. */
  arm(act: (value: T) => Promise<unknown>): void {
    this.act = act;
  }

  /** Lets something happen at this point the next time. */
  armOnce(act: (value: T) => Promise<unknown>): void {
    this.act = (value) => {
      this.disarm();
      return act(value);
    };
  }

  disarm(): void {
    this.act = undefined;
  }
}
