export { DefinitionsModule } from './definitions.module.js';
export { promotedFrom } from './promoted-from.js';
