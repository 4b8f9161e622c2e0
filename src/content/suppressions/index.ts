export type { ListedAddress } from './listed-address.schema.js';
export { AddressSuppressions } from './address-suppressions.js';
export { AddressListed, SuppressionLifted } from './suppressions.events.js';
export { showAddress, SuppressionResponse } from './suppression.response.js';
export { SuppressionsModule } from './suppressions.module.js';
