import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Audit, type HttpRequest, isDryRun, RouteAccess } from '#libs/http-kit';
import { promotedFrom } from '../content/definitions/index.js';
import { EnvironmentsService } from '../platform/environments/index.js';

/**
 * In a read-only environment, definitions change by promotion only. Which routes change them follows from what they are
 * audited as, so that a new one needs no entry in a list.
 */
@Injectable()
export class ReadOnlyGuard implements CanActivate {
  constructor(
    private readonly routes: RouteAccess,
    private readonly environments: EnvironmentsService,
  ) {}

  /** No promise for routes that change no definition. */
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const { definition, audit } = this.routes.of(context);
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const { tenant } = request;
    if (definition === undefined || tenant === undefined || mayPass(request, audit)) return true;
    return this.environments.assertWritable(tenant.environmentId).then(() => true);
  }
}

/** Dry runs store nothing. A promotion defines, and deletes what its source does not have. */
function mayPass({ query, method, headers }: HttpRequest, audit: Audit | { reason: string } | undefined): boolean {
  if (isDryRun(audit, query)) return true;
  const isByFiles = audit !== undefined && 'byFiles' in audit;
  return promotedFrom(headers) !== undefined && (isByFiles || method === 'DELETE');
}
