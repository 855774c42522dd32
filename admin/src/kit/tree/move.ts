/** Lifting rows of a tree and putting them down, by pointer or by keys: one gesture for both. */
import { type DragMoveEvent, MouseSensor, TouchSensor, useSensor, useSensors } from '@dnd-kit/core';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useState } from 'react';
import { activation, silent } from './drag-settings.ts';
import { findNearest, findNextPlace, type Place, type TreeRow, withoutLifted } from './rows.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A part of the screen beside the tree where rows can be dropped too. */
export interface DropOutside {
  begin(): void;
  /** Whether the pointer is over it. @param point in pixels of the window */
  isOver(point: Point): boolean;
  end(isDropped: boolean): void;
}

/** How rows of a tree are moved. Always the same object as long as the same can be moved. */
export interface TreeMove<Row extends TreeRow, At extends Place> {
  canDrag(row: Row): boolean;
  /** Keys of the rows that are lifted with a row; none if it stays. @param isDragged or lifted by keys */
  lift(row: Row, isDragged: boolean): readonly string[];
  /** All places for what is lifted, asked once for each lift. @param rest the rows without it */
  listPlaces(lifted: readonly string[], rest: readonly Row[]): readonly At[];
  /** Whether a closed row opens when something is held over it; default: all do. */
  canOpen?(row: Row): boolean;
  drop(place: At, lifted: readonly string[]): void;
  readonly words: MoveWords<Row, At>;
  readonly outside?: RefObject<DropOutside | null>;
}

/** What a screen reader says, and what the pointer carries. */
export interface MoveWords<Row extends TreeRow, At extends Place> {
  name(lifted: readonly string[]): string;
  lifted(lifted: readonly string[], places: readonly At[]): string;
  over(place: At, rest: readonly Row[]): string;
  /** Left out where the change itself is told. */
  dropped?(place: At): string;
  cancelled(): string;
}

export interface TreeMoveOptions<Row extends TreeRow, At extends Place> {
  readonly move: TreeMove<Row, At>;
  readonly rows: readonly Row[];
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly rowHeight: number;
  readonly levels: Levels;
  onToggle(row: Row, isOpen: boolean): void;
}

/** In pixels. */
export interface Levels {
  readonly width: number;
  /** Where the first level begins. */
  readonly start: number;
}

interface Gesture<Row extends TreeRow, At extends Place> {
  readonly lifted: readonly string[];
  readonly isDragged: boolean;
  readonly place: At | undefined;
  /** The pointer is over the other part, which knows the place. */
  readonly isOutside: boolean;
  /** The closed row under the pointer. */
  readonly closed: Row | undefined;
}

/** A closed row opens when something is held over it for so long. */
const openAfterMs = 600;

