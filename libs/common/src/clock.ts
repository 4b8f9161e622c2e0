import { DynamicModule, Global, Module } from '@nestjs/common';

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

@Global()
@Module({})
export class ClockModule {
  /** @param clock tests bring their own */
  static forRoot(clock: Clock = new SystemClock()): DynamicModule {
    return { module: ClockModule, providers: [{ provide: Clock, useValue: clock }], exports: [Clock] };
  }
}
