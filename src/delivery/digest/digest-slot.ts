import { createHash } from 'node:crypto';
import type { Run } from '../run/run.js';
import type { RunStep } from '../run/run-workflow.js';

/**
 * What a digest is about: the workflow's step, the subscriber and, where the step has a digestKey, its value in the
 * payload (decisions 6.8). Two runs with the same slot go into the same digest.
 */
export function digestSlot({ record, event }: Run, step: RunStep): string {
  const { digestKey } = step.metadata;
  const value = digestKey === undefined || digestKey === '' ? undefined : readPath(event.payload, digestKey);
  return createHash('sha256')
    .update(record._templateId.id)
    .update(step._id.id)
    .update(record._subscriberId.id)
    .update(JSON.stringify(value) ?? '')
    .digest('base64url');
}

/** Own properties only; a key that holds dots itself wins over the path. */
function readPath(root: unknown, path: string): unknown {
  if (hasOwn(root, path)) return root[path];
  let value: unknown = root;
  for (const segment of path.split('.')) {
    if (!hasOwn(value, segment)) return undefined;
    value = value[segment];
  }
  return value;
}

function hasOwn(value: unknown, key: string): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}
