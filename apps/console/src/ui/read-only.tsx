import type { ComponentProps, VNode } from 'preact';
import { useSession } from '../session.js';

/** A button that changes a definition, which a read-only environment refuses. */
export function EditButton({ disabled, ...rest }: ComponentProps<'button'>): VNode {
  const { environment } = useSession();
  return <button type="button" {...rest} disabled={disabled === true || environment.isReadOnly} />;
}

/** On pages that change definitions. */
export function ReadOnlyNotice(): VNode | null {
  const { environment } = useSession();
  if (!environment.isReadOnly) return null;
  return <p class="notice">This environment is read-only. Changes come by promotion from another environment.</p>;
}
