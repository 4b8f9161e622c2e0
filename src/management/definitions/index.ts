export { DefinitionsModule } from './definitions.module.js';
