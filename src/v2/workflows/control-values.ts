import { isObject, type RawObject } from '#libs/validation';

/** What control values become: the template and the metadata of a step. */
interface ControlledStep {
  readonly template: RawObject & { readonly type: string };
  readonly metadata: RawObject;
  /** What the values have besides, in words. */
  readonly dropped: readonly string[];
}

/** Control values that no step of Herald can have. The message goes on after the name of the step. */
export class ControlFault extends Error {}

/** Types of steps that control values can say. */
export const CONTROLLED_TYPES = ['in_app', 'email', 'sms', 'push', 'chat', 'delay', 'digest'] as const;
type ControlledType = (typeof CONTROLLED_TYPES)[number];

const ESCAPING = 'disableOutputSanitization (Herald always escapes values)';

/** @throws {ControlFault} */
export function stepOf(type: string, values: RawObject): ControlledStep {
  if (!isControlled(type)) throw new ControlFault(`is of the type '${type}', which is not taken over`);
  const escaping = values['disableOutputSanitization'] === true ? [ESCAPING] : [];
  switch (type) {
    case 'in_app':
      return { template: inApp(values), metadata: {}, dropped: escaping };
    case 'email':
      return { template: email(values), metadata: {}, dropped: [...escaping, ...senderIn(values)] };
    case 'push':
      return {
        template: { type, title: textIn(values['subject']), content: textIn(values['body']) },
        metadata: {},
        dropped: [],
      };
    case 'delay':
      return { template: { type }, metadata: waiting(values), dropped: [] };
    case 'digest':
      return { template: { type }, metadata: { ...waiting(values), ...digesting(values) }, dropped: [] };
    default:
      return { template: { type, content: textIn(values['body']) }, metadata: {}, dropped: [] };
  }
}

function isControlled(type: unknown): type is ControlledType {
  return CONTROLLED_TYPES.includes(type as ControlledType);
}

function inApp({
  subject,
  body,
  avatar,
  redirect,
  primaryAction,
  secondaryAction,
  data,
}: RawObject): ControlledStep['template'] {
  const buttons = [['primary', primaryAction] as const, ['secondary', secondaryAction] as const].flatMap(
    ([type, action]) =>
      isObject(action) && isText(action['label'])
        ? [{ type, content: action['label'], ...linkIn(action['redirect']) }]
        : [],
  );
  const link = linkIn(redirect);
  return {
    type: 'in_app',
    content: textIn(body),
    ...(isText(subject) && { subject }),
    ...(isObject(data) && { data }),
    ...(isText(avatar) && { actor: { type: 'system_custom', data: avatar } }),
    ...((buttons.length > 0 || Object.keys(link).length > 0) && {
      cta: { type: 'redirect', data: link, ...(buttons.length > 0 && { action: { buttons } }) },
    }),
  };
}

function linkIn(redirect: unknown): RawObject {
  if (!isObject(redirect)) return {};
  const { url, target } = redirect;
  return { ...(isText(url) && { url }), ...(isText(target) && { target }) };
}

/** Blocks are JSON of their editor, whatever `editorType` says: clients send `block` by default. */
const BLOCKS = /^\s*\{\s*"type"\s*:\s*"doc"/;

function email({ subject, body, preheader, from, layoutId }: RawObject): ControlledStep['template'] {
  if (typeof body === 'string' && BLOCKS.test(body)) {
    throw new ControlFault('is a mail of the block editor; write it again in HTML');
  }
  return {
    type: 'email',
    subject: textIn(subject),
    contentType: 'customHtml',
    content: textIn(body),
    ...(isText(preheader) && { preheader }),
    ...(isObject(from) && isText(from['name']) && { senderName: from['name'] }),
    ...(isText(layoutId) && { layout: layoutId }),
  };
}

function senderIn({ from, replyTo }: RawObject): string[] {
  return [
    ...(isObject(from) && isText(from['email']) ? ['from.email (set the address of the integration)'] : []),
    ...(isText(replyTo) ? ['replyTo (set it in the overrides of events)'] : []),
  ];
}

function waiting({ type = 'regular', amount, unit }: RawObject): RawObject {
  if (type === 'regular' && amount !== undefined && amount !== null) return { type: 'regular', amount, unit };
  throw new ControlFault(`waits in a form that is not taken over (${String(type)}); set an amount and a unit`);
}

function digesting({ digestKey, lookBackWindow }: RawObject): RawObject {
  const window = isObject(lookBackWindow) ? lookBackWindow : undefined;
  return {
    ...(isText(digestKey) && { digestKey }),
    ...(window && { backoff: true, backoffAmount: window['amount'], backoffUnit: window['unit'] }),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

interface ShownStep {
  readonly template: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly metadata?: unknown;
}

/**
 * The control values of a step, with the conditions apart.
 * @returns undefined if they cannot say it
 */
export function controlValuesOf({ template, metadata }: ShownStep, layout: string | undefined): RawObject | undefined {
  const { type, content, subject, title, preheader, senderName } = template;
  if (!isControlled(type)) return undefined;
  if (type === 'delay' || type === 'digest') return waitingValues(isObject(metadata) ? metadata : {});
  if (typeof content !== 'string' && content !== undefined) return undefined;
  const body = content ?? '';
  if (type === 'email') {
    return {
      subject: subject ?? '',
      body,
      editorType: 'html',
      ...(layout !== undefined && { layoutId: layout }),
      ...(isText(senderName) && { from: { name: senderName } }),
      ...(isText(preheader) && { preheader }),
    };
  }
  if (type === 'push') return { subject: title ?? '', body };
  return type === 'in_app' ? { ...inAppValues(template), body } : { body };
}

function inAppValues({ subject, cta, actor, data }: ShownStep['template']): RawObject {
  const { data: link, action } = (isObject(cta) ? cta : {}) as { data?: RawObject; action?: { buttons?: RawObject[] } };
  const button = (wanted: string): RawObject | undefined => {
    const found = action?.buttons?.find(({ type }) => type === wanted);
    return found && { label: found['content'], ...(isText(found['url']) && { redirect: linkIn(found) }) };
  };
  const [primaryAction, secondaryAction] = [button('primary'), button('secondary')];
  const avatar = isObject(actor) && actor['type'] === 'system_custom' ? actor['data'] : undefined;
  return {
    ...(isText(subject) && { subject }),
    ...(isText(avatar) && { avatar }),
    ...(link !== undefined && isText(link['url']) && { redirect: linkIn(link) }),
    ...(primaryAction && { primaryAction }),
    ...(secondaryAction && { secondaryAction }),
    ...(isObject(data) && { data }),
  };
}

function waitingValues(metadata: RawObject): RawObject | undefined {
  const { type, amount, unit, digestKey, backoff, backoffAmount, backoffUnit } = metadata;
  if (type !== 'regular' || typeof amount !== 'number') return undefined;
  return {
    type,
    amount,
    unit,
    ...(isText(digestKey) && { digestKey }),
    ...(backoff === true && { lookBackWindow: { amount: backoffAmount, unit: backoffUnit } }),
  };
}
