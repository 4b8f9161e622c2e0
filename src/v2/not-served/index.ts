export { NotServedField, refuseFields } from './fields.js';
export { FieldNotServed } from './not-served.errors.js';
export { NotServedModule } from './not-served.module.js';
