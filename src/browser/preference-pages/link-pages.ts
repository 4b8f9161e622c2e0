import type { Channel } from '#libs/channels';
import type { HttpReply, HttpRequest } from '#libs/http-kit';
import { pageTemplate, type Page, type PageBranding, sendPage } from './page-frame.js';
import { type PageLanguage, type PageTexts, pageLanguage } from './page-texts.js';

/** The field and value of a one-click request (RFC 8058). */
export const ONE_CLICK_FIELD = 'List-Unsubscribe';
export const ONE_CLICK_VALUE = 'One-Click';

export interface LinkPageContext {
  readonly language: PageLanguage;
  readonly branding?: PageBranding;
  readonly workflowName: string;
  readonly channel: Channel;
  /** Of the page with all settings. */
  readonly preferencesPath: string;
}

interface MessageValues {
  readonly heading: string;
  readonly text: string;
  /** Of the button; empty: none. */
  readonly button: string;
  readonly isUnsubscribing: boolean;
  readonly manage: string;
  readonly manageHref: string;
  readonly isDone: boolean;
}

const messagePage = pageTemplate<MessageValues>(`<div{{#if isDone}} role="status"{{/if}}>
<h1>{{heading}}</h1>
<p>{{text}}</p>
</div>
{{#if button}}<form method="post">
{{#if isUnsubscribing}}<input type="hidden" name="${ONE_CLICK_FIELD}" value="${ONE_CLICK_VALUE}"><input type="hidden" name="from" value="page">{{else}}<input type="hidden" name="action" value="subscribe">{{/if}}
<p><button{{#if isDone}} class="quiet"{{/if}}>{{button}}</button></p>
</form>
{{/if}}{{#if manage}}<p><a href="{{manageHref}}">{{manage}}</a></p>{{/if}}`);

function fill(
  text: string,
  { texts }: PageLanguage,
  context: Pick<LinkPageContext, 'workflowName' | 'channel'>,
): string {
  return text.replaceAll('{name}', () => context.workflowName).replaceAll('{channel}', () => texts[context.channel]);
}

function linkPage(
  context: LinkPageContext,
  keys: { readonly heading: keyof PageTexts; readonly text: keyof PageTexts; readonly button?: keyof PageTexts },
  { status = 200, isUnsubscribing = false, isDone = false } = {},
): Page {
  const { language, branding, preferencesPath } = context;
  const { texts } = language;
  const heading = texts[keys.heading];
  return {
    status,
    language,
    ...(branding && { branding }),
    title: heading,
    body: messagePage({
      heading,
      text: fill(texts[keys.text], language, context),
      button: keys.button === undefined ? '' : texts[keys.button],
      isUnsubscribing,
      manage: texts.manage,
      manageHref: preferencesPath,
      isDone,
    }),
  };
}

export function askPage(context: LinkPageContext): Page {
  const keys = { heading: 'askTitle', text: 'ask', button: 'unsubscribe' } as const;
  return linkPage(context, keys, { isUnsubscribing: true });
}

export function unsubscribedPage(context: LinkPageContext): Page {
  return linkPage(context, { heading: 'doneTitle', text: 'done', button: 'again' }, { isDone: true });
}

export function subscribedPage(context: LinkPageContext): Page {
  const keys = { heading: 'backTitle', text: 'back', button: 'unsubscribe' } as const;
  return linkPage(context, keys, { isDone: true, isUnsubscribing: true });
}

/** Of a critical workflow: nothing is changed. */
export function requiredPage(context: LinkPageContext): Page {
  return linkPage(context, { heading: 'title', text: 'required' }, { status: 409 });
}

type Fault = 'invalid' | 'gone' | 'badRequest';
const STATUS: Readonly<Record<Fault, number>> = { invalid: 400, gone: 410, badRequest: 400 };

/** Says why nothing was done, without a word of the recipient. */
export function faultPage(fault: Fault, language: PageLanguage): Page {
  const { texts } = language;
  const heading = texts[`${fault}Title`];
  return {
    status: STATUS[fault],
    language,
    title: heading,
    body: messagePage({
      heading,
      text: texts[fault],
      button: '',
      isUnsubscribing: false,
      manage: '',
      manageHref: '',
      isDone: false,
    }),
  };
}

/** For a link that Herald did not make, or with a key that it no longer has. */
export function sendInvalidLink(reply: HttpReply, { headers }: Pick<HttpRequest, 'headers'>): void {
  sendPage(reply, faultPage('invalid', pageLanguage(undefined, headers['accept-language'])));
}
