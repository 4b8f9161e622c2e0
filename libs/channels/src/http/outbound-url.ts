import { ProviderError } from '../errors/provider-error.js';
import { literalAddress, refusedAddress, type AddressRule } from './address-guard.js';

function refused(reason: string): ProviderError {
  return new ProviderError(reason, { code: 'url_not_allowed', retryable: false });
}

/**
 * Allows only http and https. A rule also rejects user information and forbidden addresses. The parser normalizes
 * unusual notations of addresses first.
 */
export function parseOutboundUrl(text: string, rule?: AddressRule, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw refused('The URL is not valid; give an absolute http or https URL.');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refused(`The URL has the scheme '${url.protocol.slice(0, -1)}'; only http and https are allowed.`);
  }
  if (rule === undefined) return url;
  if (url.username !== '' || url.password !== '') {
    throw refused('The URL holds a user name or password; leave them out and use the credentials of the integration.');
  }
  const address = literalAddress(url.hostname);
  if (address !== undefined && !rule(address)) throw refusedAddress(url.hostname);
  return url;
}
