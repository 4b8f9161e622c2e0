import { CustomDecorator, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { LRUCache } from 'lru-cache';
import { Clock } from '#libs/common';
import { AppConfig } from '#libs/config';
import { PipelineStage, type RoutePlan, type Stage, type Step } from '#libs/http-kit';
import { networkOf } from './network-of.js';
import { TooManySessions } from './sessions.errors.js';

const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 100_000;

const CREATES_SESSIONS = Symbol('creates sessions');

/** Counts the calls of a public route as sessions that their address creates. */
export const CreatesSessions = (): CustomDecorator<symbol> => SetMetadata(CREATES_SESSIONS, true);

interface Window {
  readonly startedAt: number;
  created: number;
}

/** Limits how many sessions an address creates per minute, in each process, before their bodies are read. */
@Injectable()
@PipelineStage({ at: 'admission' })
export class SessionLimitStage implements Stage {
  // `max` would allocate room for all addresses at once.
  private readonly windows = new LRUCache<string, Window>({ maxSize: MAX_ADDRESSES, sizeCalculation: () => 1 });
  private readonly limit: number;

  constructor(
    private readonly clock: Clock,
    private readonly reflector: Reflector,
    config: AppConfig,
  ) {
    this.limit = config.get('SESSION_LIMIT_PER_ADDRESS');
  }

  stepFor({ controller, handler }: RoutePlan): Step | undefined {
    const method = (controller.prototype as Record<string, () => unknown>)[handler] ?? controller;
    if (this.limit === 0 || this.reflector.get(CREATES_SESSIONS, method) !== true) return undefined;
    return ({ ip }) => this.admit(networkOf(ip));
  }

  private admit(network: string): void {
    const now = this.clock.now().getTime();
    const known = this.windows.get(network);
    const window = known !== undefined && now - known.startedAt < WINDOW_MS ? known : { startedAt: now, created: 0 };
    if (window.created >= this.limit) {
      throw new TooManySessions(Math.max(1, Math.ceil((window.startedAt + WINDOW_MS - now) / 1_000)));
    }
    window.created++;
    this.windows.set(network, window);
  }
}
