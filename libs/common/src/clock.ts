import { DynamicModule, Global, Module } from '@nestjs/common';

/** By which the clocks of processes differ, or are set back, at most. In milliseconds. */
export const CLOCK_SKEW_MS = 300_000;

/** The current time. Code that depends on time injects this class, so that tests can move time instead of waiting. */
export abstract class Clock {
  abstract now(): Date;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

export class ManualClock extends Clock {
  constructor(private current: Date = new Date()) {
    super();
  }

  now(): Date {
    return new Date(this.current);
  }

  /** Never backwards. */
  moveTo(moment: Date): void {
    if (moment > this.current) this.current = new Date(moment);
  }

  /** @param ms milliseconds */
  advance(ms: number): void {
    this.current = new Date(this.current.getTime() + ms);
  }
}

/** The time of a Herald for tests: it goes on as that of the machine does, and can be put forward. */
export class TestClock extends Clock {
  private standsAt: number | undefined;

  /** @param offsetMs how far it is ahead of the machine */
  constructor(private offsetMs = 0) {
    super();
  }

  now(): Date {
    return new Date(this.standsAt ?? Date.now() + this.offsetMs);
  }

  /** It stands still from now on, so that what is due at different times is done in that order. */
  stop(): void {
    this.standsAt ??= this.now().getTime();
  }

  /** Never backwards; only while it stands. */
  moveTo(moment: Date): void {
    this.standsAt = Math.max(this.standsAt ?? 0, moment.getTime());
  }

  /** It goes on from where it stands. @returns how far it is ahead of the machine now */
  goOn(): number {
    if (this.standsAt !== undefined) this.offsetMs = this.standsAt - Date.now();
    this.standsAt = undefined;
    return this.offsetMs;
  }
}

@Global()
@Module({})
export class ClockModule {
  /** @param clock tests bring their own */
  static forRoot(clock: Clock = new SystemClock()): DynamicModule {
    return { module: ClockModule, providers: [{ provide: Clock, useValue: clock }], exports: [Clock] };
  }
}
