import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { t } from '../../../base/i18n/index.ts';
import 'uplot/dist/uPlot.min.css';
import { countText } from '../../../base/i18n/numbers.ts';
import { toUnixSeconds } from '../../../content/period.ts';
import { dateText } from '../model/names.ts';
import type { Series } from './series.ts';
import classes from './visits-chart.module.css';

export interface VisitsChartProps {
  readonly label: string;
  readonly days: readonly string[];
  readonly series: readonly Series[];
}

const height = 220;

/** Lines over days. The pointer reads single days; the table beside it has them all. */
export function VisitsChart({ label, days, series }: VisitsChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const box = useElementSize();
  const scheme = useComputedColorScheme();
  const [hovered, setHovered] = useState<number>();
  const plot = useRef<uPlot>(undefined);
  // The values come as new lists with every drawing.
  const data = JSON.stringify([days, series]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `data` stands for `days` and `series`, `scheme` for the colours
  useEffect(() => {
    if (host.current === null) return;
    const made = new uPlot(optionsOf(host.current, series, setHovered), dataOf(days, series), host.current);
    plot.current = made;
    return () => {
      plot.current = undefined;
      made.destroy();
    };
  }, [data, scheme]);
  useEffect(() => {
    if (box.width > 0) plot.current?.setSize({ width: box.width, height });
  }, [box.width]);

  const day = hovered === undefined ? undefined : days[hovered];
  return (
    <figure className={classes['chart']} aria-label={label} style={{ margin: 0 }}>
      <ul className={classes['legend']} aria-hidden="true">
        <li className="quiet">{day === undefined ? t('statistics.allDays') : dateText(day)}</li>
        {series.map(({ id, label: name, values }) => (
          <li key={id}>
            <span className={classes['sample']} data-series={id} />
            {name}
            <b>{countText(hovered === undefined ? sumOf(values) : (values[hovered] ?? 0))}</b>
          </li>
        ))}
      </ul>
      <div ref={box.ref}>
        <div ref={host} className={classes['plot']} aria-hidden="true" />
      </div>
    </figure>
  );
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function dataOf(days: readonly string[], series: readonly Series[]): uPlot.AlignedData {
  return [days.map(toUnixSeconds), ...series.map(({ values }) => [...values])];
}

/** Colours come from the theme, which a canvas cannot read by itself. */
function optionsOf(
  element: HTMLElement,
  series: readonly Series[],
  onHover: (index: number | undefined) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const strokes = { visitors: color('teal'), views: color('slate'), before: color('muted') };
  const axis: uPlot.Axis = {
    stroke: color('muted'),
    grid: { stroke: color('line'), width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  };
  return {
    width: Math.max(240, element.clientWidth),
    height,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { x: { time: true }, y: { range: (_plot, _min, max) => [0, Math.max(4, max * 1.1)] } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        // Whole days only.
        incrs: [1, 2, 7, 14, 30, 61, 91, 182, 365].map((days) => days * 86_400),
        values: (_plot, splits) =>
          splits.map((at) => dateText(new Date(at * 1000).toISOString().slice(0, 10), true)),
      },
      {
        ...axis,
        size: 48,
        // Visits are whole numbers.
        incrs: [1, 2, 5]
          .flatMap((step) => Array.from({ length: 9 }, (_, power) => step * 10 ** power))
          .sort(ascending),
        values: (_plot, splits) => splits.map(countText),
      },
    ],
    series: [
      {},
      ...series.map(({ id }) => ({
        stroke: strokes[id],
        width: 2,
        ...(id === 'before' ? { dash: [4, 4] } : {}),
        ...(id === 'visitors' ? { fill: `${strokes.visitors}22` } : {}),
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onHover(cursor.idx ?? undefined)] },
  };
}

function ascending(left: number, right: number): number {
  return left - right;
}
