export { storeFault, type StoreFault } from './store-fault.js';
