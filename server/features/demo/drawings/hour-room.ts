import { drawing, glow, gradient, randomFrom, times } from './shared.ts';

const width = 2200;
const height = 1320;

/** The Hour Room by lamplight: a wall of clocks, no two of which agree. */
export function hourRoom(): string {
  const random = randomFrom(40);
  const defs = [
    gradient('wall', [
      [0, '#4a2b2a'],
      [70, '#7a4436'],
      [100, '#5b3029'],
    ]),
    gradient('floor', [
      [0, '#5a3a25'],
      [100, '#2a190f'],
    ]),
    gradient('case', [
      [0, '#a06f42'],
      [100, '#5f3b20'],
    ]),
    glow('lamp', '#ffd692', 0.85),
  ].join('');
  const columns = 9;
  const clocks = times(columns * 3, (index) => {
    const x = 170 + (index % columns) * 233 + random() * 40;
    const y = 150 + Math.floor(index / columns) * 270 + random() * 50;
    return random() < 0.62 ? roundClock(x, y, 58 + random() * 38, random) : pendulumClock(x, y, random);
  });
  return drawing(
    width,
    height,
    defs,
    `<rect width="${width}" height="${height}" fill="url(#wall)"/>
    ${times(46, (index) => `<path d="M${index * 48} 0v1060" stroke="#3a201d" stroke-width="2" opacity=".5"/>`)}
    <circle cx="1100" cy="420" r="1050" fill="url(#lamp)" opacity=".8"/>
    ${clocks}
    <path d="M0 1060h${width}v260H0z" fill="url(#floor)"/><path d="M0 1040h${width}v24H0z" fill="#2f1c13"/>
    ${times(12, (index) => `<path d="M${index * 210 - 60} 1320l120 -256" stroke="#1d110a" stroke-width="3" opacity=".6"/>`)}
    <ellipse cx="1100" cy="1190" rx="900" ry="96" fill="url(#lamp)" opacity=".5"/>
    <g fill="#21140c"><path d="M520 1130h1160v34H520zM560 1164h44v120h-44zM1596 1164h44v120h-44zM1080 1164h40v112h-40z"/></g>
    <path d="M520 1124h1160v10H520z" fill="#c08a52"/>
    ${listener(880)}${listener(1330)}`,
  );
}

function hands(radius: number, random: () => number): string {
  const hour = random() * 360;
  const minute = random() * 360;
  return `<path d="M0 0v${-radius * 0.48}" transform="rotate(${hour})" stroke="#2a211a" stroke-width="7" stroke-linecap="round"/><path d="M0 0v${-radius * 0.76}" transform="rotate(${minute})" stroke="#2a211a" stroke-width="4" stroke-linecap="round"/><circle r="5" fill="#b8863a"/>`;
}

function face(radius: number, random: () => number): string {
  const marks = times(
    12,
    (index) =>
      `<path d="M0 ${-radius * 0.9}v${radius * (index % 3 === 0 ? 0.17 : 0.09)}" transform="rotate(${index * 30})" stroke="#4a3a2c" stroke-width="4"/>`,
  );
  return `<circle r="${radius}" fill="#f6ead0"/><circle r="${radius}" fill="none" stroke="#e0cfa8" stroke-width="5"/>${marks}${hands(radius, random)}`;
}

function roundClock(x: number, y: number, radius: number, random: () => number): string {
  const rims = ['#b8863a', '#6f4a2c', '#8f9aa0', '#a24a33'];
  const rim = rims[Math.floor(random() * rims.length)];
  return `<g transform="translate(${x} ${y})"><circle cx="9" cy="14" r="${radius + 17}" fill="#1b0e0c" opacity=".4"/><circle r="${radius + 16}" fill="${rim}"/><circle r="${radius + 7}" fill="#000" opacity=".22"/>${face(radius, random)}</g>`;
}

function pendulumClock(x: number, y: number, random: () => number): string {
  const swing = random() * 24 - 12;
  return `<g transform="translate(${x} ${y - 30}) scale(0.74)"><path d="M-62 -84h136v292h-136z" fill="#1b0e0c" opacity=".4"/><path d="M-72 -70l72 -58 72 58z" fill="url(#case)"/><path d="M-68 -72h136v268h-136z" fill="url(#case)"/><path d="M-46 66h92v112h-92z" fill="#1f1510"/>
    <g transform="translate(0 62) rotate(${swing})"><path d="M0 0v86" stroke="#d9a441" stroke-width="5"/><circle cy="88" r="17" fill="#e6b95a"/></g><g transform="translate(0 -4)">${face(52, random)}</g></g>`;
}

function listener(x: number): string {
  return `<g transform="translate(${x} 1128)" fill="#160d09"><path d="M-64 4q-10 -150 64 -164q74 14 64 164z"/><circle cy="-196" r="42"/></g>`;
}
