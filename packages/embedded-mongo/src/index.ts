export { launchEmbeddedMongo, type EmbeddedMongoOptions, type EmbeddedMongoProcess } from './launcher.js';
export { runningEmbeddedMongo } from './store-address.js';
export { DataDirLockedError } from './data-dir-lock.js';
export { verifyEmbeddedMongo, type VerifyOptions } from './verifier.js';
export type { VerifyTotals } from './store/verify.js';
