import { type CallHandler, type ExecutionContext, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { mergeMap, type Observable } from 'rxjs';
import { inTurns, type Portions } from '#libs/worker-pool';
import { CursorPage, Page } from '../envelope/page.js';
import { ValidationFailed } from '../errors/common.errors.js';
import type { HttpRequest } from '../request/http-request.js';

/** In place of a secret that the caller may not see. */
export const MASKED = '********';

/** Values between two pauses. */
const PORTION = 2_000;
/** A URL, or a template of one. */
const WEB_URL = /^https?:\/\//i;
const EXPRESSION = /^\{\{[^{}]*\}\}$/;

/**
 * URLs may hold secrets in their user info, query and fragment. Whoever may not change them sees these masked, within these fields of an
 * answer; nobody can store what is masked.
 */
export function HidesUrlSecrets(...fields: readonly string[]): ClassDecorator & MethodDecorator {
  return UseInterceptors(new UrlSecretsInterceptor(fields));
}

class UrlSecretsInterceptor implements NestInterceptor {
  constructor(private readonly fields: readonly string[]) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { body, tenant } = context.switchToHttp().getRequest<HttpRequest>();
    const faults = await inTurns(maskedIn(body));
    if (faults.length > 0) throw new ValidationFailed(faults);
    if (tenant?.scopes.includes('write') === true) return next.handle();
    return next.handle().pipe(mergeMap((answer) => inTurns(this.hiddenIn(answer))));
  }

  private *hiddenIn(answer: unknown): Portions<unknown> {
    if (answer instanceof Page || answer instanceof CursorPage) {
      return Object.assign(Object.create(Object.getPrototypeOf(answer) as object) as object, answer, {
        data: yield* this.hiddenIn(answer.data),
      });
    }
    if (Array.isArray(answer)) {
      const rows: unknown[] = [];
      for (const row of answer) rows.push(yield* this.hiddenIn(row));
      return rows;
    }
    if (typeof answer !== 'object' || answer === null) return answer;
    const hidden: Record<string, unknown> = { ...answer };
    for (const field of this.fields) {
      if (field in hidden) hidden[field] = yield* withoutSecrets(hidden[field]);
    }
    return hidden;
  }
}

/** Faults for the URLs in a body that were masked when they were read. */
export function* maskedIn(body: unknown): Portions<string[]> {
  const faults: string[] = [];
  const left: [path: string, value: unknown][] = [['', body]];
  for (let seen = 1, next = left.pop(); next !== undefined; seen += 1, next = left.pop()) {
    if (seen % PORTION === 0) yield;
    const [path, value] = next;
    if (typeof value === 'string' && value.includes(MASKED) && WEB_URL.test(value)) {
      faults.push(`${path} is masked: send the value itself`);
    }
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, entry] of Object.entries(value)) left.push([path === '' ? key : `${path}.${key}`, entry]);
  }
  return faults.reverse();
}

/** A copy, as somebody sees it who may not change it. */
export function* withoutSecrets(value: unknown): Portions<unknown> {
  let seen = 0;
  function* visit(one: unknown): Portions<unknown> {
    seen += 1;
    if (seen % PORTION === 0) yield;
    if (typeof one === 'string') return withoutUrlSecrets(one);
    if (typeof one !== 'object' || one === null || one instanceof Date) return one;
    const entries: [string, unknown][] = [];
    for (const [key, entry] of Object.entries(one)) entries.push([key, yield* visit(entry)]);
    return Array.isArray(one) ? entries.map(([, entry]) => entry) : Object.fromEntries(entries);
  }
  return yield* visit(value);
}

/** What is made of the event stays: a template expression is no secret. */
export function withoutUrlSecrets(text: string): string {
  const [scheme] = WEB_URL.exec(text) ?? [];
  if (scheme === undefined) return text;
  const [place = ''] = text.slice(scheme.length).split(/[?#]/, 1);
  const [host = ''] = place.split('/', 1);
  const user = host.lastIndexOf('@') + 1;
  const [query = '', ...fragment] = text.slice(scheme.length + place.length).split('#');
  const values = query.slice(1).split('&').map(maskedValue).join('&');
  const hidden = [
    user > 0 && `${MASKED}@`,
    place.slice(user),
    query && `?${values}`,
    fragment.length > 0 && `#${MASKED}`,
  ];
  return scheme + hidden.filter((part) => typeof part === 'string').join('');
}

function maskedValue(pair: string): string {
  const from = pair.indexOf('=') + 1;
  const value = pair.slice(from);
  return value === '' || EXPRESSION.test(value) ? pair : pair.slice(0, from) + MASKED;
}
