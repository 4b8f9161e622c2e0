import { type ComponentChildren, type ComponentProps, createContext, type VNode } from 'preact';
import { useCallback, useContext, useLayoutEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useSession } from '../session.js';
import { type Operation, refusalOf } from './refusals.js';

type Report = (reason: string, count: 1 | -1) => void;
const RefusalReport = createContext<Report>(() => undefined);

/** Why the caller may not do something here; absent if they may. The page shows the reason above its content. */
function useRefusal(operation: Operation): string | undefined {
  const reason = refusalOf(operation, useSession());
  const report = useContext(RefusalReport);
  // Before the page is seen, so that nothing moves under the pointer.
  useLayoutEffect(() => {
    if (reason === undefined) return undefined;
    report(reason, 1);
    return () => report(reason, -1);
  }, [reason, report]);
  return reason;
}

interface Needs {
  /** The operation that follows, also if a dialog asks first. */
  readonly needs: Operation;
}

/** A button that leads to a change. It is off, and says why, where the role or the environment does not allow it. */
export function ActionButton({ needs, disabled, ...rest }: ComponentProps<'button'> & Needs): VNode {
  const refusal = useRefusal(needs);
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true || refusal !== undefined}
      {...(refusal !== undefined && { title: refusal })}
    />
  );
}

/** A link to a page where something is changed. */
export function ActionLink({ needs, href, class: className, children }: LinkProps): VNode {
  const refusal = useRefusal(needs);
  if (refusal === undefined) {
    return (
      <Link class={className} href={href}>
        {children}
      </Link>
    );
  }
  return (
    <button type="button" class={className.replace('button', '')} disabled title={refusal}>
      {children}
    </button>
  );
}

interface LinkProps extends Needs {
  readonly href: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** Fields that are sent with an operation. */
export function ActionFields({ needs, ...rest }: ComponentProps<'fieldset'> & Needs): VNode {
  const refusal = useRefusal(needs);
  return <fieldset {...rest} disabled={refusal !== undefined} title={refusal} />;
}

/** Of a page: each reason once, above its content, and what takes the reasons. */
export function useRefusals(): { Scope: typeof RefusalReport.Provider; report: Report; notice: VNode | undefined } {
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>({});
  const report = useCallback<Report>(
    (reason, count) => setCounts((before) => ({ ...before, [reason]: (before[reason] ?? 0) + count })),
    [],
  );
  const reasons = Object.keys(counts).filter((reason) => (counts[reason] ?? 0) > 0);
  const notice = reasons.length === 0 ? undefined : <p class="notice">{reasons.join(' ')}</p>;
  return { Scope: RefusalReport.Provider, report, notice };
}
