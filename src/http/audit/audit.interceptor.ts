import {
  type BeforeApplicationShutdown,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, concatMap, type Observable } from 'rxjs';
import type { Caller } from '#libs/common';
import { AppConfig } from '#libs/config';
import {
  AppLogger,
  type Audit,
  type AuditTold,
  describeError,
  type HttpRequest,
  isDryRun,
  RouteAccess,
} from '#libs/http-kit';
import { isObject } from '#libs/validation';
import { Background } from '#libs/work';
import {
  AuditActorsService,
  type AuditEntry,
  type AuditResult,
  AuditTrail,
  originOf,
} from '../../outcomes/audit-log/index.js';
import { auditChanges } from './audit-changes.js';
import { AuditedResources, idAfter, resourceOf, type Seen } from './audited-resources.js';

/** Wrong passwords and codes. */
const GUESSES: ReadonlySet<string> = new Set(['sign_in_failed', 'code_wrong', 'password_wrong', 'totp_code_wrong']);

interface Asked {
  readonly audit: Audit;
  readonly action: string;
  readonly request: HttpRequest;
  readonly params: Readonly<Record<string, string>>;
}

interface Begun extends Asked {
  readonly caller: Caller;
  readonly id: string | undefined;
  readonly before: Seen;
  readonly rows: Awaited<ReturnType<AuditTrail['begin']>>;
}

