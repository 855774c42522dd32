import { NumberInput } from '@mantine/core';
import type { KeyboardEvent, MouseEvent } from 'react';
import { t } from '../../base/i18n/index.ts';
import type { MediaFile } from '../../content/files.ts';
import { type Editable, type EditorStore, useField } from '../../editing/editor-store.ts';
import classes from './file-details.module.css';

/** How far an arrow moves the point, as a share of the image. */
const step = 0.02;

/** The point that crops keep: by click, by arrows, or as numbers. */
export function FocalPoint<Value extends Editable & MediaFile>({
  store,
}: {
  readonly store: EditorStore<Value>;
}) {
  const [x, setX] = useField(store, 'focus_x');
  const [y, setY] = useField(store, 'focus_y');
  const { url, updated_at } = store.base;
  const move = (nextX: number, nextY: number) => {
    // Type boundary: both fields of a file are numbers.
    setX(share(nextX) as typeof x);
    setY(share(nextY) as typeof y);
  };
  const press = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, -step],
      ArrowDown: [0, step],
    };
    const by = moves[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(x + by[0], y + by[1]);
  };
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    // A click by key has no place.
    if (event.detail === 0) return;
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    move((event.clientX - left) / width, (event.clientY - top) / height);
  };
  return (
    <div>
      <button
        type="button"
        className={classes['picture']}
        aria-label={t('media.focal')}
        onClick={click}
        onKeyDown={press}
      >
        <img src={`${url}?v=${updated_at}`} alt="" />
        <span className={classes['cross']} style={{ left: `${x * 100}%`, top: `${y * 100}%` }} />
      </button>
      <p className="meta line">{t('media.focalHelp')}</p>
      <div className={classes['axes']}>
        <NumberInput
          label={t('media.focalX')}
          min={0}
          max={100}
          decimalScale={0}
          value={Math.round(x * 100)}
          onChange={(value) => move(Number(value) / 100, y)}
        />
        <NumberInput
          label={t('media.focalY')}
          min={0}
          max={100}
          decimalScale={0}
          value={Math.round(y * 100)}
          onChange={(value) => move(x, Number(value) / 100)}
        />
      </div>
    </div>
  );
}

/** A share of the image, in hundredths. */
function share(value: number): number {
  return Math.round(Math.max(0, Math.min(1, value)) * 100) / 100;
}
