import { Injectable } from '@nestjs/common';
import { type CallbackEvent, type CallbackRequest, ProviderError } from '#libs/channels';
import { type CallbackIntegration, CallbackIntegrations } from '../integrations/index.js';
import { CallbackEffects } from './callback-effects.js';
import type { CallbackReceiptResponse } from './dto/callback-receipt.response.js';
import {
  CallbackNotAuthentic,
  CallbackNotVerifiable,
  CallbackTargetNotFound,
  CallbackUnreadable,
  TooManyCallbackEvents,
} from './provider-callbacks.errors.js';

/** Events of one call. */
const MAX_EVENTS = 5_000;

/** Takes what providers report. */
@Injectable()
export class ProviderCallbacksService {
  constructor(
    private readonly integrations: CallbackIntegrations,
    private readonly effects: CallbackEffects,
  ) {}

  /**
   * Checks where a callback comes from, and carries out what it says.
   * @throws {CallbackTargetNotFound} @throws {CallbackNotAuthentic} @throws {CallbackUnreadable}
   * @throws {TooManyCallbackEvents} @throws {CallbackNotVerifiable}
   */
  async receive(integrationId: string, request: CallbackRequest): Promise<CallbackReceiptResponse> {
    const integration = await this.mustFind(integrationId);
    await this.authenticate(integration, request);
    const events = parse(integration, request);
    if (events.length > MAX_EVENTS) throw new TooManyCallbackEvents(events.length, MAX_EVENTS);
    return { received: events.length, matched: await this.effects.apply(integration, events) };
  }

  /** For providers that look at an address before they use it. @throws {CallbackTargetNotFound} */
  async probe(integrationId: string): Promise<CallbackReceiptResponse> {
    await this.mustFind(integrationId);
    return { received: 0, matched: 0 };
  }

  private async mustFind(integrationId: string): Promise<CallbackIntegration> {
    const integration = await this.integrations.find(integrationId);
    if (integration === undefined) throw new CallbackTargetNotFound(integrationId);
    return integration;
  }

  private async authenticate({ callback, credentials }: CallbackIntegration, request: CallbackRequest): Promise<void> {
    let isAuthentic: boolean;
    try {
      isAuthentic = await callback.verify(request, credentials);
    } catch (error) {
      if (error instanceof ProviderError) throw new CallbackNotVerifiable(error);
      throw error;
    }
    if (!isAuthentic) throw new CallbackNotAuthentic();
  }
}

function parse({ callback }: CallbackIntegration, request: CallbackRequest): CallbackEvent[] {
  try {
    return callback.parse(request);
  } catch (error) {
    if (error instanceof ProviderError) throw new CallbackUnreadable(error.message, error);
    throw error;
  }
}
