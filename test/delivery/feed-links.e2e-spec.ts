import { createWorkflow, feedOf, notificationOf, trigger } from '../support/delivery.js';
import { useHerald, useSession } from '../support/herald.js';

describe('links of in-app messages', () => {
  const herald = useHerald();
  const session = useSession(herald);

  const deliver = async (link: string): Promise<{ cta: unknown; text: string }> => {
    const buttons = [{ type: 'primary', content: 'Open', url: '{{link}}' }];
    const cta = { type: 'redirect', data: { url: '{{link}}' }, action: { buttons } };
    const { identifier } = await createWorkflow(session, [{ template: { type: 'in_app', content: 'Hello', cta } }]);
    const id = await trigger(session, { name: identifier, to: 'ann', payload: { link } });
    await herald.drain();
    const [message] = await feedOf(session, 'ann');
    return { cta: message?.['cta'], text: JSON.stringify((await notificationOf(session, id)).jobs) };
  };

  it.each([
    'javascript:alert(document.domain)',
    'JAVASCRIPT:alert(1)',
    ' java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
  ])('should not run code: %j', async (link) => {
    const { cta, text } = await deliver(link);
    expect(cta).toMatchObject({ data: { url: '' }, action: { buttons: [{ content: 'Open', url: '' }] } });
    expect(text).toContain('A link was removed');
    expect(text).toContain('cta.action.buttons.0.url');
  });

  it.each(['https://example.com/a', '/orders/1', 'mailto:a@example.com', 'tel:+15550100', 'myapp://orders/1'])(
    'should stay as they are: %s',
    async (link) => {
      const { cta, text } = await deliver(link);
      expect(cta).toMatchObject({ data: { url: link }, action: { buttons: [{ url: link }] } });
      expect(text).not.toContain('was removed');
    },
  );

  it.each([
    ['javascript:alert(1)', undefined],
    ['https://example.com/ann.png', 'https://example.com/ann.png'],
    ['data:image/png;base64,iVBORw0KGgo=', 'data:image/png;base64,iVBORw0KGgo='],
  ])('should not hide behind the picture of a subscriber: %s', async (avatar, shown) => {
    const { identifier } = await createWorkflow(session, [{ template: { type: 'in_app', content: 'Hello' } }]);
    await trigger(session, { name: identifier, to: { subscriberId: 'ann', avatar } });
    await herald.drain();
    const [message] = await feedOf(session, 'ann');
    expect((message?.['subscriber'] as { avatar?: string }).avatar).toBe(shown);
  });
});
