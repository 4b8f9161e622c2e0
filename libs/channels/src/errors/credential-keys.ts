/**
 * The first 21 strings, the booleans up to `hmac` and `tlsOptions` belong to the compatible interface; the catalogue's
 * providers need the others.
 */
export const CREDENTIAL_KEYS = {
  strings: [
    'apiKey',
    'user',
    'secretKey',
    'domain',
    'password',
    'host',
    'port',
    'region',
    'accountSid',
    'messageProfileId',
    'token',
    'from',
    'senderName',
    'projectName',
    'applicationId',
    'clientId',
    'baseUrl',
    'webhookUrl',
    'redirectUrl',
    'serviceAccount',
    'ipPoolName',
    'apiKeyRequestHeader',
    'secretKeyRequestHeader',
    'idPath',
    'datePath',
    'apiToken',
    'authenticationTokenKey',
    'instanceId',
    'alertUid',
    'title',
    'imageUrl',
    'state',
    'externalLink',
    'channelId',
    'phoneNumberIdentification',
    'accessKey',
    'contentType',
    'apiURL',
    'appID',
    'callbackSecret',
    'method',
    'body',
    'clientSecret',
    'refreshToken',
    'tokenUrl',
  ],
  booleans: ['secure', 'requireTls', 'ignoreTls', 'hmac', 'authenticateByToken'],
  objects: ['tlsOptions', 'headers'],
} as const satisfies Record<string, readonly string[]>;

/** Values of these keys must never appear in logs, errors or execution details. */
export const SECRET_CREDENTIAL_KEYS: readonly string[] = [
  'apiKey',
  'apiToken',
  'secretKey',
  'token',
  'password',
  'serviceAccount',
  'accessKey',
  'callbackSecret',
  'headers',
  'clientSecret',
  'refreshToken',
];

const addedSecrets = new Set<string>();

export function addSecretCredential(key: string): void {
  addedSecrets.add(key);
}

export function isSecretCredential(key: string): boolean {
  return SECRET_CREDENTIAL_KEYS.includes(key) || addedSecrets.has(key);
}
