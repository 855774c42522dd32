/**
 * Loaded before the program (`NODE_OPTIONS=--import=...?at=<Unix ms>`): its clock goes on from the moment when a state
 * was written. So nothing in it has become too old, and answers are the same on any day.
 */
const RealDate = Date;
const ahead = Number(new URL(import.meta.url).searchParams.get('at')) - RealDate.now();

const now = (): number => RealDate.now() + ahead;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
