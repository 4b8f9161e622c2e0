export { TestingModule } from './testing.module.js';
