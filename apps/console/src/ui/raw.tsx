import type { VNode } from 'preact';
import { prettyJson } from './pretty-json.js';

/** A value or a JSON text, indented, in a box that scrolls by itself. */
export function Raw({ value, label }: { value: unknown; label?: string }): VNode {
  return (
    <pre class="raw" tabIndex={0} aria-label={label}>
      {prettyJson(value)}
    </pre>
  );
}
