import { isObject } from '#libs/validation';
import type { BlockScope } from './block-scopes.js';
import { safeUrl } from './html-safety.js';
import type { Escaping } from './marked-values.js';
import type { Renderer, RenderOptions } from './renderer.js';
import { safeLink } from './safe-link.js';

interface ContextRules {
  /** Of values, so that they cannot become HTML, or markup of a chat. */
  readonly escaping: Escaping;
  /** What becomes of the rendered text. Undefined for a URL that must not be opened. */
  readonly finish?: (text: string) => string | undefined;
}

/** What a rendered text becomes where it arrives. It decides what values can do there. */
const TEXT_CONTEXTS = {
  html: { escaping: 'html' },
  text: { escaping: 'none' },
  /** Each provider has markup of its own. */
  chat: { escaping: 'marks' },
  /** Of a header: a value must not add another one. */
  line: { escaping: 'none', finish: (text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim() },
  /** A URL that an application opens, relative ones and those of other apps included. */
  link: { escaping: 'none', finish: safeLink },
  /** A URL in a mail. */
  mailLink: { escaping: 'none', finish: safeUrl },
} as const satisfies Readonly<Record<string, ContextRules>>;

export type TextContext = keyof typeof TEXT_CONTEXTS;

/**
 * Every text of a channel's step that is rendered, and what it becomes. `*` stands for each item of a list. Rendering,
 * validation, warnings about missing values and tests read this table.
 */
export const RENDERED_FIELDS = {
  in_app: {
    subject: 'text',
    title: 'text',
    content: 'html',
    groupKey: 'line',
    replaces: 'line',
    'cta.data.url': 'link',
    'cta.action.buttons.*.content': 'text',
    'cta.action.buttons.*.resultContent': 'text',
    'cta.action.buttons.*.url': 'link',
  },
  email: {
    subject: 'line',
    preheader: 'line',
    senderName: 'line',
    content: 'html',
    'content.*.content': 'html',
    'content.*.url': 'mailLink',
    'content.*.price': 'html',
    'content.*.links.*.text': 'html',
    'content.*.links.*.url': 'mailLink',
    'content.*.columns.*.blocks.*.content': 'html',
    'content.*.columns.*.blocks.*.url': 'mailLink',
    'content.*.columns.*.blocks.*.price': 'html',
    'content.*.columns.*.blocks.*.links.*.text': 'html',
    'content.*.columns.*.blocks.*.links.*.url': 'mailLink',
  },
  sms: { content: 'text' },
  chat: { content: 'chat' },
  push: { title: 'text', content: 'text', replaces: 'line' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, TextContext>>>>;

export interface TextSource {
  readonly source: string;
  readonly as: TextContext;
}

/** A text of a template that is rendered. */
export interface RenderedField extends TextSource {
  /** Where it is in the template, such as `content.0.url`. */
  readonly path: string;
  /** Of the blocks around it that are repeated or conditional. */
  readonly scopes?: readonly BlockScope[];
}

export function renderText(
  { source, as }: TextSource,
  values: Readonly<Record<string, unknown>>,
  renderer: Renderer,
  options: Omit<RenderOptions, 'escaping'>,
): string {
  return renderer.render(source, values, { ...options, escaping: TEXT_CONTEXTS[as].escaping });
}

/** @returns undefined for a URL that must not be opened, or is empty */
export function finished(text: string, as: TextContext): string | undefined {
  const { finish }: ContextRules = TEXT_CONTEXTS[as];
  return finish === undefined ? text : finish(text);
}

/** The texts of a template in the order of the table; none for steps that are not of a channel. */
export function renderedFields(type: unknown, template: object): RenderedField[] {
  const fields = Object.entries(RENDERED_FIELDS).find(([channel]) => channel === type)?.[1] ?? {};
  return Object.entries<TextContext>(fields).flatMap(([pattern, as]) =>
    textsAt(template, pattern.split('.')).map(([path, source]) => {
      const scopes = type === 'email' ? scopesAround(template, path) : [];
      return { path: path.join('.'), source, as, ...(scopes.length > 0 && { scopes }) };
    }),
  );
}

type Found = readonly [path: readonly (string | number)[], source: string];

function scopesAround(template: object, path: Found[0]): BlockScope[] {
  let part: unknown = template;
  return path.flatMap((key) => {
    part = (part as Readonly<Record<string | number, unknown>>)[key];
    return isObject(part) && (typeof part['each'] === 'string' || typeof part['showIf'] === 'string') ? [part] : [];
  });
}

function textsAt(value: unknown, [first, ...rest]: readonly string[], path: Found[0] = []): Found[] {
  if (first === undefined) return typeof value === 'string' ? [[path, value]] : [];
  if (first !== '*') return isObject(value) ? textsAt(value[first], rest, [...path, first]) : [];
  return Array.isArray(value) ? value.flatMap((item, place) => textsAt(item, rest, [...path, place])) : [];
}

/** A copy of a template, or of a part of one, with other texts and without nulls. @param texts by path */
export function withTexts<T>(value: T, texts: ReadonlyMap<string, string>, path = ''): T {
  return replaced(value, texts, path) as T;
}

function replaced(value: unknown, texts: ReadonlyMap<string, string>, path: string): unknown {
  const inner = (key: string | number): string => (path === '' ? `${key}` : `${path}.${key}`);
  if (typeof value === 'string') return texts.get(path) ?? value;
  if (Array.isArray(value)) return value.map((item: unknown, place) => replaced(item, texts, inner(place)));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, child]) => child !== null);
  return Object.fromEntries(members.map(([key, child]) => [key, replaced(child, texts, inner(key))]));
}

/** Which URLs a context takes, in the words of a fault. */
const TAKEN: Partial<Record<TextContext, string>> = {
  link: 'must not have a scheme that can run code, such as javascript: or data:',
  mailLink: 'must be an http, https, mailto or tel URL, or a relative one',
};

/** Judges what stands before the first value. Values are judged when they are there: they can make a scheme of their own. */
export function linkFault({ source, as }: TextSource): string | undefined {
  const [before = ''] = source.split(/\{[{%]/, 1);
  return before.trim() === '' || finished(before, as) !== undefined ? undefined : TAKEN[as];
}
