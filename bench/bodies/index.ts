import { ApiError } from '../../server/base/errors.ts';
import { readJsonBody } from '../../server/http/json/json.ts';
import { environmentLine, markdownTable } from '../report.ts';
import { hostileBodies } from './hostile.ts';

/** Goal: longest time for which a body may keep the main thread from others, in milliseconds of processor time. */
const maxTurnMs = 20;
const rounds = 5;

interface Result {
  readonly name: string;
  readonly megabytes: number;
  readonly outcome: string;
  readonly longestTurnMs: number;
  readonly totalMs: number;
}

/** Reads costly JSON bodies and fails if one of them keeps the thread from others for too long. */
export async function runBodiesBench(): Promise<void> {
  const results: Result[] = [];
  for (const [name, text] of hostileBodies()) {
    const bytes = Buffer.from(text);
    // The first round of each also compiles code; the server pays for that once.
    const measured = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await measureBody(name, bytes));
    results.push(
      ...measured.toSorted((a, b) => a.longestTurnMs - b.longestTurnMs).slice(rounds >> 1, (rounds >> 1) + 1),
    );
  }
  const rows = results.map(({ name, megabytes, outcome, longestTurnMs, totalMs }) => [
    name,
    megabytes.toFixed(1),
    longestTurnMs.toFixed(1),
    totalMs.toFixed(0),
    outcome,
  ]);
  const head = ['body', 'MB', 'longest turn, CPU ms', 'in all, CPU ms', 'outcome'];
  console.log(`${environmentLine()}\n\n${markdownTable(head, rows)}`);
  const late = results.filter(({ longestTurnMs }) => longestTurnMs > maxTurnMs);
  if (late.length > 0)
    throw new Error(`more than ${maxTurnMs} ms in one turn: ${late.map(({ name }) => name).join(', ')}`);
}

/** Processor time and not the clock, so that other programs on the machine do not count. */
async function measureBody(name: string, bytes: Uint8Array): Promise<Result> {
  const start = cpuMs();
  let longestTurnMs = 0;
  let last = start;
  let isReading = true;
  const look = (): void => {
    const now = cpuMs();
    longestTurnMs = Math.max(longestTurnMs, now - last);
    last = now;
    if (isReading) setImmediate(look);
  };
  setImmediate(look);
  const outcome = await outcomeOf(bytes);
  isReading = false;
  look();
  return { name, megabytes: bytes.length / 2 ** 20, outcome, longestTurnMs, totalMs: cpuMs() - start };
}

async function outcomeOf(bytes: Uint8Array): Promise<string> {
  try {
    await readJsonBody(bytes);
    return 'read';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
