import { createHash } from 'node:crypto';
import { readPath } from '#libs/common';
import type { Run } from '../run/run.js';
import type { RunStep } from '../records/run-workflow.js';

/**
 * What a digest is about: the workflow's step, the subscriber and, where the step has a digestKey, its value in the
 * payload. Two runs with the same slot go into the same digest.
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
