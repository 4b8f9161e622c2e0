/** Stops the store of the run. */
export default async function globalTeardown() {
  await globalThis.heraldTestStore?.stop();
}
