import { findProvider, missingCredentials } from '../catalogue/catalogue.js';
import type { Channel, OutboundMessage } from '../core/messages.js';
import type { ProviderDeclaration } from '../core/declaration.js';
import { ProviderError } from '../errors/provider-error.js';
import type {
  AnswerButtons,
  ChannelProvider,
  ProviderCallback,
  Receipt,
  SendContext,
  SendResult,
} from '../core/provider.js';
import type { OutboundResponse } from '../http/outbound-http.types.js';
import { assertSuccess, readAnswer, type AnswerContext, type AnswerSpec } from './answer.js';
import { sendInChunks } from './chunks.js';
import { credentialReader, type CredentialReader } from './credential-reader.js';
import { assertLength } from './limits.js';
import { callUrl, encodeBody, present, type HttpCall } from './http-call.js';
import { type OwnDeclaration, templateOfData, withOwnFields } from './own-fields.js';

export type MessageOf<C extends Channel> = Extract<OutboundMessage, { channel: C }>;

export interface CallInput<M> {
  message: M;
  c: CredentialReader;
  context: SendContext;
  /**
   * A request that comes before the message, such as looking up a person.
   * @param accepts refusals that are an answer as well
   * @throws {ProviderError} for all others
   */
  ask: (call: HttpCall, accepts?: (answer: OutboundResponse) => boolean) => Promise<OutboundResponse>;
}

export interface PreparedRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | Uint8Array | undefined;
}

/** A provider as a table entry. */
export interface HttpProviderSpec<C extends Channel> {
  id: string;
  channel: C;
  /** `baseUrl` of the context replaces it. */
  base?: string | ((c: CredentialReader) => string);
  /** A base URL from the credentials. It overrides `base` and is checked like all URLs of users. */
  userBase?: (c: CredentialReader) => string;
  /** Credential keys that sending needs; by default the required ones of the declaration except the sender. */
  needs?: readonly string[];
  request: (input: CallInput<MessageOf<C>>) => HttpCall | Promise<HttpCall>;
  /** Adds headers that cover the whole request, such as a signature. */
  sign?: (request: PreparedRequest, c: CredentialReader, context: SendContext) => Promise<Record<string, string>>;
  answer: AnswerSpec | ((c: CredentialReader) => AnswerSpec);
  /** Push: targets per request. More are sent in several requests. */
  targetsPerRequest?: number;
  /** A request that verifies the credentials and sends nothing. */
  check?: (c: CredentialReader, context: SendContext) => HttpCall | Promise<HttpCall>;
  /** Refusals of the check that still prove the credentials. */
  checkAccepts?: (answer: OutboundResponse) => boolean;
  /** Push: the request for receipts of tickets, and how its answer is read. */
  receipts?: {
    readonly request: (ids: readonly string[], c: CredentialReader) => HttpCall;
    readonly read: (json: unknown) => ReadonlyMap<string, Receipt>;
  };
  /** A link that connects a person, see `ChannelProvider`. */
  connect?: (input: Omit<CallInput<never>, 'message'>, token: string) => Promise<string>;
  callback?: ProviderCallback;
  buttons?: AnswerButtons;
}

const SENDER_KEYS: ReadonlySet<string> = new Set(['from', 'senderName']);

class HttpProvider<C extends Channel> implements ChannelProvider {
  readonly id: string;
  readonly channel: C;
  readonly callback?: ProviderCallback;
  readonly buttons?: AnswerButtons;
  readonly check?: (context: SendContext) => Promise<void>;
  readonly connectionUrl?: (token: string, context: SendContext) => Promise<string>;
  readonly receipts?: NonNullable<ChannelProvider['receipts']>;
  private needed: Pick<ProviderDeclaration, 'credentials'> | undefined;

  constructor(private readonly spec: HttpProviderSpec<C>) {
    this.id = spec.id;
    this.channel = spec.channel;
    if (spec.callback) this.callback = spec.callback;
    if (spec.buttons) this.buttons = spec.buttons;
    if (spec.check) this.check = this.runCheck.bind(this, spec.check);
    const { connect, receipts } = spec;
    if (receipts) {
      this.receipts = async (ids, context) => {
        const c = this.reader(context);
        const answer = await this.exchange(receipts.request(ids, c), c, context);
        assertSuccess(answer, { error: ['errors.0.message'] }, this.answerContext(context));
        return receipts.read(answer.json());
      };
    }
    if (connect) {
      this.connectionUrl = async (token, context) => {
        const c = this.reader(context);
        return connect({ c, context, ask: this.ask.bind(this, c, context) }, token);
      };
    }
  }

  async send(message: OutboundMessage, context: SendContext): Promise<SendResult> {
    if (!isFor(this.channel, message)) {
      throw new ProviderError(`Provider '${this.id}' sends ${this.channel} only.`, {
        code: 'message_incomplete',
        retryable: false,
      });
    }
    const c = this.reader(context);
    this.assertLength(message);
    return sendInChunks(message, this.spec.targetsPerRequest, (part, index) => {
      const { idempotencyKey } = context;
      // Each request has its own key, otherwise the provider would treat the second one as a repeat.
      const own = index === 0 || idempotencyKey === '' ? idempotencyKey : `${idempotencyKey}:${index}`;
      return this.sendOne(part, c, { ...context, idempotencyKey: own });
    });
  }

