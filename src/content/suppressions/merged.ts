/** The position of a row in a list that is newest first. */
export interface Place {
  readonly since: Date;
  readonly id: string;
}

/** Whether one stands before the other; rows of the same time stand in descending order of ids. */
export function isBefore(one: Place, other: Place): boolean {
  const difference = one.since.getTime() - other.since.getTime();
  return difference === 0 ? one.id > other.id : difference > 0;
}

/** Merges lists that are each in this order, reading no further than their rows are asked for. */
export async function* merged<T extends { readonly place: Place }>(
  lists: readonly AsyncGenerator<T>[],
): AsyncGenerator<T> {
  const heads = await Promise.all(lists.map(async (list) => ({ list, next: await list.next() })));
  try {
    for (;;) {
      let first: (typeof heads)[number] | undefined;
      for (const head of heads) {
        if (head.next.done === true) continue;
        if (first?.next.done !== false || isBefore(head.next.value.place, first.next.value.place)) first = head;
      }
      if (first === undefined || first.next.done === true) return;
      yield first.next.value;
      first.next = await first.list.next();
    }
  } finally {
    await Promise.all(lists.map((list) => list.return(undefined)));
  }
}

/** Opaque to clients. */
export function toCursor({ since, id }: Place): string {
  return Buffer.from(`${since.getTime()} ${id}`).toString('base64url');
}

export function fromCursor(text: string): Place | undefined {
  const [, time, id] =
    /^(\d{1,15}) ([a-z]+-[0-9a-f]{24}-[a-z_]+)$/.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  return time === undefined || id === undefined ? undefined : { since: new Date(Number(time)), id };
}
