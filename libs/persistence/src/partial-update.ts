export interface PartialUpdate {
  $set?: Record<string, unknown>;
  $unset?: Record<string, 1>;
}

/**
 * For PATCH: absent fields are kept, `null` is unset, everything else is set.
 * @param required fields that cannot be unset; `null` counts as absent
 */
export function partialUpdate(changes: object, required: readonly string[] = []): PartialUpdate {
  const $set: Record<string, unknown> = {};
  const $unset: Record<string, 1> = {};
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined || (value === null && required.includes(key))) continue;
    if (value === null) $unset[key] = 1;
    else $set[key] = value;
  }
  return {
    ...(Object.keys($set).length > 0 && { $set }),
    ...(Object.keys($unset).length > 0 && { $unset }),
  };
}

export function withoutNullish<T extends object>(values: T): { [K in keyof T]: Exclude<T[K], null> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], null>;
  };
}
