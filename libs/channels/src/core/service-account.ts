import { parseForeignJson, readPath } from '#libs/common';
import { ProviderError } from '../errors/provider-error.js';

/** What is used of Google's service account files. */
export interface ServiceAccount {
  projectId: string;
  clientEmail: string;
  privateKey: string;
}

export function incompleteAccount(reason: string): ProviderError {
  return new ProviderError(`credentials.serviceAccount ${reason}.`, {
    code: 'credentials_incomplete',
    retryable: false,
  });
}

/** A key in PEM whose line breaks were pasted as `\\n`, as it stands in JSON and in variables of the environment. */
export function keyText(pem: string): string {
  return pem.replaceAll('\\n', '\n');
}

/** Reads the text of a service account file. @throws {ProviderError} when it is none */
export function parseServiceAccount(text: string): ServiceAccount {
  let json: unknown;
  try {
    json = parseForeignJson(text);
  } catch {
    throw incompleteAccount('is not valid JSON; paste the whole service account file');
  }
  const read = (key: string): string => {
    const value = readPath(json, key);
    return typeof value === 'string' ? value : '';
  };
  const projectId = read('project_id');
  const clientEmail = read('client_email');
  const privateKey = keyText(read('private_key'));
  if (projectId && clientEmail && privateKey) return { projectId, clientEmail, privateKey };
  throw incompleteAccount('lacks project_id, client_email or private_key; paste the whole service account file');
}
