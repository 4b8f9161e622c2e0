export { PromotionsModule } from './promotions.module.js';
export { PromotionNeedsPerson, PromotionOutdated } from './promotions.errors.js';
export { PromotionsService } from './promotions.service.js';
export type { PromotedChangeResponse, PromotionPreviewResponse, PromotionResponse } from './promotion.response.js';
