import type { SendContext } from '../core/provider.js';
import type { CredentialReader } from './credential-reader.js';
import type { PreparedRequest } from './http-provider.js';

/** AWS Signature Version 4, with the access key in `apiKey` and `secretKey`. */
export async function signAws(
  service: string,
  request: PreparedRequest,
  c: CredentialReader,
  context: SendContext,
): Promise<Record<string, string>> {
  const { AwsV4Signer } = await import('aws4fetch');
  const signer = new AwsV4Signer({
    method: request.method,
    url: request.url,
    headers: { 'content-type': request.headers['content-type'] ?? '' },
    body: request.body ?? null,
    accessKeyId: c('apiKey'),
    secretAccessKey: c('secretKey'),
    service,
    region: c('region'),
    datetime: context
      .now()
      .toISOString()
      .replace(/[:-]|\.\d{3}/g, ''),
  });
  const signed = await signer.sign();
  return Object.fromEntries([...signed.headers].filter(([name]) => name !== 'host' && name !== 'content-type'));
}
