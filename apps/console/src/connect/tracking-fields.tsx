import type { VNode } from 'preact';
import { Check } from '../editor/live-fields.js';

export interface Tracked {
  readonly opens: boolean;
  readonly clicks: boolean;
}

interface Props {
  readonly tracked: Tracked;
  readonly onTracked: (tracked: Tracked) => void;
}

/** Of the mails of an integration; workflows can say otherwise. */
export function TrackingFields({ tracked, onTracked }: Props): VNode {
  return (
    <fieldset class="form">
      <legend>Opens and clicks</legend>
      <Check isOn={tracked.opens} onChange={(opens) => onTracked({ ...tracked, opens })}>
        Follow opens: a picture of one pixel in each mail
      </Check>
      <Check isOn={tracked.clicks} onChange={(clicks) => onTracked({ ...tracked, clicks })}>
        Follow clicks: links lead through Herald
      </Check>
      <p class="note">
        Unless a workflow says otherwise. Critical workflows are followed only if they say so. Needs the setting
        PUBLIC_URL. Tell your recipients, where the law asks for it.
      </p>
    </fieldset>
  );
}
