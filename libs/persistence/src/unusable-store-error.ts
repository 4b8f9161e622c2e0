/** The program must not use the store; the message says what to do. */
export class UnusableStoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnusableStoreError';
  }
}
