import type { CDPSession } from 'playwright-core';

/** What the browser has done while something was done to it. Times are processor time of the thread, in milliseconds. */
export interface Traced {
  /** Single runs of script: a handler, a frame, a timer; without style and layout that they ask for. */
  readonly scripts: readonly number[];
  /** All style and layout together. */
  readonly layoutMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** In microseconds. */
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

const scriptNames: ReadonlySet<string> = new Set([
  'EventDispatch',
  'FunctionCall',
  'FireAnimationFrame',
  'RunMicrotasks',
  'TimerFire',
]);
const layoutNames: ReadonlySet<string> = new Set(['Layout', 'UpdateLayoutTree']);

/** Records what the page does meanwhile. Processor time does not depend on what else the machine does. */
export async function traced(client: CDPSession, act: () => Promise<void>): Promise<Traced> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }) => {
    // Type boundary: the browser sends events in this form.
    events.push(...(value as TraceEvent[]));
  };
  client.on('Tracing.dataCollected', collect);
  const includedCategories = ['devtools.timeline'];
  await client.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  await act();
  const complete = new Promise((done) => client.once('Tracing.tracingComplete', done));
  await client.send('Tracing.end');
  await complete;
  client.off('Tracing.dataCollected', collect);
  return summaryOf(ofBusiestThread(events));
}

/** The events of the page: no other thread runs as much script. */
function ofBusiestThread(events: readonly TraceEvent[]): readonly TraceEvent[] {
  const byThread = Map.groupBy(
    events.filter(({ ph }) => ph === 'X'),
    ({ pid, tid }) => `${pid} ${tid}`,
  );
  const count = (list: readonly TraceEvent[]) => list.filter(({ name }) => scriptNames.has(name)).length;
  const [busiest = []] = [...byThread.values()].sort((left, right) => count(right) - count(left));
  return busiest.sort((left, right) => left.ts - right.ts || (right.dur ?? 0) - (left.dur ?? 0));
}

function summaryOf(events: readonly TraceEvent[]): Traced {
  const scripts: number[] = [];
  let layoutMs = 0;
  let scriptEnd = 0;
  let layoutEnd = 0;
  for (const { name, ts, dur = 0, tdur = dur } of events) {
    const ms = tdur / 1000;
    if (layoutNames.has(name) && ts >= layoutEnd) {
      layoutMs += ms;
      layoutEnd = ts + dur;
      // A measurement that reads or sets a place makes the browser lay out at once what the page has changed.
      if (ts < scriptEnd) scripts[scripts.length - 1] = (scripts.at(-1) ?? 0) - ms;
    }
    // Script inside of other script counts with that.
    if (!scriptNames.has(name) || ts < scriptEnd) continue;
    scripts.push(ms);
    scriptEnd = ts + dur;
  }
  return { scripts, layoutMs };
}
