export const WRONG_CONNECTION_STRING =
  'must be like mongodb://user:password@host:27017/database; percent-encode the signs of user and password that are neither letters nor ' +
  'digits';

const HOST = /^(?:\[[\da-f:.]+\]|[^\s/?#@:,[\]]+)(?::\d{1,5})?$/i;
const USER_INFO = /^[^\s:/?#[\]@]*(?::[^\s:/?#[\]@]*)?$/;

/**
 * Of MongoDB. Signs of a password that should have been encoded make the driver take parts of it for hosts, which its errors name; a
 * connection string of that kind must not reach it.
 */
export function isConnectionString(uri: string): boolean {
  const rest = uri.slice(uri.indexOf('//') + 2);
  const [address = '', ...options] = rest.split('?');
  const [authority = '', ...path] = address.split('/');
  const [hosts = '', ...before] = authority.split('@').reverse();
  const [userInfo] = before;
  if (before.length > 1 || (userInfo !== undefined && !isEncoded(userInfo))) return false;
  const more = [...path, ...options].join('');
  if (path.length > 1 || more.includes('#') || (userInfo === undefined && more.includes('@'))) return false;
  return hosts.split(',').every((host) => HOST.test(host));
}

function isEncoded(userInfo: string): boolean {
  if (!USER_INFO.test(userInfo)) return false;
  try {
    decodeURIComponent(userInfo);
    return true;
  } catch {
    return false; // a stray percent sign
  }
}