  private assertLength(message: OutboundMessage): void {
    if (message.channel !== 'sms' && message.channel !== 'chat') return;
    const { most, unit } = findProvider(this.id, this.channel)?.limit ?? {};
    if (most === undefined || unit === undefined) return;
    const { content } = message;
    assertLength(unit === 'bytes' ? Buffer.byteLength(content) : [...content].length, most, unit);
  }

  private async sendOne(message: MessageOf<C>, c: CredentialReader, context: SendContext): Promise<SendResult> {
    const call = await this.callOf(message, c, context);
    const answer = await this.exchange(call, c, context, true);
    return readAnswer(answer, this.answerSpec(c), this.answerContext(context, targetsOf(message)));
  }

  /** Mail has one place for fields of the provider's own; other messages have them among what the adapter hands on. */
  private async callOf(message: MessageOf<C>, c: CredentialReader, context: SendContext): Promise<HttpCall> {
    const input = { c, context, ask: this.ask.bind(this, c, context) };
    const sent: OutboundMessage = message;
    if (sent.channel !== 'email') return this.spec.request({ ...input, message });
    const declared: OwnDeclaration = findProvider(this.id, 'email') ?? {};
    const { customData, ...rest } = sent;
    const { fields, left } = templateOfData(customData, declared.storedTemplate);
    const mail = left === undefined ? rest : { ...rest, customData: left };
    const call = await this.spec.request({ ...input, message: mail as MessageOf<C> });
    return withOwnFields(call, { ...fields, ...sent.overrides }, declared);
  }

  private async ask(
    c: CredentialReader,
    context: SendContext,
    call: HttpCall,
    accepts?: (answer: OutboundResponse) => boolean,
  ): Promise<OutboundResponse> {
    const answer = await this.exchange({ method: 'GET', ...call }, c, context);
    if (accepts?.(answer) !== true) assertSuccess(answer, this.answerSpec(c), this.answerContext(context));
    return answer;
  }

  private answerSpec(c: CredentialReader): AnswerSpec {
    const { answer } = this.spec;
    return typeof answer === 'function' ? answer(c) : answer;
  }

  private answerContext(context: SendContext, targets: readonly string[] = []): AnswerContext {
    return { providerId: this.id, now: context.now(), targets };
  }

  private async runCheck(check: NonNullable<HttpProviderSpec<C>['check']>, context: SendContext): Promise<void> {
    const c = this.reader(context);
    const answer = await this.exchange({ method: 'GET', ...(await check(c, context)) }, c, context);
    if (this.spec.checkAccepts?.(answer) === true) return;
    assertSuccess(answer, this.answerSpec(c), this.answerContext(context));
  }

  private reader({ credentials }: SendContext): CredentialReader {
    this.needed ??= neededBy(this.spec);
    const faults = missingCredentials(this.needed, credentials);
    if (faults.length > 0) {
      throw new ProviderError(`The integration of '${this.id}' is incomplete: ${faults.join('; ')}.`, {
        code: 'credentials_incomplete',
        retryable: false,
      });
    }
    return credentialReader(credentials);
  }

  /** @param isMessage false for a check of the credentials */
  private async exchange(
    call: HttpCall,
    c: CredentialReader,
    context: SendContext,
    isMessage = false,
  ): Promise<OutboundResponse> {
    const { base, trusted } = this.baseOf(c, context);
    const { body, contentType } = await encodeBody(call);
    const prepared: PreparedRequest = {
      url: callUrl(base, call),
      method: call.method ?? 'POST',
      headers: {
        accept: 'application/json',
        'user-agent': 'Herald',
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
        ...present(call.headers ?? {}),
      },
      body,
    };
    const signature = await this.spec.sign?.(prepared, c, context);
    return context.http.request({
      url: prepared.url,
      method: prepared.method,
      headers: { ...prepared.headers, ...signature },
      ...(body === undefined ? {} : { body }),
      signal: context.signal,
      trusted: call.url === undefined && trusted,
      // A URL of its own without headers is a webhook, which has its secret in the URL.
      staysAtOrigin: call.url === undefined || call.headers !== undefined,
      ...(isMessage && { cutsBody: true, onWrite: () => context.handover.begin() }),
    });
  }

  private baseOf(c: CredentialReader, { baseUrl }: SendContext): { base: string; trusted: boolean } {
    const { base, userBase } = this.spec;
    if (baseUrl !== undefined) return { base: baseUrl, trusted: true };
    const given = userBase?.(c) ?? '';
    if (given !== '') return { base: given, trusted: false };
    return { base: typeof base === 'function' ? base(c) : (base ?? ''), trusted: true };
  }
}

function neededBy<C extends Channel>({
  id,
  channel,
  needs,
}: HttpProviderSpec<C>): {
  credentials: ProviderDeclaration['credentials'];
} {
  const fields = findProvider(id, channel)?.credentials ?? [];
  return {
    credentials: fields
      .map((field) => (needs ? { ...field, required: needs.includes(field.key) } : field))
      .filter(({ key }) => needs?.includes(key) === true || !SENDER_KEYS.has(key)),
  };
}

function targetsOf(message: OutboundMessage): readonly string[] {
  if (message.channel === 'email') return [...message.to, ...(message.cc ?? []), ...(message.bcc ?? [])];
  return message.channel === 'push' ? message.target : [];
}

function isFor<C extends Channel>(channel: C, message: OutboundMessage): message is MessageOf<C> {
  return message.channel === channel;
}

export function defineHttpProvider<C extends Channel>(spec: HttpProviderSpec<C>): ChannelProvider {
  return new HttpProvider(spec);
}
