/** @returns runs one change after the other */
export function queue(): <T>(change: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (change) => {
    const made = last.then(change);
    last = made.catch(() => undefined);
    return made;
  };
}
