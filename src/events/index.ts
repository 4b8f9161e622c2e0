export { readBufferFiles } from './buffer-files.js';
export { EventsModule } from './events.module.js';
