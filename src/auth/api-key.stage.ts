import { Injectable } from '@nestjs/common';
import { PipelineStage, type RoutePlan, type Stage, type Step } from '#libs/http-kit';
import type { Caller, KeyScope } from '#libs/common';
import { ApiKeysService } from './api-keys.service.js';
import { assertScope } from './auth.errors.js';
import { keyHeadersOf } from './key-header.js';

/** Requires a live API key with the scope of the route on every route except those with `@Public()`. */
@Injectable()
@PipelineStage({ identifies: 'api-key' })
export class ApiKeyStage implements Stage {
  constructor(private readonly apiKeys: ApiKeysService) {}

  stepFor({ scope }: RoutePlan): Step {
    return (request) => {
      const caller = this.apiKeys.authenticate(keyHeadersOf(request.raw.rawHeaders));
      if (!(caller instanceof Promise)) {
        request.tenant = withScope(caller, scope);
        return undefined;
      }
      return caller.then((found) => {
        request.tenant = withScope(found, scope);
      });
    };
  }
}

function withScope(caller: Caller, needed: KeyScope): Caller {
  assertScope(caller, needed);
  return caller;
}
