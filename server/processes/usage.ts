import { readFileSync } from 'node:fs';

export interface ProcessUsage {
  /** Memory in MB. */
  readonly residentMb: number;
  /** Processor time of all its threads since its start, in milliseconds, in steps of 10. */
  readonly cpuMs: number;
}

/** What a process uses; undefined where the system does not tell (only Linux does), or if it is gone. */
export function findProcessUsage(pid: number | undefined): ProcessUsage | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      residentMb: findResidentMb(pid) ?? 0,
      cpuMs: (Number(fields[userTime]) + Number(fields[systemTime])) * tickMs,
    };
  } catch {
    return undefined;
  }
}

/**
 * Memory of a process in MB; undefined as for {@link findProcessUsage}. It is looked at 40 times a second: as UTF-8, Node.js reads
 * a file without a buffer of 64 KB for each read.
 */
export function findResidentMb(pid: number | undefined): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return undefined;
  }
}

/** Positions after the name of the program (`man 5 proc_pid_stat`). */
const userTime = 11;
const systemTime = 12;
/** Linux counts in hundredths of a second, whatever its kernel was built with. */
const tickMs = 10;
