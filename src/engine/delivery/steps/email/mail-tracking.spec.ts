import { trackingOf } from './mail-tracking.js';

describe('trackingOf', () => {
  it.each([
    ['nothing by default', false, undefined, undefined, { opens: false, clicks: false }],
    ['what the integration says', false, undefined, { clicks: true }, { opens: false, clicks: true }],
    ['what the workflow says', false, { opens: true, clicks: false }, { clicks: true }, { opens: true, clicks: false }],
    ['each of both', false, { clicks: false }, { opens: true, clicks: true }, { opens: true, clicks: false }],
    [
      'nothing of the integration where it is critical',
      true,
      undefined,
      { opens: true, clicks: true },
      { opens: false, clicks: false },
    ],
    ['what a critical workflow says', true, { clicks: true }, { opens: true }, { opens: false, clicks: true }],
  ])('should follow %s', (_what, critical, ofWorkflow, ofIntegration, expected) => {
    const workflow = { critical, ...(ofWorkflow && { tracking: ofWorkflow }) };
    expect(trackingOf(workflow, ofIntegration ? { tracking: ofIntegration } : {})).toEqual(expected);
  });
});
