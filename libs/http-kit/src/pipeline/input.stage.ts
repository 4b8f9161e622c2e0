import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { BodyReader } from '../body/body-reader.js';
import { ValidationFailed } from '../errors/common.errors.js';
import type { HttpReply, HttpRequest } from '../request/http-request.js';
import { queryFault } from '../validation/hostile-json.js';
import { unknownFields } from '../validation/known-fields.js';
import { WARNING_HEADER, warningOf } from '../validation/warning-header.js';
import { NO_FIELDS, type Reads, readsOf } from './reads.js';
import type { RoutePlan } from './route-plan.js';
import type { Stage, Step } from './stage.js';

const WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Reads the body and looks at what the request sends. It comes after the admission: a caller without a key, or over the
 * rate limit, cannot make the process read, decompress or store anything. Public routes read their own bodies.
 */
@Injectable()
export class InputStage implements Stage {
  private readonly isStrict: boolean;

  constructor(
    private readonly bodies: BodyReader,
    config: AppConfig,
  ) {
    this.isStrict = config.get('STRICT_INPUT');
  }

  stepFor(plan: RoutePlan): Step {
    const known = knownOf(plan);
    const readBody = this.bodies.jsonReaderOf(plan.path);
    return (request, reply) => {
      const fault = queryFault(request);
      if (fault !== undefined) throw new ValidationFailed([fault]);
      const reading = request.tenant && readBody(request, reply.raw, request.tenant.environmentId);
      if (reading === undefined) return this.reportUnknown(known, request, reply);
      return reading.then((body) => {
        request.body = body;
        this.reportUnknown(known, request, reply);
      });
    };
  }

  /**
   * Names fields and query parameters that no handler reads in a header, or rejects them if STRICT_INPUT is set. A typo
   * in an optional name would otherwise look like success.
   */
  private reportUnknown(known: Reads, request: HttpRequest, reply: HttpReply): void {
    const query = known.query === undefined ? [] : unknownFields(request.query, known.query);
    const body = known.body === undefined ? [] : unknownFields(request.body, known.body);
    if (query.length + body.length === 0) return;
    reply.header(WARNING_HEADER, warningOf(body, query));
    if (!this.isStrict) return;
    throw new ValidationFailed([
      ...body.map((path) => `${path} is not a field of this request. Correct its name or leave it out`),
      ...query.map((name) => `${name} is not a query parameter of this route. Correct its name or leave it out`),
    ]);
  }
}

/** Clients may send a body with any method; it is looked at where a handler reads it or where one is usual. */
function knownOf({ controller, handler, method }: RoutePlan): Reads {
  const { body, query } = readsOf(controller, handler);
  return { query, body: body === NO_FIELDS && !WITH_BODY.has(method) ? undefined : body };
}
