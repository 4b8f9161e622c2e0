export { Clock, ManualClock } from './clock.js';
export { ClockModule } from './clock.module.js';
export { EventBus, OnDomainEvent } from './event-bus.js';
export { EventsBusModule } from './events-bus.module.js';
export { FailPoint } from './fail-point.js';
export { readPath } from './read-path.js';
export { storeFault, type StoreFault } from './store-fault.js';
export {
  type Caller,
  KEY_SCOPES,
  type KeyRights,
  type KeyScope,
  OBJECT_ID_PATTERN,
  type TenantContext,
} from './tenant.js';
