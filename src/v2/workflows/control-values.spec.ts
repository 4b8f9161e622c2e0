import { ControlFault, controlValuesOf, stepOf } from './control-values.js';

/** What comes back is what was sent. */
const BOTH_WAYS: [string, Record<string, unknown>, object, object?][] = [
  ['sms', { body: 'Hi {{payload.name}}' }, { type: 'sms', content: 'Hi {{payload.name}}' }],
  ['chat', { body: 'Hi' }, { type: 'chat', content: 'Hi' }],
  ['push', { subject: 'Hello', body: 'Hi' }, { type: 'push', title: 'Hello', content: 'Hi' }],
  [
    'email',
    {
      subject: 'Hello',
      body: '<p>Hi</p>',
      editorType: 'html',
      layoutId: 'company',
      from: { name: 'Shop' },
      preheader: 'x',
    },
    {
      type: 'email',
      subject: 'Hello',
      contentType: 'customHtml',
      content: '<p>Hi</p>',
      preheader: 'x',
      senderName: 'Shop',
      layout: 'company',
    },
  ],
  [
    'in_app',
    {
      subject: 'Hello',
      body: 'Hi',
      avatar: 'https://example.com/a.png',
      redirect: { url: '/orders', target: '_blank' },
      primaryAction: { label: 'Open', redirect: { url: '/go' } },
      secondaryAction: { label: 'Later' },
      data: { a: 1 },
    },
    {
      type: 'in_app',
      content: 'Hi',
      subject: 'Hello',
      data: { a: 1 },
      actor: { type: 'system_custom', data: 'https://example.com/a.png' },
      cta: {
        type: 'redirect',
        data: { url: '/orders', target: '_blank' },
        action: {
          buttons: [
            { type: 'primary', content: 'Open', url: '/go' },
            { type: 'secondary', content: 'Later' },
          ],
        },
      },
    },
  ],
  [
    'delay',
    { type: 'regular', amount: 2, unit: 'hours' },
    { type: 'delay' },
    { type: 'regular', amount: 2, unit: 'hours' },
  ],
  [
    'digest',
    {
      type: 'regular',
      amount: 5,
      unit: 'minutes',
      digestKey: 'payload.a',
      lookBackWindow: { amount: 1, unit: 'hours' },
    },
    { type: 'digest' },
    {
      type: 'regular',
      amount: 5,
      unit: 'minutes',
      digestKey: 'payload.a',
      backoff: true,
      backoffAmount: 1,
      backoffUnit: 'hours',
    },
  ],
];

describe('control values', () => {
  it.each(BOTH_WAYS)('should become a step of the type %s, and come back', (type, values, template, metadata = {}) => {
    const step = stepOf(type, values);
    expect(step).toEqual({ template, metadata, dropped: [] });
    expect(controlValuesOf(step, step.template['layout'] as string | undefined)).toEqual(values);
  });

  it.each([
    ['custom', {}, "is of the type 'custom', which is not taken over"],
    ['email', { body: ' {"type":"doc","content":[]}' }, 'is a mail of the block editor; write it again in HTML'],
    ['delay', { type: 'timed', cron: '0 9 * * *' }, 'waits in a form that is not taken over (timed)'],
    ['digest', {}, 'waits in a form that is not taken over (regular)'],
  ])('should not become a step of the type %s with %j', (type, values, fault) => {
    expect(() => stepOf(type, values)).toThrow(ControlFault);
    expect(() => stepOf(type, values)).toThrow(fault);
  });

  it('should say what a step does not take', () => {
    const values = {
      subject: 'a',
      body: 'b',
      from: { email: 'a@b.example' },
      replyTo: 'c',
      disableOutputSanitization: true,
    };
    expect(stepOf('email', values).dropped.map((text) => text.split(' ')[0])).toEqual([
      'disableOutputSanitization',
      'from.email',
      'replyTo',
    ]);
    // What clients send by themselves is nothing.
    const defaults = { subject: 'a', body: '<p>b</p>', editorType: 'block', disableOutputSanitization: false };
    expect(stepOf('email', defaults).dropped).toEqual([]);
  });

  it.each([
    [{ type: 'throttle' }, { type: 'fixed' }],
    [{ type: 'delay' }, { type: 'scheduled', delayPath: 'at' }],
    [{ type: 'email', content: [{ type: 'text', content: 'Hi' }] }, {}],
  ])('should not be those of %j', (template, metadata) => {
    expect(controlValuesOf({ template, metadata }, undefined)).toBeUndefined();
  });
});