/**
 * Records what routes with `@Audited()` change: an entry before, completed before the response is sent. Inside of the
 * idempotency interceptor, so that a repeated response is no second change.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor, BeforeApplicationShutdown {
  private readonly recordsTraffic: boolean;
  private readonly background = new Background((error) => this.logger.error(error, 'Audit log'));

  constructor(
    private readonly routes: RouteAccess,
    private readonly trail: AuditTrail,
    private readonly actors: AuditActorsService,
    private readonly resources: AuditedResources,
    private readonly logger: AppLogger,
    config: AppConfig,
  ) {
    this.recordsTraffic = config.get('AUDIT_TRAFFIC') === 'on';
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.background.settle();
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> | Promise<Observable<unknown>> {
    const { audit, operation: action } = this.routes.of(context);
    if (audit === undefined || 'reason' in audit) return next.handle();
    const request = context.switchToHttp().getRequest<HttpRequest>();
    const params = { ...(request.params as Readonly<Record<string, string>>) };
    const asked = { audit, action, request, params };
    if (request.tenant === undefined) return this.recordSignIn(asked, next);
    return this.isRecorded(audit, request.tenant, request) ? this.record(asked, request.tenant, next) : next.handle();
  }

  /** No input of a caller decides, but for dry runs where a route has them. */
  private isRecorded(audit: Audit, { person }: Caller, { method, query }: HttpRequest): boolean {
    const { keys } = audit;
    if (isDryRun(audit, query)) return false;
    if (person !== undefined || keys === undefined || keys === 'always') return true;
    return keys === 'traffic' && (this.recordsTraffic || method === 'DELETE');
  }

  private async record(asked: Asked, caller: Caller, next: CallHandler): Promise<Observable<unknown>> {
    const begun = await this.begin(asked, caller);
    return next.handle().pipe(
      concatMap(async (value: unknown) => {
        await this.keep(begun, () => this.finish(begun, value));
        return value;
      }),
      catchError(async (error: unknown) => {
        await this.keep(begun, () => this.refuse(begun, error));
        throw error;
      }),
    );
  }

  /** Throws if the store takes no entry: nothing was changed then. */
  private async begin(asked: Asked, caller: Caller): Promise<Begun> {
    const { audit, action, request, params } = asked;
    // What is created has no id yet; of what there is one, the path names none.
    const [id = request.method === 'POST' ? undefined : ''] = Object.values(params);
    const [{ actor, owners }, before] = await Promise.all([
      this.actors.of(caller, audit.account === true),
      this.resources.see(audit, caller, id, params),
    ]);
    const rows = await this.trail.begin(owners, {
      action,
      actor,
      via: wayOf(audit, caller),
      ...originOf(request),
      resource: audit.account === true ? ownAccount(actor) : resourceOf(audit, before.record, id),
    });
    return { ...asked, caller, id, before, rows };
  }

  private async finish(begun: Begun, response: unknown): Promise<void> {
    const { audit, caller, params, before, rows } = begun;
    if (audit.told !== undefined) return this.finishAsTold(audit, rows, audit.told(response));
    if (audit.byFiles === true && isUnchanged(response)) return this.trail.withdraw(rows);
    const id = idAfter(audit, response, begun.id);
    const after = await this.resources.see(audit, caller, id, params);
    await this.trail.finish(rows, {
      outcome: 'done',
      ...(audit.account !== true && { resource: resourceOf(audit, after.record ?? before.record, id) }),
      ...differences(audit, before, after),
    });
  }

  private async finishAsTold(audit: Audit, rows: Begun['rows'], told: AuditTold | undefined): Promise<void> {
    if (told === undefined) return this.trail.withdraw(rows);
    const { changes, hasMore } = auditChanges(told.before, told.after);
    const resource = { type: audit.resource, name: told.name };
    await this.trail.finish(rows, {
      outcome: 'done',
      resource,
      changes: [...changes],
      ...(hasMore && { hasMoreChanges: true }),
    });
  }

  private async refuse({ audit, rows }: Begun, error: unknown): Promise<void> {
    const { status, code } = describeError(error);
    const isGuess = audit.account === true && GUESSES.has(code);
    if (status < 500 && !isGuess) return this.trail.withdraw(rows);
    await this.trail.finish(rows, { outcome: isGuess ? 'refused' : 'failed', errorCode: code });
  }

  /** The change is made: that its entry stays without an outcome must not turn it into an error. */
  private async keep({ request }: Begun, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (err) {
      const message = 'an entry of the audit log could not be completed';
      this.logger.event('warn', message, { requestId: request.id, err });
    }
  }

  /** Nobody is known before; a refused attempt is recorded without waiting, so that the answer takes as long for a stranger. */
  private recordSignIn(asked: Asked, next: CallHandler): Observable<unknown> {
    const { body } = asked.request;
    const email = isObject(body) && typeof body['email'] === 'string' ? body['email'].trim().toLowerCase() : undefined;
    return next.handle().pipe(
      concatMap(async (value: unknown) => {
        if (isObject(value) && typeof value['_id'] === 'string') {
          await this.recordAccount(asked, { _id: value['_id'] }, { outcome: 'done' });
        }
        return value;
      }),
      catchError((error: unknown) => {
        const { code } = describeError(error);
        if (email !== undefined && GUESSES.has(code)) {
          this.background.start(() => this.recordAccount(asked, { email }, { outcome: 'refused', errorCode: code }));
        }
        throw error;
      }),
    );
  }

  private async recordAccount(
    { action, request }: Asked,
    by: { readonly _id: string } | { readonly email: string },
    result: AuditResult,
  ): Promise<void> {
    const found = await this.actors.account(by);
    if (found === undefined) return;
    const { actor, owners } = found;
    const draft = { action, actor, via: 'console', ...originOf(request), resource: ownAccount(actor) } as const;
    await this.trail.finish(await this.trail.begin(owners, draft), result);
  }
}

function wayOf({ byFiles }: Audit, { person }: Caller): AuditEntry['via'] {
  if (byFiles === true) return 'files';
  return person === undefined ? 'api' : 'console';
}

function ownAccount({ id, email }: AuditEntry['actor']): AuditEntry['resource'] {
  return { type: 'user', id, ...(email !== undefined && { name: email }) };
}

/** A definition that was so already. */
function isUnchanged(response: unknown): boolean {
  return isObject(response) && response['outcome'] === 'unchanged' && 'missing' in response;
}

function differences({ personal }: Audit, before: Seen, after: Seen): Pick<AuditResult, 'changes' | 'hasMoreChanges'> {
  if (before.isUnknown === true || after.isUnknown === true) return {};
  const { changes, hasMore } = auditChanges(before.record, after.record, personal);
  return { changes: [...changes], ...(hasMore && { hasMoreChanges: true }) };
}
