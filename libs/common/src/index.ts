export { Clock, CLOCK_SKEW_MS, ClockModule, ManualClock, TestClock } from './clock.js';
export {
  DEFINITION_KINDS,
  DEFINITION_OUTCOMES,
  type DefinedRecord,
  type DefinitionChange,
  definitionChange,
  type DefinitionKind,
  type DefinitionOutcome,
  isChange,
  isDefinitionKind,
  type MissingReference,
} from './definition-change.js';
export { EventBus, EventsBusModule, OnDomainEvent } from './event-bus.js';
export { FailPoint } from './fail-point.js';
export { parseForeignForm, parseForeignJson } from './foreign-text.js';
export { nearestName } from './nearest-name.js';
export { readPath } from './read-path.js';
export { isDuplicateKeyFault, storeFault, type StoreFault } from './store-fault.js';
export {
  type Caller,
  type CallingPerson,
  KEY_SCOPES,
  type KeyRights,
  type KeyScope,
  OBJECT_ID_PATTERN,
  type TenantContext,
} from './tenant.js';
export { asTenant, inTenantScope, needTenantScopes, type RecordOwner, tenantInScope } from './tenant-scope.js';
export { timeOrderedUuid } from './time-ordered-uuid.js';
