export { ChatLinksModule } from './chat-links.module.js';
export { ChatLinksService } from './chat-links.service.js';
