export { ImagesModule } from './images.module.js';
export { type ImageFile, ImagesService } from './images.service.js';
