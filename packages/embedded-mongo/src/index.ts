export { launchEmbeddedMongo, type EmbeddedMongoOptions, type EmbeddedMongoProcess } from './launcher.js';
export { runningEmbeddedMongo } from './store-address.js';
export { DataDirLockedError } from './data-dir-lock.js';
