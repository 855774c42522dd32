import { drawing, glow, gradient, randomFrom, ridge, times } from './shared.ts';

const width = 2400;
const height = 1500;
const water = 980;

/** The inner harbour early in the morning: the Weigh House between its neighbours, boats, its light in the water. */
export function harbour(): string {
  const random = randomFrom(7);
  const defs = [
    gradient('sky', [
      [0, '#33566b'],
      [45, '#8aa7a3'],
      [72, '#e8c38d'],
      [100, '#f3dcb4'],
    ]),
    gradient('sea', [
      [0, '#d9b98c'],
      [18, '#7d9a97'],
      [100, '#1d3f4b'],
    ]),
    glow('sun', '#fff1cf', 0.95),
    glow('lamp', '#ffd28a', 0.9),
  ].join('');
  const roofs = times(9, (index) => house(60 + index * 270 + random() * 30, 250 + random() * 130, random));
  return drawing(
    width,
    height,
    defs,
    `<rect width="${width}" height="${height}" fill="url(#sky)"/>
    <circle cx="1720" cy="840" r="620" fill="url(#sun)"/><circle cx="1720" cy="800" r="74" fill="#fff4d8"/>
    ${times(14, (index) => cloud(random() * width, 150 + index * 38, random))}
    <path d="${ridge(width, water, 880, 120, 9, random)}" fill="#6d8b8d" opacity=".55"/>
    <g opacity=".82">${roofs}</g>
    ${weighHouse(1010)}
    <rect y="${water}" width="${width}" height="${height - water}" fill="url(#sea)"/>
    <g transform="translate(0 ${2 * water}) scale(1 -1)" opacity=".22">${weighHouse(1010)}${roofs}</g>
    ${times(230, () => ripple(random))}
    ${times(40, () => glint(1720, random))}
    ${boat(420, 1130, 1.25)}${boat(1830, 1080, 0.85)}${boat(2120, 1240, 1.5)}
    <path d="M0 1420h${width}v80H0z" fill="#122a33"/>${times(17, (index) => `<path d="M${80 + index * 146} 1420v-46h34v46z" fill="#122a33"/>`)}`,
  );
}

function house(x: number, high: number, random: () => number): string {
  const wide = 180 + random() * 60;
  const top = water - high;
  const colours = ['#8c5a48', '#a5705a', '#6c5f63', '#b98d6d', '#5d6d76'];
  const colour = colours[Math.floor(random() * colours.length)];
  const gable =
    random() < 0.5
      ? `l${wide / 2} -110l${wide / 2} 110`
      : `v-40h${wide * 0.2}v-44h${wide * 0.6}v44h${wide * 0.2}v40`;
  const windows = times(12, (index) => {
    const lit = random() < 0.25;
    const left = x + 26 + (index % 3) * ((wide - 40) / 3);
    return `<rect x="${left}" y="${top + 34 + Math.floor(index / 3) * 78}" width="28" height="46" fill="${lit ? '#ffd995' : '#2c3f49'}" opacity="${lit ? 0.95 : 0.6}"/>`;
  });
  return `<path d="M${x} ${water}V${top}${gable}V${water}z" fill="${colour}"/>${windows}`;
}

function weighHouse(x: number): string {
  const top = water - 330;
  const arches = times(5, (index) => {
    const left = x + 34 + index * 92;
    return `<path d="M${left} ${water}v-92a28 34 0 0 1 56 0v92z" fill="${index === 2 ? '#ffce85' : '#33291f'}"/>`;
  });
  const windows = times(
    10,
    (index) =>
      `<rect x="${x + 44 + (index % 5) * 92}" y="${top + 34 + Math.floor(index / 5) * 86}" width="36" height="58" fill="${index % 3 === 0 ? '#ffd995' : '#3b4d55'}"/>`,
  );
  return `<path d="M${x} ${water}V${top}h500v330z" fill="#d8c7a5"/>
    <path d="M${x - 24} ${top}L${x + 90} ${top - 190}h320l${114} 190z" fill="#8d4a35"/>
    <path d="M${x + 170} ${top}v-150h36v-66h36v-60h96v60h36v66h36v150z" fill="#e2d3b3"/>
    <path d="M${x + 226} ${top - 276}l54 -92 54 92z" fill="#8d4a35"/><path d="M${x + 280} ${top - 368}v-84" stroke="#4a3a2c" stroke-width="6"/>
    <path d="M${x + 280} ${top - 452}h58l-16 16 16 16h-58z" fill="#d9a441"/>
    <circle cx="${x + 290}" cy="${top - 110}" r="44" fill="#f7ecd2" stroke="#b8863a" stroke-width="9"/><path d="M${x + 290} ${top - 110}v-28M${x + 290} ${top - 110}l20 12" stroke="#2b241c" stroke-width="6"/>
    ${windows}${arches}<circle cx="${x + 246}" cy="${water - 60}" r="120" fill="url(#lamp)"/>`;
}

function cloud(x: number, y: number, random: () => number): string {
  return `<ellipse cx="${x}" cy="${y}" rx="${120 + random() * 320}" ry="${4 + random() * 12}" fill="#fff6e2" opacity="${0.1 + random() * 0.25}"/>`;
}

function ripple(random: () => number): string {
  const depth = random() ** 1.6;
  const y = water + 8 + depth * (height - water - 90);
  return `<rect x="${random() * width}" y="${y}" width="${20 + depth * 150}" height="${1 + depth * 5}" rx="3" fill="${random() < 0.5 ? '#f1dab0' : '#173742'}" opacity="${0.1 + random() * 0.25}"/>`;
}

function glint(x: number, random: () => number): string {
  const depth = random();
  const spread = 30 + depth * 120;
  return `<rect x="${x - spread + random() * spread}" y="${water + 6 + depth * 330}" width="${30 + random() * 90}" height="${2 + depth * 4}" rx="3" fill="#fff0c9" opacity="${0.75 - depth * 0.4}"/>`;
}

function boat(x: number, y: number, scale: number): string {
  return `<g transform="translate(${x} ${y}) scale(${scale})"><path d="M-120 0h240l-34 46h-168z" fill="#20333c"/><path d="M-118 0h236l-5 9h-226z" fill="#c7794f"/><path d="M-6 0v-230h9v230z" fill="#33261c"/><path d="M8 -222c70 70 88 140 92 196H8z" fill="#a8472c"/><path d="M-12 -200c-52 60 -74 120 -82 172h82z" fill="#bd5f3d" opacity=".9"/><ellipse cy="52" rx="130" ry="9" fill="#0f2a33" opacity=".5"/></g>`;
}
