import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiFailure } from '../../../api/failure.ts';
import { failureText } from '../../../api/failure-text.ts';
import { currentLanguage, t, timeText } from '../../../base/i18n/index.ts';
import { sizeText } from '../../../base/i18n/size-text.ts';
import { Strip } from '../../../ui/messages/strip.tsx';
import { Facts } from '../../../ui/values/facts.tsx';
import { computeFigures, type Figures, type Reading } from './figures.ts';
import classes from './metrics.module.css';
import { Metrics } from './parse.ts';

/** How often the figures are read, in milliseconds, and how many readings the line shows. */
const everyMs = 5000;
const keptReadings = 61;

/** What the server does at the moment. */
export function MetricsSection() {
  const { data, error } = useQuery({
    queryKey: ['metrics'],
    queryFn: readMetrics,
    refetchInterval: everyMs,
    staleTime: 0,
    gcTime: 0,
  });
  const [readings, setReadings] = useState<readonly Reading[]>([]);
  useEffect(() => {
    if (data !== undefined) setReadings((before) => [...before, data].slice(-keptReadings));
  }, [data]);
  const last = readings.at(-1);
  if (last === undefined) return error === null ? null : <Strip tone="brick">{failureText(error)}</Strip>;
  const rates = readings
    .slice(1)
    .map((reading, index) => computeFigures(reading, readings[index]).requestsPerSecond);
  const figures = computeFigures(last, readings.at(-2));
  return (
    <div className={classes['metrics']}>
      <p className="quiet line">{t('metrics.help')}</p>
      <h2>{t('metrics.requests')}</h2>
      <Sparkline values={rates} places={keptReadings - 1} />
      <FigureGroup
        figures={figures}
        names={['requestsPerSecond', 'requests', 'serverErrors', 'cacheShare']}
      />
      <h2>{t('metrics.process')}</h2>
      <FigureGroup
        figures={figures}
        names={['startedAt', 'processor', 'memoryBytes', 'heapBytes', 'delaySeconds']}
      />
      <h2>{t('metrics.work')}</h2>
      <FigureGroup
        figures={figures}
        names={['workers', 'tasksUnfinished', 'taskSeconds', 'changes', 'changesWaiting', 'commitSeconds']}
      />
      <h2>{t('metrics.databases')}</h2>
      <FigureGroup figures={figures} names={['contentBytes', 'activityBytes']} />
      <div className="bar">
        <a href="/metrics" target="_blank" rel="noopener">
          {t('metrics.raw')}
        </a>
      </div>
    </div>
  );
}

/** @throws ApiFailure */
async function readMetrics(): Promise<Reading> {
  const response = await fetch('/metrics').catch(() => {
    throw ApiFailure.offline();
  });
  if (!response.ok) throw new ApiFailure(response.status, {});
  return { at: Date.now(), metrics: Metrics.parse(await response.text()) };
}

interface FigureGroupProps {
  readonly figures: Figures;
  readonly names: readonly (keyof Figures)[];
}

function FigureGroup({ figures, names }: FigureGroupProps) {
  return (
    <Facts
      facts={names.map((name) => {
        const value = figures[name];
        return [t(`metrics.names.${name}`), value === undefined ? '–' : forms[name](value)];
      })}
    />
  );
}

const number = (options: Intl.NumberFormatOptions) => (value: number) =>
  value.toLocaleString(currentLanguage(), options);
const whole = number({ maximumFractionDigits: 0 });
const percent = number({ style: 'percent', maximumFractionDigits: 1 });
const milliseconds = (seconds: number) => `${number({ maximumFractionDigits: 1 })(seconds * 1000)} ms`;

/** How each figure is written. */
const forms: Readonly<Record<keyof Figures, (value: number) => string>> = {
  startedAt: timeText,
  requests: whole,
  requestsPerSecond: number({ maximumFractionDigits: 1 }),
  serverErrors: whole,
  cacheShare: percent,
  processor: percent,
  memoryBytes: sizeText,
  heapBytes: sizeText,
  delaySeconds: milliseconds,
  workers: whole,
  tasksUnfinished: whole,
  taskSeconds: milliseconds,
  changes: whole,
  changesWaiting: whole,
  commitSeconds: milliseconds,
  contentBytes: sizeText,
  activityBytes: sizeText,
};

const width = 300;
const height = 48;

/** A line of values, the newest at the end. What it shows stands beside it in words. */
function Sparkline({ values, places }: { readonly values: readonly number[]; readonly places: number }) {
  const most = Math.max(1, ...values);
  const step = width / Math.max(1, places - 1);
  const start = places - values.length;
  const points = values.map(
    (value, index) =>
      `${((start + index) * step).toFixed(1)},${(height - (value / most) * (height - 4) - 2).toFixed(1)}`,
  );
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-hidden="true">
      <path d={`M0 ${height - 1}H${width}`} stroke="var(--control-line)" />
      {points.length > 1 && (
        <polyline points={points.join(' ')} fill="none" stroke="var(--teal)" strokeWidth={2} />
      )}
    </svg>
  );
}
