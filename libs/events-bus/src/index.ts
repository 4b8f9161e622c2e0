export { EventBus, OnDomainEvent } from './event-bus.js';
export { EventsBusModule } from './events-bus.module.js';
