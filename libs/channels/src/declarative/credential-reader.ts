import { ProviderError } from '../errors/provider-error.js';

/** Credentials as text. Absent and wrongly typed values are empty. */
export interface CredentialReader {
  (key: string): string;
  flag(key: string): boolean;
  /** A value that becomes part of a host name; throws unless it is a host label. */
  hostLabel(key: string): string;
  /** A value as one encoded segment of a path; throws if it cannot be one. */
  segment(key: string): string;
}

export function credentialReader(credentials: Readonly<Record<string, unknown>>): CredentialReader {
  const read = (key: string): string => {
    const value = Object.hasOwn(credentials, key) ? credentials[key] : undefined;
    return typeof value === 'string' ? value.trim() : '';
  };
  return Object.assign(read, {
    flag: (key: string) => Object.hasOwn(credentials, key) && credentials[key] === true,
    hostLabel: (key: string) => {
      const value = read(key);
      if (/^[a-z0-9-]{1,63}$/i.test(value)) return value;
      throw new ProviderError(`credentials.${key} is not valid: letters, digits and hyphens are allowed.`, {
        code: 'credentials_incomplete',
        retryable: false,
      });
    },
    segment: (key: string) => {
      const value = read(key);
      if (!/^\.{1,2}$/.test(value)) return encodeURIComponent(value);
      // URLs resolve these as folders, even when they are encoded.
      throw new ProviderError(`credentials.${key} is not valid: it must not be '${value}'.`, {
        code: 'credentials_incomplete',
        retryable: false,
      });
    },
  });
}
