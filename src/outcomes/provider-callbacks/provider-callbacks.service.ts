import { Injectable, StreamableFile } from '@nestjs/common';
import { type CallbackEvent, type CallbackRequest, maxBytesOf, ProviderError } from '#libs/channels';
import { SecretUnreadableError } from '#libs/secrets';
import { type CallbackIntegration, CallbackIntegrations } from '../../channels/integrations/index.js';
import { ChatLinksService } from '../../audience/chat-links/index.js';
import { ButtonPresses } from './button-presses.js';
import { CallbackEffects } from './callback-effects.js';
import { CallbackTokens } from './callback-tokens.js';
import type { CallbackReceiptResponse } from './provider-callback.response.js';
import { EarlyReports } from './early-reports.js';
import {
  CallbackNotAuthentic,
  CallbackNotVerifiable,
  CallbackReplayed,
  CallbackTargetNotFound,
  CallbackUnreadable,
  TooManyCallbackEvents,
} from './provider-callbacks.errors.js';

type ReadCallback = (maxBytes: number) => Promise<CallbackRequest>;

const MAX_EVENTS = 5_000;

@Injectable()
export class ProviderCallbacksService {
  constructor(
    private readonly integrations: CallbackIntegrations,
    private readonly effects: CallbackEffects,
    private readonly early: EarlyReports,
    private readonly tokens: CallbackTokens,
    private readonly links: ChatLinksService,
    private readonly presses: ButtonPresses,
  ) {}

  /**
   * @param read called only after the integration was found
   * @returns what the provider gets; undefined: no body
   */
  async receive(
    integrationId: string,
    read: ReadCallback,
  ): Promise<CallbackReceiptResponse | StreamableFile | undefined> {
    const integration = await this.mustFind(integrationId);
    const request = await read(maxBytesOf(integration.callback));
    await this.authenticate(integration, request);
    const events = parse(integration, request);
    const probed = integration.buttons?.probe?.(request);
    if (probed !== undefined) return jsonOf(probed);
    const press = integration.buttons?.press(request);
    if (press !== undefined) return jsonOf(await this.presses.take(integration, press));
    if (events.length > MAX_EVENTS) throw new TooManyCallbackEvents(events.length, MAX_EVENTS);
    if (!(await this.tokens.admit(integration, request))) throw new CallbackReplayed();
    const unknown = await this.effects.apply(integration, events);
    if (unknown.length > 0) await this.early.keep(integration, unknown);
    const matched = events.length - unknown.length;
    const connection = integration.callback.connection?.(request);
    if (connection === undefined) return { received: events.length, matched };
    const isConnected = await this.links.connect(integration, connection);
    return { received: events.length + 1, matched: matched + Number(isConnected) };
  }

  /** For providers that check an address before use. */
  async probe(integrationId: string): Promise<CallbackReceiptResponse> {
    await this.mustFind(integrationId);
    return { received: 0, matched: 0 };
  }

  private async mustFind(integrationId: string): Promise<CallbackIntegration> {
    const integration = await this.integrations.find(integrationId).catch((error: unknown) => {
      if (error instanceof SecretUnreadableError) throw new CallbackNotVerifiable(error);
      throw error;
    });
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

/** In the words of the provider, without an envelope. */
function jsonOf(body: object | undefined): StreamableFile | undefined {
  return body && new StreamableFile(Buffer.from(JSON.stringify(body)), { type: 'application/json' });
}

function parse({ callback }: CallbackIntegration, request: CallbackRequest): CallbackEvent[] {
  try {
    return callback.parse(request);
  } catch (error) {
    if (error instanceof ProviderError) throw new CallbackUnreadable(error.message, error);
    throw error;
  }
}
