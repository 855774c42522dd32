// Outputs: the high and low waters of some days, what is wrong with the question.
const { from, days } = Object(msg.payload);
const count = Number(days);
// The clock of the harbour knows no time zone, so its hours are reckoned as if they were those of Greenwich.
const start = /^\d{4}-\d\d-\d\d$/.test(from) ? Date.parse(`${from}T00:00Z`) : Number.NaN;
if (Number.isNaN(start)) return [null, { payload: { error: 'from is no date, such as 2026-06-04' } }];
if (![1, 2, 3, 4, 5, 6, 7].includes(count)) return [null, { payload: { error: 'days is no number from 1 to 7' } }];

const hour = 3_600_000;
const day = 24 * hour;
/** From a high water to the next low water, and from one spring tide to the next. */
const halfTide = 6.2103 * hour;
const springs = 14.765 * day;
/** A high water of a full moon. */
const highWater = Date.UTC(2000, 0, 21, 4, 44);

return [{ payload: { harbour: 'Vessmar', days: Array.from({ length: count }, (_, index) => dayFrom(start + index * day)) } }, null];

function dayFrom(midnight) {
  const tides = [];
  for (let number = Math.ceil((midnight - highWater) / halfTide); ; number += 1) {
    const time = highWater + number * halfTide;
    if (time >= midnight + day) return { date: new Date(midnight).toISOString().slice(0, 10), tides };
    const isHigh = number % 2 === 0;
    // The moon alone raises the water by 0.95 m; the sun helps at full and new moon, and hinders between them.
    const swing = 0.95 + 0.25 * Math.cos((2 * Math.PI * (time - highWater)) / springs);
    const height = Number((1.3 + (isHigh ? swing : -swing)).toFixed(2));
    tides.push({ kind: isHigh ? 'high' : 'low', time: new Date(time).toISOString().slice(11, 16), height });
  }
}
