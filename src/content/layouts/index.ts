export { LayoutDefinitionDto } from './layout.dto.js';
export { LayoutDefinitionsService } from './layout-definitions.service.js';
export { LayoutNotFound, TooMuchContention } from './layouts.errors.js';
export { LayoutsModule } from './layouts.module.js';
export { LayoutsService } from './layouts.service.js';
