/** What every error of this client is. */
export class HeraldError extends Error {
  override readonly name: string = 'HeraldError';
}

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Herald has refused a request. */
export class HeraldApiError extends HeraldError {
  override readonly name = 'HeraldApiError';
  readonly status: number;
  /** Stable code for programs, such as `subscriber_not_found`; `unknown` if a proxy answered. */
  readonly code: string;
  /** One text for each fault. */
  readonly details: readonly string[];
  /** Id under which the log of Herald has the request. */
  readonly requestId: string | undefined;
  readonly body: unknown;

  constructor({ status, headers, body }: ErrorAnswer, route: string) {
    const { code, message } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    const details = [message ?? []].flat().filter((one): one is string => typeof one === 'string');
    super(`${route}: ${status} ${details.join('; ')}`.trim());
    this.status = status;
    this.code = typeof code === 'string' ? code : 'unknown';
    this.details = details;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.body = body;
  }
}

/** No response came: the connection failed, or it took longer than `timeoutMs`. `cause` has the reason. */
export class HeraldConnectionError extends HeraldError {
  override readonly name = 'HeraldConnectionError';
}
