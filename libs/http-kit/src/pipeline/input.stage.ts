import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { BodyReader } from '../body/body-reader.js';
import { ValidationFailed } from '../errors/common.errors.js';
import type { HttpReply, HttpRequest } from '../request/http-request.js';
import { queryFault } from '../validation/hostile-json.js';
import { type Reads, readsOf, warningsOf } from '../validation/unknown-input.js';
import { WARNING_HEADER } from '../validation/warning-header.js';
import type { RoutePlan } from './route-plan.js';
import type { Stage, Step } from './stage.js';

/** All bodies of public routes together take the share of one environment. */
const PUBLIC_OWNER = 'public';

/**
 * Reads the body and looks at what the request sends. It comes after the admission: a caller without a key, or over the
 * rate limit, cannot make the process read, decompress or store anything. Public routes state the limit of their bodies
 * or read them themselves.
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
    const known = readsOf(plan.controller, plan.handler);
    const readBody = this.bodies.jsonReaderOf(plan.path, plan.publicBodyBytes);
    const hasPublicBody = plan.publicBodyBytes !== undefined;
    // The published browser clients send fields that no handler reads.
    const isStrict = this.isStrict || plan.isStrict;
    const reportsUnknown = plan.caller !== 'subscriber' && !hasPublicBody;
    return (request, reply) => {
      const fault = queryFault(request);
      if (fault !== undefined) throw new ValidationFailed([fault]);
      const owner = request.tenant?.environmentId ?? (hasPublicBody ? PUBLIC_OWNER : undefined);
      const reading = owner === undefined ? undefined : readBody(request, reply.raw, owner);
      if (reading === undefined) return reportsUnknown ? reportUnknown(known, isStrict, request, reply) : undefined;
      return reading.then((body) => {
        request.body = body;
        if (reportsUnknown) reportUnknown(known, isStrict, request, reply);
      });
    };
  }
}

/** Names what no handler reads in a header, or rejects it. */
function reportUnknown(known: Reads, isStrict: boolean, request: HttpRequest, reply: HttpReply): void {
  const warnings = warningsOf(known, request);
  if (warnings === undefined) return;
  reply.header(WARNING_HEADER, warnings.header);
  if (isStrict) throw new ValidationFailed(warnings.faults);
}
