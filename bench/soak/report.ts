import Type, { type Static } from 'typebox';
import type { TransportName } from '../../server/http/exchange/transport.ts';
import { spreadOf } from '../measure.ts';
import { environmentLine, markdownTable } from '../report.ts';
import type { Tally } from './normal.ts';

/** State of the server at one time. */
export interface Sample {
  readonly second: number;
  /** Memory of the server and of its render processes. */
  readonly residentMb: number;
  /** Of the server alone, without render processes. */
  readonly serverMb: number;
  readonly descriptors: number;
  /** Process numbers of the render processes. */
  readonly renderers: readonly number[];
}

/** By attack, and by what came of the attempts. */
export const HostileOutcomes = Type.Record(Type.String(), Type.Record(Type.String(), Type.Number()));
export type HostileOutcomes = Static<typeof HostileOutcomes>;

export interface SoakResult {
  readonly front: TransportName;
  readonly seconds: number;
  readonly deaths: number;
  readonly samples: readonly Sample[];
  /** After the load, when all its connections are closed. */
  readonly after: Sample;
  readonly tallies: ReadonlyMap<string, Tally>;
  readonly hostile: HostileOutcomes;
}

/**
 * Memory may grow by this factor from the third to the last quarter of the run. In the first half the caches fill,
 * which have their bounds.
 */
const mostGrowth = 1.05;

/** What is wrong with a result, one line each; empty if the goals are met. */
export function failuresOf({ deaths, samples, tallies }: SoakResult): string[] {
  const failures = deaths > 0 ? [`${deaths} deaths of the server`] : [];
  const lost = lostRenderers(samples);
  if (lost > 0) failures.push(`${lost} deaths of render processes`);
  for (const [kind, { serverErrors, faults }] of tallies) {
    for (const [status, times] of serverErrors) failures.push(`${kind}: ${times} times status ${status}`);
    for (const [reason, times] of faults) failures.push(`${kind}: ${times} times ${reason}`);
  }
  const growth = growthOf(samples);
  if (growth > mostGrowth)
    failures.push(`memory of the last quarter is ${growth.toFixed(2)} times that of the third`);
  return failures;
}

/** How many of the render processes seen were not there in the last sample. */
function lostRenderers(samples: readonly Sample[]): number {
  const seen = new Set(samples.flatMap(({ renderers }) => renderers));
  return seen.size - (samples.at(-1)?.renderers.length ?? 0);
}

/** Median memory of the last quarter of the run, divided by that of the third. */
function growthOf(samples: readonly Sample[]): number {
  const quarter = Math.floor(samples.length / 4);
  return medianMemory(samples.slice(-quarter)) / medianMemory(samples.slice(2 * quarter, 3 * quarter));
}

/** The result as text. */
export function soakText(result: SoakResult): string {
  const failures = failuresOf(result);
  return [
    `-front ${result.front}, ${environmentLine()}, ${result.seconds} s, ${result.deaths} deaths`,
    memoryLine(result),
    normalTable(result.tallies),
    memoryTable(result),
    hostileTable(result.hostile),
    failures.length === 0 ? 'Goals met.' : `Goals missed:\n${failures.map((line) => `- ${line}`).join('\n')}`,
  ].join('\n\n');
}

function normalTable(tallies: SoakResult['tallies']): string {
  const rows = [...tallies].map(([kind, { requests, serverErrors, faults, latenciesMs }]) => {
    const sorted = latenciesMs.toSorted((a, b) => a - b);
    const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(1);
    return [kind, String(requests), String(sum(serverErrors)), String(sum(faults)), at(0.5), at(0.99), at(1)];
  });
  return markdownTable(
    ['normal load', 'requests', '5xx', 'other faults', 'median, ms', 'p99, ms', 'most, ms'],
    rows,
  );
}

function sum(counts: ReadonlyMap<unknown, number>): number {
  return [...counts.values()].reduce((total, times) => total + times, 0);
}

/** Medians of a tenth of the samples, so that one moment says little. */
function memoryLine({ samples, after }: SoakResult): string {
  const tenth = Math.ceil(samples.length / 10);
  const middle = Math.floor((samples.length - tenth) / 2);
  const parts = [samples.slice(0, tenth), samples.slice(middle, middle + tenth), samples.slice(-tenth)];
  const [start, half, end] = parts.map((part) => medianMemory(part).toFixed(0));
  return `Memory: ${start} MB at the start, ${half} in the middle, ${end} at the end, ${after.residentMb.toFixed(0)} after the load.`;
}

function medianMemory(part: readonly Sample[]): number {
  return spreadOf(part.map(({ residentMb }) => residentMb)).median;
}

/** About twelve moments of the run, and the state after it. */
function memoryTable({ samples, after }: SoakResult): string {
  const step = Math.max(1, Math.ceil(samples.length / 12));
  const shown = samples.filter((_, index) => index % step === 0);
  const rowOf = (name: string, { residentMb, serverMb, renderers, descriptors }: Sample) => [
    name,
    residentMb.toFixed(0),
    serverMb.toFixed(0),
    String(renderers.length),
    String(descriptors),
  ];
  return markdownTable(
    ['second', 'memory, MB', 'server alone', 'its processes', 'descriptors'],
    [...shown.map((sample) => rowOf(String(sample.second), sample)), rowOf('after the load', after)],
  );
}

function hostileTable(hostile: HostileOutcomes): string {
  const rows = Object.entries(hostile).map(([name, outcomes]) => [
    name,
    Object.entries(outcomes)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([outcome, times]) => `${outcome}: ${times}`)
      .join(', '),
  ]);
  return markdownTable(['hostile load', 'outcomes'], rows);
}
