import { useLocalStorage } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import classes from './split-pane.module.css';
import { useIsTight } from './use-media.ts';

export interface SplitPaneProps {
  /** Under which the width is kept in this browser. */
  readonly id: string;
  readonly label: string;
  /** Widths of the sized pane in pixels: the least, the first, the most. */
  readonly widths: readonly [number, number, number];
  readonly first: ReactNode;
  readonly children: ReactNode;
  /** The pane at the end is the sized one, and the first has at least so many pixels. */
  readonly restMin?: number;
  /** On a tablet held upright the panes stand one above the other, as on a phone. */
  readonly isStackedUpright?: boolean;
  /** In place of both where there is no room for two. Default: they stay, on a phone one above the other. */
  readonly narrow?: ReactNode;
}

/** Change of width by a key, in pixels. */
const step = 16;

/** Two panes with a splitter: drag it, move it by arrows, double click puts it back. */
export function SplitPane({ narrow, ...panes }: SplitPaneProps) {
  const isTight = useIsTight();
  return isTight && narrow !== undefined ? narrow : <Panes {...panes} />;
}

function Panes({
  id,
  label,
  widths: [min, initial, max],
  first,
  children,
  restMin,
  isStackedUpright = false,
}: Omit<SplitPaneProps, 'narrow'>) {
  const isEndSized = restMin !== undefined;
  const [width, setWidth] = useLocalStorage({
    key: `ic-width-${id}`,
    defaultValue: initial,
    getInitialValueInEffect: false,
  });
  const box = useRef<HTMLDivElement>(null);
  const change = (next: number) => setWidth(Math.round(Math.max(min, Math.min(max, next))));
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const bounds = box.current?.getBoundingClientRect();
    if (bounds === undefined) return;
    change(isEndSized ? bounds.right - event.clientX : event.clientX - bounds.left);
  };
  const press = (event: KeyboardEvent) => {
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    change(width + direction * step * (isEndSized ? -1 : 1));
  };
  const sized = { flex: `0 1 ${width}px` };
  const rest = { minWidth: `min(${restMin ?? 0}px, 100%)` };
  return (
    <div ref={box} className={classes['split']} data-upright={isStackedUpright || undefined}>
      <div className={classes['pane']} style={isEndSized ? rest : sized}>
        {first}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a separator that moves is no hr */}
      <div
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={label}
        aria-valuenow={width}
        aria-valuemin={min}
        aria-valuemax={max}
        className={classes['handle']}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={press}
        onDoubleClick={() => setWidth(initial)}
      />
      <div className={classes['pane']} style={isEndSized ? sized : rest}>
        {children}
      </div>
    </div>
  );
}
