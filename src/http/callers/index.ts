export { CallerGuard } from './caller.guard.js';
