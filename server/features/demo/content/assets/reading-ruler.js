// A ruler along the edge of long articles that says how far the reader has come, in centimetres of screen.

const PIXELS_PER_CENTIMETRE = 96 / 2.54;
// Pixels kept free of the reading: the header above, a margin below.
const TOP = 130;
const BOTTOM = 40;

/** Pixels of the style sheet in whole centimetres. */
export function centimetres(pixels) {
  return Math.round(pixels / PIXELS_PER_CENTIMETRE);
}

const article = document.querySelector('.article__body');
if (article) {
  const ruler = document.createElement('div');
  ruler.className = 'reading-ruler';
  ruler.setAttribute('aria-hidden', 'true');
  const reading = document.createElement('output');
  ruler.append(reading);
  document.body.append(ruler);

  const update = () => {
    const { scrollHeight, clientHeight } = document.documentElement;
    const share = scrollHeight > clientHeight ? window.scrollY / (scrollHeight - clientHeight) : 0;
    reading.textContent = `${centimetres(window.scrollY)} cm`;
    reading.style.top = `${TOP + Math.min(1, Math.max(0, share)) * (window.innerHeight - TOP - BOTTOM)}px`;
  };
  addEventListener('scroll', update, { passive: true });
  addEventListener('resize', update);
  update();
}
