const width = 300;
const height = 48;

/** A line of values, the newest at the end. What it shows stands beside it in words. */
export function Sparkline({
  values,
  places,
}: {
  readonly values: readonly number[];
  readonly places: number;
}) {
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
