import { type ExecutionContext, Injectable, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import { type DefinitionKind, isDefinitionKind, type KeyScope } from '#libs/common';
import {
  FOR_AGENTS,
  FOR_SUBSCRIBERS,
  type ForSubscribersOptions,
  IS_PUBLIC,
  NEEDED_SCOPE,
  type PublicOptions,
  STRICT_INPUT,
  WITHOUT_SECOND_FACTOR,
} from '../decorators/access.js';
import { type Audit, AUDITED, type NoAudit } from '../decorators/audited.js';
import { oncePerRoute, type RouteHandler } from './once-per-route.js';

/** Default: `api-key`. */
export type CallerKind = 'anyone' | 'api-key' | 'subscriber';

export interface Access {
  readonly caller: CallerKind;
  /** Accepts a single-request ticket in the query instead of a session token. */
  readonly takesTicketInQuery: boolean;
  /** Bytes; undefined if the interceptor reads no body. Public routes only. */
  readonly publicBodyBytes: number | undefined;
  /** Undefined: that of the method. */
  readonly scope: KeyScope | undefined;
  /** Takes keys of agents only. */
  readonly isForAgents: boolean;
  /** For people who have yet to set up the second factor that Herald demands. */
  readonly isOpenWithoutFactor: boolean;
  /** Rejects unknown fields and parameters, whatever the settings. */
  readonly isStrict: boolean;
  /** Name of the method, which is that of the operation in the OpenAPI document. */
  readonly operation: string;
  /** Undefined for routes that only read, unless they declare it. */
  readonly audit: Audit | NoAudit | undefined;
  /** What the route changes, if that is a definition. */
  readonly definition: DefinitionKind | undefined;
}

@Injectable()
export class RouteAccess {
  readonly of: (context: ExecutionContext) => Access;

  constructor(reflector: Reflector) {
    this.of = oncePerRoute((route) => accessOf(route, reflector));
  }
}

type Declared = [RouteHandler['handler'], RouteHandler['controller']];

function accessOf({ controller, handler, name }: RouteHandler, reflector: Reflector): Access {
  const declared: Declared = [handler, controller];
  const open = reflector.getAllAndOverride<PublicOptions | undefined>(IS_PUBLIC, declared);
  const forSubscribers = reflector.getAllAndOverride<ForSubscribersOptions | undefined>(FOR_SUBSCRIBERS, declared);
  const scope = reflector.getAllAndOverride<KeyScope | undefined>(NEEDED_SCOPE, declared);
  const audit = auditOf(declared, reflector);
  return {
    caller: open !== undefined ? 'anyone' : forSubscribers !== undefined ? 'subscriber' : 'api-key',
    takesTicketInQuery: forSubscribers?.ticketInQuery === true,
    publicBodyBytes: open?.maxBodyBytes,
    scope,
    isForAgents: reflector.getAllAndOverride<boolean | undefined>(FOR_AGENTS, declared) === true,
    isOpenWithoutFactor: reflector.get<boolean | undefined>(WITHOUT_SECOND_FACTOR, handler) === true,
    isStrict: reflector.getAllAndOverride<boolean | undefined>(STRICT_INPUT, declared) === true,
    operation: name,
    audit,
    definition: changedDefinition(audit, scope),
  };
}

/** To send something changes no definition. */
function changedDefinition(audit: Access['audit'], scope: KeyScope | undefined): DefinitionKind | undefined {
  if (audit === undefined || 'reason' in audit || scope === 'trigger') return undefined;
  return isDefinitionKind(audit.resource) ? audit.resource : undefined;
}

/** That of a controller is about its changes only. */
function auditOf(declared: Declared, reflector: Reflector): Access['audit'] {
  const audit = reflector.getAllAndOverride<Audit | NoAudit | undefined>(AUDITED, declared);
  if (audit === undefined || 'reason' in audit || audit.reads === true) return audit;
  const isRead = reflector.get<RequestMethod>(METHOD_METADATA, declared[0]) === RequestMethod.GET;
  return isRead ? undefined : audit;
}
