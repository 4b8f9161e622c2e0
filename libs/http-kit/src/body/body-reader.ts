import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { parseForeignForm } from '#libs/common';
import { AppConfig } from '#libs/config';
import { atOnce, inTurns, type Portions } from '#libs/worker-pool';
import { ValidationFailed } from '../errors/common.errors.js';
import { hasBody, type HttpRequest, routeOf } from '../request/http-request.js';
import { findHostileJson } from '../validation/hostile-json.js';
import { MalformedBody, TooManyBodies, UnsupportedBody } from './body.errors.js';
import { parseInSlices, SLICE_BYTES } from './json-slices.js';
import { MalformedJson, parseText } from './json-text.js';
import { readBytes, type ReadOptions } from './read-bytes.js';
import { networkOf } from '../request/network-of.js';

const JSON_TYPE = /^(?:application\/json|[\w!#$&^.-]+\/[\w!#$&^.-]*\+json)$/i;
const LARGE_BODIES = /^\/v1\/(events|workflows|notification-templates|layouts)(\/|$)/i;
/** Of all bodies without a key, as part of the budget of those with one. They have room of their own, so that no stranger takes it. */
const OPEN_SHARE = 1 / 8;
/** The largest without a key: reports of a provider. */
const OPEN_BODY_BYTES = 2 * 1_048_576;
/** In all. */
const OPEN_BODY_MS = 10_000;
const UTF8 = /^utf-?8$/i;

interface Account {
  readonly budget: BodyBudget;
  readonly owner: string;
  readonly bounds: Pick<ReadOptions, 'isPlain' | 'withinMs'>;
}

/** In place and in portions, before keys and entries are counted. */
export type BodyRewrite = (route: { readonly path: string }, body: unknown) => Portions<void>;

/**
 * Reads bodies after authentication, within one memory budget. Large ones are parsed in portions, so that other
 * requests get their turn.
 */
@Injectable()
export class BodyReader {
  readonly budget: BodyBudget;
  /** For callers without a key: the public and subscribers. */
  readonly openBudget: BodyBudget;
  private readonly limit: number;
  private readonly largeLimit: number;
  private rewrite: BodyRewrite | undefined;

  constructor(config: AppConfig) {
    this.limit = config.get('BODY_LIMIT');
    this.largeLimit = config.get('BODY_LIMIT_LARGE');
    const budget = config.get('BODY_BUDGET');
    this.budget = new BodyBudget(budget, Math.max(this.limit, this.largeLimit));
    this.openBudget = new BodyBudget(Math.floor(budget * OPEN_SHARE), Math.max(this.limit, OPEN_BODY_BYTES));
  }

  rewriteWith(rewrite: BodyRewrite): void {
    this.rewrite = rewrite;
  }

  /**
   * Undefined without a body.
   * @param limit in bytes; default: the route's
   */
  readJson(request: HttpRequest, response: ServerResponse, limit?: number): Promise<unknown> | undefined {
    if (!hasBody(request)) return undefined;
    const path = routeOf(request) ?? '';
    const most = limit ?? (LARGE_BODIES.test(path) ? this.largeLimit : this.limit);
    return this.parseJson(request, path, () => this.readBytes(request, response, most));
  }

  /** As received, because signatures cover bytes. @param limit in bytes; at most {@link OPEN_BODY_BYTES} */
  async readRaw(request: HttpRequest, response: ServerResponse, limit: number): Promise<Buffer> {
    return hasBody(request) ? this.readBytes(request, response, limit) : Buffer.alloc(0);
  }

  /** @param limit in bytes */
  async readForm(request: HttpRequest, response: ServerResponse, limit: number): Promise<URLSearchParams> {
    const bytes = await this.readRaw(request, response, limit);
    try {
      return parseForeignForm(bytes);
    } catch (error) {
      throw new MalformedBody((error as SyntaxError).message);
    }
  }

  private async parseJson(request: HttpRequest, path: string, read: () => Promise<Buffer>): Promise<unknown> {
    const contentType = request.headers['content-type'] ?? '';
    if (!JSON_TYPE.test(mediaTypeOf(contentType))) {
      throw new UnsupportedBody('Send the body as Content-Type: application/json.');
    }
    if (!UTF8.test(charsetOf(contentType) ?? 'utf-8')) throw new UnsupportedBody('Send the body as UTF-8.');
    const bytes = await read();
    if (!isUtf8(bytes)) throw new MalformedBody('The body is not valid UTF-8.');
    try {
      return await this.parse(request, path, bytes);
    } catch (error) {
      throw error instanceof MalformedJson ? new MalformedBody('The body is not valid JSON.') : error;
    }
  }

  private async readBytes(caller: HttpRequest, response: ServerResponse, limit: number): Promise<Buffer> {
    const { raw: request } = caller;
    const { budget, owner, bounds } = this.accountOf(caller);
    let taken = 0;
    const release = (): void => {
      budget.release(owner, taken);
      taken = 0;
    };
    const reserve = (bytes: number): void => {
      if (!budget.take(owner, bytes)) throw new TooManyBodies();
      taken += bytes;
    };
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    try {
      const bytes = await readBytes(request, { limit, reserve, ...bounds });
      // The parsed body uses memory until the request is answered.
      if (response.closed || request.socket.destroyed) release();
      else response.once('close', release);
      return bytes;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** An environment has its share where a key, or a person with a role, speaks for it; everybody else has that of their network. */
  private accountOf({ tenant, subscriber, ip }: HttpRequest): Account {
    if (tenant !== undefined && subscriber === undefined) {
      return { budget: this.budget, owner: tenant.environmentId, bounds: {} };
    }
    return { budget: this.openBudget, owner: networkOf(ip), bounds: { isPlain: true, withinMs: OPEN_BODY_MS } };
  }

  private async parse(request: HttpRequest, path: string, bytes: Buffer): Promise<unknown> {
    const json = bytes.toString('latin1', 0, 3) === '\u00ef\u00bb\u00bf' ? bytes.subarray(3) : bytes;
    // A chunked body can be empty; the framework's parser does the same.
    if (json.length === 0) return {};
    if (json.length > SLICE_BYTES) {
      if (request.headers['idempotency-key'] !== undefined) request.bodyDigest = await inTurns(digest(json));
      const parsed = await inTurns(parseInSlices(json));
      if (this.rewrite !== undefined) await inTurns(this.rewrite({ path }, parsed.value));
      parsed.refuseMasses();
      return parsed.value;
    }
    const body = parseText(json.toString('utf8'));
    if (this.rewrite !== undefined) atOnce(this.rewrite({ path }, body));
    const fault = findHostileJson(body);
    if (fault !== undefined) throw new ValidationFailed([fault]);
    return body;
  }
}

function* digest(bytes: Buffer): Portions<string> {
  const hash = createHash('sha256');
  for (let place = 0; place < bytes.length; place += SLICE_BYTES) {
    hash.update(bytes.subarray(place, place + SLICE_BYTES));
    yield;
  }
  return hash.digest('base64url');
}

function mediaTypeOf(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim() ?? '';
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]*)"?/i.exec(contentType)?.[1];
}

/** Limits uncompressed bytes of bodies in memory. One owner gets half of the budget at most. */
export class BodyBudget {
  private used = 0;
  private readonly byOwner = new Map<string, number>();
  private readonly share: number;

  /** @param largestBody is accepted whenever no other body is held */
  constructor(
    private readonly bytes: number,
    largestBody: number,
  ) {
    this.bytes = Math.max(bytes, largestBody);
    this.share = Math.max(Math.floor(this.bytes / 2), largestBody);
  }

  get held(): number {
    return this.used;
  }

  /** @returns false, without reserving anything, if the budget is exhausted */
  take(owner: string, bytes: number): boolean {
    const own = (this.byOwner.get(owner) ?? 0) + bytes;
    if (this.used + bytes > this.bytes || own > this.share) return false;
    this.used += bytes;
    this.byOwner.set(owner, own);
    return true;
  }

  release(owner: string, bytes: number): void {
    this.used -= bytes;
    const own = (this.byOwner.get(owner) ?? 0) - bytes;
    if (own > 0) this.byOwner.set(owner, own);
    else this.byOwner.delete(owner);
  }
}
