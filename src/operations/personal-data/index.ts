export { ERASING } from './erasure.js';
export { ErasureWorker } from './erasure-worker.js';
export { PersonalDataModule } from './personal-data.module.js';
