import { Injectable } from '@nestjs/common';

/** Tells whoever asks of each error that a request ended with: health learns from it what a store cannot do. */
@Injectable()
export class ThrownErrors {
  private readonly listeners: ((error: unknown) => void)[] = [];

  listen(listener: (error: unknown) => void): void {
    this.listeners.push(listener);
  }

  tell(error: unknown): void {
    for (const listener of this.listeners) listener(error);
  }
}
