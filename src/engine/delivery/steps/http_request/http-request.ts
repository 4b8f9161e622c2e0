import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { SecretUnreadableError } from '#libs/secrets';
import { hasExpression, replaceTexts } from '#libs/templates';
import { EnvironmentSecretsService, SecretRefused } from '../../../../platform/environment-secrets/index.js';
import { ApiKeysService } from '../../../../platform/auth/index.js';
import { environmentOf, type Run, tenantOf } from '../../run/run.js';
import type { StepTask } from '../../run/step-handler.js';
import { MessageRendering } from '../message-rendering.js';
import { type HttpMethod, type RequestTemplate, secretNamesIn } from './http-request.schema.js';
import { httpRequest } from './http-request.declaration.js';
import { StepFailure } from '../provider-channel.js';
import { templateVariables } from '../template-variables.js';

const MASK = '***';
const JSON_TYPE = 'application/json';
const HAS_JSON = /^application\/(?:[\w.-]{1,80}\+)?json\b/i;
/** Shorter ones would mask what is none. */
const MIN_MASKED_LENGTH = 4;

/** A request as it is sent. */
export interface ComposedRequest {
  readonly method: HttpMethod;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly hasSecrets: boolean;
  /** The same without secrets. */
  readonly shown: ShownRequest;
  /** Removes the secrets that the request has used from a text. */
  mask(text: string): string;
}

export interface ShownRequest {
  readonly method: HttpMethod;
  /** Without its query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Rendered {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
}

/** Stand-ins for secrets while templates are rendered: neither helpers nor render threads see a secret. */
class StandIns {
  private readonly nonce = randomBytes(12).toString('hex');
  readonly tokens: Readonly<Record<string, string>>;

  constructor(names: readonly string[]) {
    this.tokens = Object.fromEntries(names.map((name, place) => [name, `s${this.nonce}x${place}x`]));
  }

  areIn(text: string): boolean {
    return text.includes(this.nonce);
  }

  hide(text: string): string {
    return this.replace(text, () => MASK);
  }

  replace(text: string, by: (name: string) => string): string {
    return Object.entries(this.tokens).reduce((replaced, [name, token]) => replaced.replaceAll(token, by(name)), text);
  }
}

@Injectable()
export class HttpRequests {
  private readonly maxTimeoutMs: number;

  constructor(
    private readonly rendering: MessageRendering,
    private readonly secrets: EnvironmentSecretsService,
    private readonly apiKeys: ApiKeysService,
    config: AppConfig,
  ) {
    this.maxTimeoutMs = config.get('DELIVERY_TIMEOUT_MS');
  }

  /** @throws {TemplateError} @throws {StepFailure} for a request that cannot be sent */
  async compose(task: StepTask, template: RequestTemplate): Promise<ComposedRequest> {
    const { run } = task;
    const sources = sourcesOf(template);
    const names = secretNamesIn(sources);
    const standIns = new StandIns(names);
    const { url, headers, body } = await this.render(task, template, standIns.tokens);
    const values = await this.valuesFor(hostnameOf(url, standIns), run, names);
    const reveal = (text: string): string => standIns.replace(text, (name) => values.get(name) ?? '');
    const hide = (text: string): string => standIns.hide(text);
    const method = template.method ?? 'POST';
    return {
      method,
      url: checkedUrl(reveal(url)),
      headers: headersOf(headers, reveal),
      ...(body !== undefined && { body: reveal(body) }),
      timeoutMs: Math.min(template.timeoutMs ?? this.maxTimeoutMs, this.maxTimeoutMs),
      hasSecrets: names.length > 0,
      shown: {
        method,
        url: withoutQuery(hide(url)),
        headers: headersOf(headers, hide),
        ...(body !== undefined && { body: hide(body) }),
      },
      mask: (text) => masked(text, values),
    };
  }

  /** As the compatible system signs: time in milliseconds and body, with the key of the environment. */
  async signature(run: Run, { body }: ComposedRequest, now: Date): Promise<Readonly<Record<string, string>>> {
    const key = await this.apiKeys.revealOldest(environmentOf(run));
    if (key === undefined) return {};
    const at = now.getTime();
    const digest = createHmac('sha256', key)
      .update(`${at}.${body ?? '{}'}`)
      .digest('hex');
    return { 'novu-signature': `t=${at},v1=${digest}` };
  }

  private async valuesFor(hostname: string, run: Run, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    try {
      return await this.secrets.valuesFor(hostname, tenantOf(run.event), names);
    } catch (error) {
      if (error instanceof SecretUnreadableError || error instanceof SecretRefused) throw failure(error.message);
      throw error;
    }
  }

