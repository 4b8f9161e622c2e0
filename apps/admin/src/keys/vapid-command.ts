import webPush from 'web-push';

/** A new pair of VAPID keys as the credentials of an integration. Browsers keep the public key in their subscriptions. */
export function describeVapidKeys(): string {
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const body = {
    channel: 'push',
    providerId: 'web-push',
    credentials: { applicationId: publicKey, secretKey: privateKey, from: 'mailto:ops@example.com' },
  };
  return `This key pair is shown only once. Set 'from' to your contact address and send this body to POST /v1/integrations.
Browser subscriptions are bound to the key. If you replace it, every browser must subscribe again.

${JSON.stringify(body, null, 2)}`;
}
