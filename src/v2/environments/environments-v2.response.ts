import { ApiProperty } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import type { PromotedChangeResponse, PromotionPreviewResponse } from '../../content/promotions/index.js';

const ACTIONS = { created: 'added', updated: 'modified', deleted: 'deleted' } as const;
const OBJECT = { type: 'object', additionalProperties: true } as const;
const OBJECTS = { type: 'array', items: OBJECT } as const;

export class EnvironmentTagResponse {
  /** A label of workflows. @example orders */
  name: string;
}

export class EnvironmentDiffResponse {
  /** Id of the environment that is taken from. */
  sourceEnvironmentId: string;
  /** Id of the environment that is compared with it. */
  targetEnvironmentId: string;
  /** What differs, in the order in which it is published, with the definitions before and after. */
  @ApiProperty(OBJECTS)
  resources: object[];
  /** Numbers of records that were compared, and that differ. */
  @ApiProperty({ ...OBJECT, example: { totalEntities: 12, totalChanges: 1, hasChanges: true } })
  summary: object;
}

export class EnvironmentPublishResponse {
  /** By kind: what was published, and what was not and why. */
  @ApiProperty(OBJECTS)
  results: object[];
  /** Numbers of records. */
  @ApiProperty({ ...OBJECT, example: { resources: 1, successful: 1, failed: 0, skipped: 0 } })
  summary: object;
}

export function showDiff(
  { changes, unchanged }: PromotionPreviewResponse,
  sourceEnvironmentId: string,
  targetEnvironmentId: string,
): EnvironmentDiffResponse {
  return shown(EnvironmentDiffResponse, {
    sourceEnvironmentId,
    targetEnvironmentId,
    resources: changes.map(diffOf),
    summary: {
      totalEntities: changes.length + unchanged,
      totalChanges: changes.length,
      hasChanges: changes.length > 0,
    },
  });
}

function diffOf({ kind, name, outcome, before, after }: PromotedChangeResponse): object {
  const action = ACTIONS[outcome];
  const named = { id: name, name };
  return {
    resourceType: kind,
    ...(after !== null && { sourceResource: named }),
    ...(before !== null && { targetResource: named }),
    changes: [{ resourceType: kind, action, diffs: { previous: before, new: after } }],
    summary: { added: 0, modified: 0, deleted: 0, unchanged: 0, [action]: 1 },
  };
}

interface Published {
  readonly done: readonly Pick<PromotedChangeResponse, 'kind' | 'name' | 'outcome'>[];
  readonly failed: readonly { readonly kind: string; readonly name: string; readonly fault: string }[];
}

export function showPublished({ done, failed }: Published): EnvironmentPublishResponse {
  const kinds = [...new Set([...done, ...failed].map(({ kind }) => kind))];
  const resource = (kind: string, name: string) => ({ resourceType: kind, resourceId: name, resourceName: name });
  const results = kinds.map((kind) => {
    const ofKind = <T extends { readonly kind: string }>(all: readonly T[]): T[] =>
      all.filter((one) => one.kind === kind);
    const successful = ofKind(done).map(({ name, outcome }) => ({ ...resource(kind, name), action: outcome }));
    const lost = ofKind(failed).map(({ name, fault }) => ({ ...resource(kind, name), error: fault }));
    const totalProcessed = successful.length + lost.length;
    return { resourceType: kind, successful, failed: lost, skipped: [], totalProcessed };
  });
  const numbers = { successful: done.length, failed: failed.length, skipped: 0 };
  return shown(EnvironmentPublishResponse, {
    results,
    summary: { resources: done.length + failed.length, ...numbers },
  });
}
