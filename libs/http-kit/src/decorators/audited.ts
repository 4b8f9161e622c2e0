import { applyDecorators, type CustomDecorator, SetMetadata, type Type } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { type Caller, isDefinitionKind } from '#libs/common';

export const AUDITED = Symbol('audited');
/** Names the kind of definitions that an operation changes in the OpenAPI document. */
export const DEFINITION_EXTENSION = 'x-herald-definition';

/** A secret in what an audit looks at: the audit log says that it changed, and nothing else. */
export class Concealed {
  readonly #value: unknown;

  constructor(value: unknown) {
    this.#value = value;
  }

  equals(other: Concealed): boolean {
    return this.#value === other.#value;
  }
}

/** How to see a resource: what it is before and after a change. */
export interface AuditLook {
  readonly source: Type<object>;
  /**
   * A record, or the list or page that it is in. Secrets in it are `Concealed`.
   * @param id the first parameter of the path; of what was just created, `idField` of the response
   */
  readonly see: (source: object, caller: Caller, id: string, params: Readonly<Record<string, string>>) => unknown;
}

/** What a response says has changed. */
export interface AuditTold {
  readonly name: string;
  readonly before: object;
  readonly after: object;
}

export interface AuditOptions {
  readonly look?: AuditLook;
  /** In the place of a look, for a change of many records; undefined: nothing has changed. */
  readonly told?: (response: unknown) => AuditTold | undefined;
  /** The field that has the name by which the path names the resource. Default: `_id`. */
  readonly idField?: string;
  /** Data of people who can be erased, in these fields or everywhere: the log has the names of the fields and no values. */
  readonly personal?: true | readonly string[];
  /** Whether changes by API keys are recorded: `traffic`, with the setting AUDIT_TRAFFIC, or if something is deleted. Default: always. */
  readonly keys?: 'always' | 'traffic' | 'never';
  /** Of somebody's own account: recorded in all their environments, together with wrong passwords and codes. */
  readonly account?: true;
  /** Also records that it was read. */
  readonly reads?: true;
  /** Carried out by files: a push, a pull request, a promotion. These routes have dry runs, and no others. */
  readonly byFiles?: true;
}

export interface Audit extends AuditOptions {
  readonly resource: string;
}

/** Why a route that is no GET is not audited. */
export interface NoAudit {
  readonly reason: string;
}

/**
 * The audit log has an entry of each change by a route: of all of a controller that are not GET, or of one method. A test asserts that each
 * route that changes something has this or {@link NotAudited}.
 * @example @Audited('layout', { look: lookAt(LayoutsService, (layouts, caller, id) => layouts.get(caller, id)) })
 */
export const Audited = (resource: string, options: AuditOptions = {}): ClassDecorator & MethodDecorator =>
  applyDecorators(
    SetMetadata(AUDITED, { ...options, resource } satisfies Audit),
    ...(isDefinitionKind(resource) ? [ApiExtension(DEFINITION_EXTENSION, resource)] : []),
  );

export const NotAudited = (reason: string): CustomDecorator<symbol> =>
  SetMetadata(AUDITED, { reason } satisfies NoAudit);

export function lookAt<S extends object>(
  source: Type<S>,
  see: (source: S, caller: Caller, id: string, params: Readonly<Record<string, string>>) => unknown,
): AuditLook {
  return { source, see: (found, caller, id, params) => see(found as S, caller, id, params) };
}

/** Whether a request asks a route that has dry runs for one. Other routes ignore the parameter. */
export function isDryRun(audit: Audit | NoAudit | undefined, query: unknown): boolean {
  const hasDryRuns = audit !== undefined && 'byFiles' in audit && audit.byFiles === true;
  return hasDryRuns && (query as { readonly dryRun?: unknown }).dryRun === 'true';
}
