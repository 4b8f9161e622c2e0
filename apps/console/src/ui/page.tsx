import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useRefusals } from '../access/action-button.js';

interface Props {
  readonly title: string;
  /** Beside the heading: buttons and switches. */
  readonly actions?: ComponentChildren;
  /** Above the heading: the way back. */
  readonly above?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page with its heading, which gets the focus when the address changes, so that screen readers announce the page. */
export function Page({ title, actions, above, children }: Props): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const [path] = useLocation();
  const { Scope, report, notice } = useRefusals();
  // Before the page is seen: later, it would take the focus from what somebody has clicked since.
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [path]);
  useEffect(() => {
    document.title = `${title} · Herald console`;
  }, [title]);
  return (
    <Scope value={report}>
      {above && <div class="page-above">{above}</div>}
      <div class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div class="page-actions">{actions}</div>}
      </div>
      {notice}
      {children}
    </Scope>
  );
}
