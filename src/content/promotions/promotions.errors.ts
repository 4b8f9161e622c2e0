import { defineError } from '#libs/http-kit';

export const PromotionNeedsPerson = defineError(
  403,
  'promotion_needs_person',
  "An API key belongs to one environment, and a promotion needs two. Run 'herald promote' with a key of each, or sign in to the console.",
);

export const PromotionOutdated = defineError(
  409,
  'promotion_outdated',
  'What would be promoted, or what it would replace, has changed since the difference was shown. Nothing was changed. Look at the new difference with POST /v1/promotions/preview.',
);
