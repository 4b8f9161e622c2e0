// Preloaded with `node --import` into a process whose clock is to be wrong by CLOCK_SHIFT_MS, while time passes as usual.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
const Right = Date;

globalThis.Date = new Proxy(Right, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [Right.now() + shiftMs] : args, newTarget),
  get: (target, key) => (key === 'now' ? () => Right.now() + shiftMs : Reflect.get(target, key)),
});
