export { ListedAddresses } from './listed-addresses.js';
export { AddressListed, SuppressionLifted } from './suppressions.events.js';
export { showAddress, SuppressionResponse } from './suppression.response.js';
export { SuppressionsModule } from './suppressions.module.js';