  private async render(
    task: StepTask,
    template: RequestTemplate,
    secrets: Readonly<Record<string, string>>,
  ): Promise<Rendered> {
    const headers = template.headers ?? [];
    const isJson = isJsonBody(template);
    const structure = isJson ? structureOf(template.body) : undefined;
    const texts = structure === undefined ? [bodyText(template.body)] : textsIn(structure);
    const sources = [template.url ?? '', ...headers.map(({ value }) => value), ...texts];
    const context = { ...templateVariables(task.run), secrets };
    const rendered = await this.rendering.texts(
      task,
      sources.map((source) => ({ source, as: 'text' as const })),
      context,
    );
    const [url = '', ...rest] = rendered;
    const values = headers.map(({ key }, place) => [key, singleLine(key, rest[place] ?? '')] as const);
    const bodies = rest.slice(headers.length);
    const body = structure === undefined ? parsedBody(bodies[0] ?? '', isJson) : filled(structure, texts, bodies);
    const hasType = values.some(([name]) => name.toLowerCase() === 'content-type');
    const isSent = body !== undefined && template.method !== 'GET';
    return {
      url,
      headers: isSent && !hasType ? [['content-type', JSON_TYPE], ...values] : values,
      ...(isSent && { body }),
    };
  }
}

function masked(text: string, values: ReadonlyMap<string, string>): string {
  return [...values.values()]
    .filter(({ length }) => length >= MIN_MASKED_LENGTH)
    .reduce((result, value) => result.replaceAll(value, MASK), text);
}

/** Of a URL that is rendered, with stand-ins for its secrets. @throws {StepFailure} if it has one before its path */
function hostnameOf(text: string, standIns: StandIns): string {
  const { protocol, username, password, host, hostname } = new URL(checkedUrl(text));
  if (![protocol, username, password, host].some((part) => standIns.areIn(part))) return hostname;
  throw failure('A secret cannot be part of the host of a URL, or stand before it.');
}

function headersOf(headers: Rendered['headers'], by: (value: string) => string): Record<string, string> {
  return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), by(value)]));
}

function sourcesOf({ url, headers, body }: RequestTemplate): string[] {
  const fields = Array.isArray(body) ? body.map(({ value }) => value) : [body ?? ''];
  return [url ?? '', ...(headers ?? []).map(({ value }) => value), ...fields];
}

function isJsonBody({ headers }: RequestTemplate): boolean {
  const type = headers?.find(({ key }) => key.toLowerCase() === 'content-type')?.value;
  return type === undefined || HAS_JSON.test(type);
}

function bodyText(body: RequestTemplate['body']): string {
  if (!Array.isArray(body)) return body ?? '';
  return new URLSearchParams(body.map(({ key, value }): [string, string] => [key, value])).toString();
}

/**
 * A body whose expressions stand in its texts: each text is rendered for itself, so that no value can change the structure.
 * @returns undefined if it is JSON only after it is rendered
 */
function structureOf(body: RequestTemplate['body']): unknown {
  if (Array.isArray(body)) return Object.fromEntries(body.map(({ key, value }) => [key, value]));
  try {
    return JSON.parse(body ?? '') as unknown;
  } catch {
    return undefined;
  }
}

function textsIn(structure: unknown): string[] {
  const found = new Set<string>();
  replaceTexts(structure, (text) => {
    if (hasExpression(text)) found.add(text);
    return text;
  });
  return [...found];
}

function filled(structure: unknown, sources: readonly string[], rendered: readonly string[]): string {
  const bySource = new Map(sources.map((source, place) => [source, rendered[place] ?? '']));
  return JSON.stringify(replaceTexts(structure, (text) => bySource.get(text) ?? text));
}

/** JSON is written anew: the receiver signs what it has parsed. @throws {StepFailure} */
function parsedBody(text: string, isJson: boolean): string | undefined {
  if (text.trim() === '') return undefined;
  if (!isJson) return text;
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    throw failure('The body is not JSON after its expressions were replaced. Use {{json value}} for values in it.');
  }
}

function singleLine(name: string, value: string): string {
  if (!/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) return value;
  throw failure(`The value of the header ${name} has a line break or a character that headers cannot have.`);
}

function checkedUrl(url: string): string {
  if (URL.canParse(url)) return url;
  throw failure('The URL is not valid after its expressions were replaced; it must be an absolute http or https URL.');
}

function withoutQuery(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.length < url.length ? `${path}?…` : path;
}

function failure(message: string): StepFailure {
  return new StepFailure(httpRequest.trail.failed, 'http_request', message);
}