export function useTreeMove<Row extends TreeRow, At extends Place>(options: TreeMoveOptions<Row, At>) {
  const { move, rows, onToggle } = options;
  const [gesture, setGesture] = useState<Gesture<Row, At>>();
  const [announcement, announce] = useState('');
  const found = usePlaces(move, rows, gesture?.lifted);
  const { rest, places } = found;
  useHeldRow(gesture?.closed, onToggle);

  const begin = (keys: readonly string[], isDragged: boolean, place?: At) => {
    setGesture({ lifted: keys, isDragged, place, isOutside: false, closed: undefined });
    if (isDragged) move.outside?.current?.begin();
  };
  const finish = (isDropped: boolean) => {
    if (gesture === undefined) return;
    setGesture(undefined);
    const { place, isDragged, isOutside } = gesture;
    if (isDragged) move.outside?.current?.end(isDropped && isOutside);
    announce(isDropped ? (place && move.words.dropped?.(place)) || '' : move.words.cancelled());
    if (isDropped && place !== undefined) move.drop(place, gesture.lifted);
  };

  const onDragStart = (row: Row | undefined) => {
    const keys = row === undefined ? [] : move.lift(row, true);
    if (keys.length > 0) begin(keys, true);
  };
  const onDragMove = (event: DragMoveEvent) => {
    if (gesture !== undefined) setGesture(followPointer(event, options, gesture, found));
  };
  /** What is lifted by keys starts where it stands. */
  const liftByKeys = (row: Row | undefined) => {
    const keys = row === undefined ? [] : move.lift(row, false);
    if (keys.length === 0) return;
    const from = rows.findIndex(({ key }) => keys.includes(key));
    const all = move.listPlaces(keys, withoutLifted(rows, keys));
    begin(keys, false, findNearest(all, from, rows[from]?.level ?? 1));
    announce(move.words.lifted(keys, all));
  };
  /** True if the key was one of the move. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (gesture === undefined) return false;
    event.preventDefault();
    if (event.key === 'Enter' || event.key === ' ') finish(true);
    else if (event.key === 'Escape') finish(false);
    const next = gesture.place && findNextPlace(places, gesture.place, event.key);
    if (next !== undefined) {
      setGesture({ ...gesture, place: next });
      announce(move.words.over(next, rest));
    }
    return true;
  };
  const cancelKeys = () => {
    if (gesture?.isDragged === false) finish(false);
  };
  const context = {
    sensors: useSensors(useSensor(MouseSensor, activation.mouse), useSensor(TouchSensor, activation.touch)),
    onDragMove,
    onDragEnd: () => finish(true),
    onDragCancel: () => finish(false),
    accessibility: silent,
  };
  return { gesture, rest, announcement, context, onDragStart, onKeyDown, liftByKeys, cancelKeys };
}

/** The rows without what is lifted, and the places for it. */
interface FoundPlaces<Row extends TreeRow, At extends Place> {
  readonly rest: readonly Row[];
  readonly places: readonly At[];
}

function usePlaces<Row extends TreeRow, At extends Place>(
  move: TreeMove<Row, At>,
  rows: readonly Row[],
  lifted: readonly string[] | undefined,
): FoundPlaces<Row, At> {
  return useMemo(() => {
    if (lifted === undefined) return { rest: rows, places: [] };
    const rest = withoutLifted(rows, lifted);
    return { rest, places: move.listPlaces(lifted, rest) };
  }, [move, rows, lifted]);
}

/** The gesture where the pointer is now; the same one if nothing differs. */
function followPointer<Row extends TreeRow, At extends Place>(
  event: DragMoveEvent,
  options: TreeMoveOptions<Row, At>,
  gesture: Gesture<Row, At>,
  { rest, places }: FoundPlaces<Row, At>,
): Gesture<Row, At> {
  const { move } = options;
  const at = placeOfPointer(event, options);
  if (at === undefined) return gesture;
  const isOutside = move.outside?.current?.isOver(at.point) ?? false;
  const place = isOutside ? undefined : findNearest(places, at.gap, at.level);
  const over = isOutside ? undefined : rest[Math.floor(at.gap)];
  const isClosed = over?.hasChildren && !over.isOpen && (move.canOpen?.(over) ?? true);
  const closed = isClosed ? over : undefined;
  const isSame = place === gesture.place && isOutside === gesture.isOutside && closed === gesture.closed;
  return isSame ? gesture : { ...gesture, place, isOutside, closed };
}

/** Opens a closed row after a while, unless the pointer leaves it. */
function useHeldRow<Row>(closed: Row | undefined, onToggle: (row: Row, isOpen: boolean) => void): void {
  useEffect(() => {
    if (closed === undefined) return;
    const timer = setTimeout(() => onToggle(closed, true), openAfterMs);
    return () => clearTimeout(timer);
  }, [closed, onToggle]);
}

/** Where the pointer is: in the window, and among the rows and levels. */
function placeOfPointer<Row extends TreeRow, At extends Place>(
  { activatorEvent, delta }: DragMoveEvent,
  { scroller, rowHeight, levels }: TreeMoveOptions<Row, At>,
) {
  if (scroller.current === null) return undefined;
  const { left, top } = scroller.current.getBoundingClientRect();
  const start = pointOf(activatorEvent);
  const point = { x: start.x + delta.x, y: start.y + delta.y };
  return {
    point,
    gap: (point.y - top + scroller.current.scrollTop) / rowHeight,
    level: 1 + Math.max(0, point.x - left - levels.start) / levels.width,
  };
}

function pointOf(event: Event): Point {
  if (event instanceof MouseEvent) return { x: event.clientX, y: event.clientY };
  const touch = event instanceof TouchEvent ? event.touches[0] : undefined;
  return { x: touch?.clientX ?? 0, y: touch?.clientY ?? 0 };
}
