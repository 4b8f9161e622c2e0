import { defineError } from '#libs/http-kit';

export const SuppressionNotFound = defineError(
  404,
  'suppression_not_found',
  (id: string) => `There is no suppression '${id}'. It may have been lifted already; GET /v1/suppressions lists them.`,
  ['address-64f0c1a2b3c4d5e6f7a8b9c0-email'],
);

export const NobodyHasAddress = defineError(
  404,
  'address_not_found',
  (whose: string) =>
    `No subscriber has ${whose}. Name an address instead of a subscriber to suppress it for whoever has it, now or later.`,
  ["the id 'ada' and an email address"],
);
