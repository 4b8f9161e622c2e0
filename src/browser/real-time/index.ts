export { ProcessLinkModule, RealTimeModule } from './real-time.module.js';
