import type { PushMessage } from '../../core/messages.js';
import { overrideObject, stringValues, without } from './push-fields.js';

type Values = Readonly<Record<string, unknown>>;

/** Overrides with their own place in a message of the HTTP v1 API. */
const BLOCKS = ['android', 'apns', 'webpush', 'webPush', 'fcmOptions', 'fcm_options'];
/** The SDK's names of keys in Apple's dictionary. */
const APS: Readonly<Record<string, string>> = {
  contentAvailable: 'content-available',
  mutableContent: 'mutable-content',
  threadId: 'thread-id',
};

function objectAt(values: Values, key: string): Record<string, unknown> | undefined {
  return Object.hasOwn(values, key) ? overrideObject(values, key) : undefined;
}

/** The SDK has `imageUrl`, the API `image`. */
function withImage(values: Values): Record<string, unknown> {
  const { imageUrl, ...rest } = values;
  return { ...rest, ...(imageUrl !== undefined && { image: imageUrl }) };
}

/** Clients write these blocks as for the Admin SDK. This converts them where the API differs. */
function android(block: Values): object {
  const { ttl } = block;
  const notification = objectAt(block, 'notification');
  return {
    ...block,
    ...(typeof ttl === 'number' && { ttl: `${ttl / 1_000}s` }),
    ...(notification && { notification: withImage(notification) }),
  };
}

function apns(block: Values): object {
  const payload = objectAt(block, 'payload');
  const aps = payload && objectAt(payload, 'aps');
  const options = objectAt(block, 'fcmOptions');
  const renamed = Object.entries(aps ?? {}).map(([key, value]): [string, unknown] => [
    Object.hasOwn(APS, key) ? (APS[key] ?? key) : key,
    typeof value === 'boolean' && Object.hasOwn(APS, key) ? Number(value) : value,
  ]);
  return {
    ...block,
    ...(payload && { payload: { ...payload, ...(aps && { aps: Object.fromEntries(renamed) }) } }),
    ...(options && { fcmOptions: withImage(options) }),
  };
}

function blocks(overrides: Values): object {
  const given = {
    android: objectAt(overrides, 'android'),
    apns: objectAt(overrides, 'apns'),
    webpush: objectAt(overrides, 'webpush') ?? objectAt(overrides, 'webPush'),
    fcm_options: objectAt(overrides, 'fcm_options') ?? objectAt(overrides, 'fcmOptions'),
  };
  return {
    android: given.android && android(given.android),
    apns: given.apns && apns(given.apns),
    webpush: given.webpush,
    fcm_options: given.fcm_options,
  };
}

/**
 * The message without its target: a notification, or data alone if the overrides say `type: 'data'`. Overrides contain
 * the platforms' blocks; their other keys are part of the notification.
 */
export function fcmMessage({ overrides = {}, title, content, payload }: PushMessage): object {
  const platforms = blocks(overrides);
  const data = overrideObject(overrides, 'data');
  if (overrides['type'] === 'data') {
    return { ...platforms, data: stringValues({ ...payload, ...data, title, body: content, message: content }) };
  }
  const own = without(overrides, 'type', 'data', 'deviceTokens', 'notification', ...BLOCKS);
  const notification = withImage({ title, body: content, ...own, ...overrideObject(overrides, 'notification') });
  return { ...platforms, notification, ...(Object.keys(data).length > 0 && { data: stringValues(data) }) };
}
