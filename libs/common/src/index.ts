export { Clock, ClockModule, ManualClock } from './clock.js';
export { EventBus, EventsBusModule, OnDomainEvent } from './event-bus.js';
export { readPath } from './read-path.js';
export { storeFault, type StoreFault } from './store-fault.js';
export { type Caller, KEY_SCOPES, type KeyRights, type KeyScope, type TenantContext } from './tenant.js';
