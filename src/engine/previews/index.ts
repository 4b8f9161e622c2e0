export { PreviewsModule } from './previews.module.js';
