/** Stops the store of the run. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.heraldTestStore?.stop();
}
