// The file that a script tag loads: it knows Herald by its own address, `…/inbox/herald-inbox.js`.
import { defineInbox, HeraldInbox } from './element/herald-inbox.js';

HeraldInbox.backendUrl = new URL('..', import.meta.url).href;
defineInbox();

export { HeraldInbox };
export * from './store/index.js';
