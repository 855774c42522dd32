import { drawing, glow, gradient, randomFrom, ridge, times } from './shared.ts';

const width = 2400;
const height = 1350;
const horizon = 640;

/** Low water at night: the moon, the old gauge stone, and people with lamps on the sand. */
export function lowTide(): string {
  const random = randomFrom(21);
  const defs = [
    gradient('night', [
      [0, '#0b1b2b'],
      [60, '#27506a'],
      [100, '#6f93a0'],
    ]),
    gradient('sand', [
      [0, '#6d8a93'],
      [25, '#4b5f63'],
      [100, '#1c2426'],
    ]),
    glow('moon', '#f6efd6', 0.75),
    glow('lamp', '#ffbf66', 0.95),
  ].join('');
  return drawing(
    width,
    height,
    defs,
    `<rect width="${width}" height="${height}" fill="url(#night)"/>
    ${times(170, () => star(random))}
    <circle cx="640" cy="260" r="420" fill="url(#moon)"/><circle cx="640" cy="260" r="92" fill="#fbf4dd"/><circle cx="610" cy="236" r="17" fill="#e4dabb"/><circle cx="668" cy="290" r="24" fill="#e9dfc3"/>
    <path d="${ridge(width, horizon, 628, 70, 11, random)}" fill="#16303e"/>
    <rect y="${horizon}" width="${width}" height="${height - horizon}" fill="url(#sand)"/>
    ${times(26, () => pool(random))}
    ${times(60, () => sheen(random))}
    ${times(300, () => rill(random))}
    ${gaugeStone(1660, 1010)}
    ${person(1180, 1120, 1.35)}${person(1330, 1085, 1.15)}${person(900, 980, 0.8)}${person(2040, 1060, 1)}${person(2130, 1085, 1.12)}`,
  );
}

function star(random: () => number): string {
  return `<circle cx="${random() * width}" cy="${random() ** 1.4 * 560}" r="${0.8 + random() * 2.2}" fill="#fdf6e0" opacity="${0.3 + random() * 0.6}"/>`;
}

function pool(random: () => number): string {
  const depth = random();
  const y = horizon + 30 + depth * 620;
  return `<ellipse cx="${random() * width}" cy="${y}" rx="${90 + depth * 330}" ry="${5 + depth * 26}" fill="#9bb9bf" opacity="${0.18 + random() * 0.22}"/>`;
}

/** The moon in the wet sand. */
function sheen(random: () => number): string {
  const depth = random();
  const spread = 40 + depth * 190;
  return `<rect x="${640 - spread + random() * spread * 1.6}" y="${horizon + 8 + depth * 560}" width="${40 + random() * 150}" height="${2 + depth * 6}" rx="4" fill="#f6efd6" opacity="${0.65 - depth * 0.45}"/>`;
}

function rill(random: () => number): string {
  const depth = random() ** 0.7;
  const y = horizon + 20 + depth * 690;
  const long = 30 + depth * 160;
  const x = random() * width;
  return `<path d="M${x} ${y}q${long / 2} ${4 + depth * 9} ${long} 0" fill="none" stroke="${random() < 0.6 ? '#0f1719' : '#b9cfd1'}" stroke-width="${1 + depth * 3}" opacity="${0.12 + random() * 0.2}"/>`;
}

function gaugeStone(x: number, foot: number): string {
  const marks = times(13, (index) => {
    const y = foot - 60 - index * 42;
    return `<path d="M${x - 52} ${y}h${index % 4 === 0 ? 74 : 40}" stroke="#dfe6e2" stroke-width="7" opacity=".85"/>`;
  });
  return `<ellipse cx="${x}" cy="${foot + 6}" rx="210" ry="26" fill="#0e1516" opacity=".6"/>
    <path d="M${x - 78} ${foot}l16 -600q62 -52 124 0l16 600z" fill="#3b4a4d"/><path d="M${x + 20} ${foot}l6 -624q24 6 36 24l16 600z" fill="#233033"/>
    <path d="M${x - 76} ${foot}l6 -190q70 20 146 0l4 190z" fill="#1f3a2d" opacity=".75"/>${marks}`;
}

function person(x: number, y: number, scale: number): string {
  return `<g transform="translate(${x} ${y}) scale(${scale})"><ellipse cx="18" cy="6" rx="150" ry="34" fill="url(#lamp)"/><circle cx="52" cy="-62" r="120" fill="url(#lamp)"/>
    <path d="M-20 0l4 -92q-14 -60 18 -74q36 10 26 74l8 92h-20l-8 -62 -8 62z" fill="#10171b"/><circle cx="4" cy="-182" r="20" fill="#10171b"/><path d="M18 -140q30 18 36 56" stroke="#10171b" stroke-width="11" fill="none"/>
    <path d="M44 -84h18l5 34h-28z" fill="#ffe2a6"/><path d="M43 -88h20v6h-20zM38 -52h30v6h-30z" fill="#20160c"/></g>`;
}
