import webPush from 'web-push';

/** A new pair of VAPID keys as the credentials of an integration. Browsers keep the public key in their subscriptions. */
export function describeVapidKeys(): string {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const body = {
    channel: 'push',
    providerId: 'web-push',
    credentials: { applicationId: publicKey, secretKey: privateKey, from: 'mailto:ops@example.com' },
  };
  return `A new pair of keys, shown only once. Put your contact address into 'from' and send this to POST /v1/integrations.
Subscriptions of browsers belong to the key: with another one, every browser must subscribe again.

${JSON.stringify(body, null, 2)}`;
}
