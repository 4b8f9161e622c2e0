import type { z } from 'zod';
import { described, flag, named, object } from '#libs/validation';

/** Whether opens and clicks of mails are followed. */
export const tracking = named(
  'TrackingDto',
  object(
    {
      opens: described(flag().nullish(), {
        description: 'A picture of one pixel tells that the mail was shown. Default: false.',
        example: true,
      }),
      clicks: described(flag().nullish(), {
        description: 'Links lead through Herald, which notes the click and passes it on. Default: false.',
        example: true,
      }),
    },
    'must be an object with opens and clicks',
  ),
  'Whether opens and clicks of mails are followed.',
);
type SentTracking = z.infer<typeof tracking>;

/** As it is stored: what is absent is decided elsewhere. */
export interface Tracking {
  readonly opens?: boolean;
  readonly clicks?: boolean;
}

export function readTracking({ opens, clicks }: SentTracking): Tracking {
  return { ...(typeof opens === 'boolean' && { opens }), ...(typeof clicks === 'boolean' && { clicks }) };
}
