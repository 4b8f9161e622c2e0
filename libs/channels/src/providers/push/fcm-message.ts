import type { PushMessage } from '../../core/messages.js';
import { collapseKey, overrideObject, stringValues, without } from './push-fields.js';

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
function android(block: Values): Record<string, unknown> {
  const { ttl } = block;
  const notification = objectAt(block, 'notification');
  return {
    ...block,
    ...(typeof ttl === 'number' && { ttl: `${ttl / 1_000}s` }),
    ...(notification && { notification: withImage(notification) }),
  };
}

function apns(block: Values): Record<string, unknown> {
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

interface Blocks {
  readonly android: Record<string, unknown> | undefined;
  readonly apns: Record<string, unknown> | undefined;
  readonly webpush: Record<string, unknown> | undefined;
  readonly fcm_options: Record<string, unknown> | undefined;
}

function blocks(overrides: Values): Blocks {
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

function hasOne(values: Values | undefined, ...names: readonly string[]): boolean {
  return Object.keys(values ?? {}).some((name) => names.includes(name.toLowerCase()));
}

/** The blocks with the key under which each platform replaces a message; what the overrides say wins. */
function collapsing(given: Blocks, key: string, isData: boolean): Blocks {
  const { android: forAndroid = {}, apns: forApple = {}, webpush = {} } = given;
  const [appleHeaders, webHeaders] = [overrideObject(forApple, 'headers'), overrideObject(webpush, 'headers')];
  const isNamed = hasOne(forAndroid, 'collapsekey', 'collapse_key');
  return {
    ...given,
    android: {
      ...(!isNamed && { collapse_key: key }),
      ...forAndroid,
      ...(!isData && { notification: { tag: key, ...overrideObject(forAndroid, 'notification') } }),
    },
    apns: {
      ...forApple,
      headers: { ...(!hasOne(appleHeaders, 'apns-collapse-id') && { 'apns-collapse-id': key }), ...appleHeaders },
    },
    webpush: {
      ...webpush,
      headers: { ...(!hasOne(webHeaders, 'topic') && { Topic: key }), ...webHeaders },
      ...(!isData && { notification: { tag: key, ...overrideObject(webpush, 'notification') } }),
    },
  };
}

/**
 * The message without its target: a notification, or data alone if the overrides say `type: 'data'`. Overrides contain
 * the platforms' blocks; their other keys are part of the notification.
 */
export function fcmMessage(message: PushMessage): object {
  const { overrides = {}, title, content, payload } = message;
  const isData = overrides['type'] === 'data';
  const key = collapseKey(message);
  const platforms = key === undefined ? blocks(overrides) : collapsing(blocks(overrides), key, isData);
  const data = overrideObject(overrides, 'data');
  if (isData) {
    return { ...platforms, data: stringValues({ ...payload, ...data, title, body: content, message: content }) };
  }
  const own = without(overrides, 'type', 'data', 'deviceTokens', 'notification', ...BLOCKS);
  const notification = withImage({ title, body: content, ...own, ...overrideObject(overrides, 'notification') });
  return { ...platforms, notification, ...(Object.keys(data).length > 0 && { data: stringValues(data) }) };
}
