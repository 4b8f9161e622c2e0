export { launchEmbeddedMongo, type EmbeddedMongoOptions, type EmbeddedMongoProcess } from './launcher.js';
export { DataDirLockedError } from './data-dir-lock.js';
