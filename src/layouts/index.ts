export { LayoutNotFound } from './layouts.errors.js';
export { LayoutsModule } from './layouts.module.js';
export { LayoutsService } from './layouts.service.js';
