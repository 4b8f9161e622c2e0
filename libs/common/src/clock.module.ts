import { DynamicModule, Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from './clock.js';

/** Provides the {@link Clock} to every module. */
@Global()
@Module({})
export class ClockModule {
  /** @param clock tests bring their own */
  static forRoot(clock: Clock = new SystemClock()): DynamicModule {
    return { module: ClockModule, providers: [{ provide: Clock, useValue: clock }], exports: [Clock] };
  }
}
