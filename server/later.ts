/** Runs `task` after a time in milliseconds; the returned function cancels it. */
export type Later = (ms: number, task: () => void) => () => void;

/** By the timers of the system. */
export const afterTime: Later = (ms, task) => {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
};
