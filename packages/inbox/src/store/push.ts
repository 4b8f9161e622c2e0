import type { InboxApi } from './api.js';
import { trusted } from './trusted.js';

/** `blocked`: the user has refused notifications of this site, and only the browser's settings can change that. */
export type PushState = 'unavailable' | 'blocked' | 'off' | 'on';

/** Web push for this browser. It needs a service worker of the page's own origin, such as `@herald/inbox/push-worker.js`. */
export class InboxPush {
  constructor(
    private readonly api: InboxApi,
    private readonly workerUrl: string,
  ) {}

  /** `unavailable` also if the environment has no integration for web push. */
  async state(): Promise<PushState> {
    if (!('serviceWorker' in navigator) || !('PushManager' in globalThis)) return 'unavailable';
    if ((await this.key()) === undefined) return 'unavailable';
    if (Notification.permission === 'denied') return 'blocked';
    return (await this.subscription()) ? 'on' : 'off';
  }

  /** To be called in the handler of a click: browsers ask the user only then. */
  async enable(): Promise<PushState> {
    if ((await Notification.requestPermission()) !== 'granted') return this.state();
    const applicationServerKey = await this.key();
    if (applicationServerKey === undefined) return 'unavailable';
    const registration = await navigator.serviceWorker.register(trusted().createScriptURL(this.workerUrl));
    await activeWorker(registration);
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
    await this.api.call('POST', 'push-subscriptions', { body: subscription.toJSON() });
    return 'on';
  }

  async disable(): Promise<PushState> {
    const subscription = await this.subscription();
    if (subscription) {
      const { endpoint } = subscription;
      await this.api.call('DELETE', 'push-subscriptions', { body: { endpoint } });
      await subscription.unsubscribe();
    }
    return 'off';
  }

  private async key(): Promise<string | undefined> {
    const found = await this.api.call<{ publicKey: string }>('GET', 'push-key').catch(() => undefined);
    return found?.publicKey;
  }

  private async subscription(): Promise<PushSubscription | null> {
    const registration = await navigator.serviceWorker.getRegistration(this.workerUrl);
    return registration?.pushManager.getSubscription() ?? null;
  }
}

/** `navigator.serviceWorker.ready` would wait forever for a worker whose scope does not contain the page. */
function activeWorker({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> | undefined {
  const worker = installing ?? waiting;
  if (active !== null || worker === null) return undefined;
  return new Promise((resolve) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve();
    });
  });
}
