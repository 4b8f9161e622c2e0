export { CreateFeedDto } from './feed.dto.js';
export { FeedsModule } from './feeds.module.js';
export { FeedsService } from './feeds.service.js';
