/** Lets tests run code or throw at this point, such as between two writes; otherwise does nothing. */
export class FailPoint<T = void> {
  private act: ((value: T) => Promise<unknown>) | undefined;

  constructor(readonly name: string) {}

  /** @throws what the armed function throws */
  async pass(value: T): Promise<void> {
    await this.act?.(value);
  }

  /** Runs the function at each pass until {@link disarm}. */
  arm(act: (value: T) => Promise<unknown>): void {
    this.act = act;
  }

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
