import { AsyncLocalStorage } from 'node:async_hooks';
import type { TenantContext } from './tenant.js';

/** Whose records a query may reach. */
export type RecordOwner = Pick<TenantContext, 'environmentId'> & Partial<Pick<TenantContext, 'organizationId'>>;

/** A request is one: its caller becomes known after it has begun. */
interface TenantScope {
  readonly tenant?: RecordOwner | undefined;
}

const scopes = new AsyncLocalStorage<TenantScope>();
let isNeeded = false;

/** Called for a model that asks for the tenant. Without one, no request pays for knowing it. */
export function needTenantScopes(): void {
  isNeeded = true;
}

/** Calls a function, and what it awaits, in the name of whoever is, or becomes, the tenant of `scope`. */
export function inTenantScope<T>(scope: TenantScope, work: () => T): T {
  return isNeeded ? scopes.run(scope, work) : work();
}

/**
 * Calls a function, and what it awaits, in the name of a tenant: for work that no request has begun, such as a timer, or that
 * concerns another environment than that of the caller.
 *
 * @example
 * const due = await asTenant(tenant, () => this.notes.find({ due: { $lte: now } }));
 */
export function asTenant<T>(tenant: RecordOwner, work: () => PromiseLike<T>): Promise<T> {
  // A query of Mongoose is sent when it is awaited.
  return scopes.run({ tenant }, async () => await work());
}

/** Undefined where nobody calls, and on public routes. */
export function tenantInScope(): RecordOwner | undefined {
  return scopes.getStore()?.tenant;
}
