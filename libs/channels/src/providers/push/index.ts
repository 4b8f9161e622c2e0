import type { ChannelProvider } from '../../core/provider.js';
import { ApnsProvider } from './apns.provider.js';
import { expo } from './expo.js';
import { createFcm } from './fcm.js';
import { oneSignal } from './one-signal.js';
import { pushWebhook } from './push-webhook.js';
import { pushpad } from './pushpad.js';
import { pusherBeams } from './pusher-beams.js';
import { webPush } from './web-push.js';

/** Providers with caches of tokens and connections are created per registry. */
export function createPushProviders(): readonly ChannelProvider[] {
  return [new ApnsProvider(), createFcm(), expo, oneSignal, pushWebhook, pushpad, pusherBeams, webPush];
}
