import type { CSSProperties } from 'react';
import { countText } from '../../../base/i18n/numbers.ts';
import { shapes, size } from '../generated/world-map.ts';
import { countryName } from '../model/names.ts';
import classes from './world-map.module.css';

export interface WorldMapProps {
  /** Visitors by ISO 3166 code. */
  readonly visitors: ReadonlyMap<string, number>;
  onChoose(code: string): void;
}

/** Countries, darker with more visitors. For eyes and pointers: the list beside it has the same and links. */
export function WorldMap({ visitors, onChoose }: WorldMapProps) {
  const most = Math.max(1, ...visitors.values());
  return (
    <svg viewBox={`0 0 ${size.width} ${size.height}`} className={classes['map']} aria-hidden="true">
      {shapes.map(({ code, path }) => {
        const count = visitors.get(code) ?? 0;
        if (count === 0) return <path key={path} d={path} />;
        // By the root, because a few countries have most of the visitors.
        const style = { '--share': Math.round(Math.sqrt(count / most) * 100) } as CSSProperties;
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list has a link for each country
          <path key={path} d={path} data-share={code} style={style} onClick={() => onChoose(code)}>
            <title>{`${countryName(code)}: ${countText(count)}`}</title>
          </path>
        );
      })}
    </svg>
  );
}
