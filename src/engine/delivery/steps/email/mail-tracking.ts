import { Injectable } from '@nestjs/common';
import { type FoundLinks, Rendering, TemplateError } from '#libs/templates';
import { DETAIL } from '../../../execution-details/index.js';
import type { ActiveIntegration } from '../../../../channels/integrations/index.js';
import { type AddressedLinks, linkTarget, type Tracking } from '../../../../platform/recipient-links/index.js';
import { environmentOf } from '../../run/run.js';
import type { StepTask } from '../../run/step-handler.js';
import { linkClaims } from '../template-variables.js';

/** A mail has its links once more, some 150 characters longer each: mail programs cut off long mails. */
const MAX_TRACKED_LINKS = 200;

/** Lets links of a mail lead through Herald, and adds a picture that tells that it was shown. */
@Injectable()
export class MailTracking {
  constructor(private readonly rendering: Rendering) {}

  /** The HTML as it is sent: the same on each attempt. @throws {RenderingBusy} */
  async applied(task: StepTask, integration: ActiveIntegration, html: string): Promise<string> {
    const { workflow, event, facts } = task.run;
    const { opens, clicks } = trackingOf(workflow, integration);
    if ((!opens && !clicks) || event.test !== undefined) return html;
    if (facts.links === undefined) return this.without(task, html, 'The setting PUBLIC_URL is not set.');
    let found: FoundLinks;
    try {
      found = await this.rendering.links(html, environmentOf(task.run));
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return this.without(task, html, error.message);
    }
    const claims = linkClaims(task, 'email');
    const parts: string[] = [];
    let at = 0;
    const upTo = (place: number): void => {
      parts.push(html.slice(at, place));
      at = place;
    };
    const followed = clicks ? followedLinks(found, facts.links) : [];
    for (const { start, end, target } of followed) {
      upTo(start);
      parts.push(`href="${facts.links.urlOf('click', { ...claims, target })}"`);
      at = end;
    }
    if (opens) {
      upTo(Math.max(at, found.contentEnd));
      parts.push(pixel(facts.links.urlOf('open', claims)));
    }
    upTo(html.length);
    const raw = { opens, links: followed.length, leftAlone: found.links.length - followed.length };
    if (task.state.attempt === 0) task.recorder.note(DETAIL.messageTracked, { raw: clicks ? raw : { opens } });
    return parts.join('');
  }

  private without({ state, recorder }: StepTask, html: string, reason: string): string {
    if (state.attempt === 0) recorder.note(DETAIL.messageNotTracked, { raw: { reason } });
    return html;
  }
}

/**
 * The workflow wins over the integration. Of critical workflows, whose links often are secrets, only what they say
 * themselves counts.
 */
export function trackingOf(
  workflow: { readonly critical: boolean; readonly tracking?: Tracking },
  integration: { readonly tracking?: Tracking },
): Required<Tracking> {
  const shared = workflow.critical ? {} : { ...integration.tracking };
  const { opens = false, clicks = false } = { ...shared, ...workflow.tracking };
  return { opens, clicks };
}

interface FollowedLink {
  readonly start: number;
  readonly end: number;
  readonly target: string;
}

function followedLinks({ links }: FoundLinks, own: AddressedLinks): FollowedLink[] {
  return links
    .flatMap(({ url, start, end }) => {
      const target = linkTarget(url);
      return target === undefined || own.isOwn(target) ? [] : [{ start, end, target }];
    })
    .slice(0, MAX_TRACKED_LINKS);
}

function pixel(url: string): string {
  return `<img src="${url}" alt="" width="1" height="1" style="display:block;width:1px;height:1px;border:0">`;
}
