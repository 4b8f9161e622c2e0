import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor, type Type } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { AppConfig } from '#libs/config';
import { ValidationFailed } from '../errors/common.errors.js';
import { type Reads, readsOf, warningsOf } from './unknown-input.js';
import { WARNING_HEADER } from './warning-header.js';

interface Headers {
  setHeader(name: string, value: string): unknown;
}

/** Names fields and query parameters that no handler reads in a header, or rejects them if STRICT_INPUT is set. */
@Injectable()
export class UnknownInputInterceptor implements NestInterceptor {
  private readonly isStrict: boolean;
  private readonly known = new WeakMap<object, Map<string, Reads>>();

  constructor(config: AppConfig) {
    this.isStrict = config.get('STRICT_INPUT');
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const warnings = warningsOf(this.readsOf(context.getClass(), context.getHandler().name), http.getRequest());
    if (warnings !== undefined) {
      http.getResponse<Headers>().setHeader(WARNING_HEADER, warnings.header);
      if (this.isStrict) throw new ValidationFailed(warnings.faults);
    }
    return next.handle();
  }

  private readsOf(type: Type<unknown>, method: string): Reads {
    const ofType = this.known.get(type) ?? new Map<string, Reads>();
    this.known.set(type, ofType);
    const reads = ofType.get(method) ?? readsOf(type, method);
    ofType.set(method, reads);
    return reads;
  }
}
