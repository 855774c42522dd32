import type { FloatingPosition } from '@mantine/core';
import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react';
import { useFloatingParts } from './load.ts';

/** How long the pointer rests before a tooltip comes, in milliseconds. */
const openDelayMs = 350;

/** What opens and closes it is told by `opened` alone. */
const noEvents = { hover: false, focus: false, touch: false };

/** Attributes beside its own are those of the element, so that it may be the button of a menu. */
export interface TooltipProps extends HTMLAttributes<HTMLElement> {
  readonly label: ReactNode;
  /** Default: above the element. */
  readonly position?: FloatingPosition;
  readonly disabled?: boolean;
  readonly children: ReactElement<HTMLAttributes<HTMLElement>>;
}

/**
 * A text beside an element while the mouse rests on it or the keyboard has led there. The element is drawn at once
 * and stays the same one when the code of tooltips comes, so it keeps the focus and a press that has begun.
 */
export function Tooltip({ label, position, disabled = false, children, ...given }: TooltipProps) {
  const parts = useFloatingParts();
  const id = useId();
  const [target, setTarget] = useState<HTMLElement>();
  const [phase, setPhase] = usePhase();
  const isShown = phase === 'open' && !disabled && parts !== undefined;
  const own = { ...children.props, ...given };
  return (
    <>
      {cloneElement(children, {
        ...given,
        onPointerEnter(event: PointerEvent<HTMLElement>) {
          own.onPointerEnter?.(event);
          if (disabled || event.pointerType === 'touch') return;
          setTarget(event.currentTarget);
          setPhase((current) => (current === 'open' ? current : 'waiting'));
        },
        onPointerLeave(event: PointerEvent<HTMLElement>) {
          own.onPointerLeave?.(event);
          setPhase('closed');
        },
        onPointerDown(event: PointerEvent<HTMLElement>) {
          own.onPointerDown?.(event);
          setPhase('closed');
        },
        onFocus(event: FocusEvent<HTMLElement>) {
          own.onFocus?.(event);
          if (disabled || !event.currentTarget.matches(':focus-visible')) return;
          setTarget(event.currentTarget);
          setPhase('open');
        },
        onBlur(event: FocusEvent<HTMLElement>) {
          own.onBlur?.(event);
          setPhase('closed');
        },
        ...(isShown ? { 'aria-describedby': id } : {}),
      })}
      {parts !== undefined && target !== undefined && (
        <parts.Tooltip
          target={target}
          opened={isShown}
          label={<span id={id}>{label}</span>}
          events={noEvents}
          {...(position === undefined ? {} : { position })}
        />
      )}
    </>
  );
}

type Phase = 'closed' | 'waiting' | 'open';

/** What waits opens after the delay; Escape closes what is open. */
function usePhase() {
  const [phase, setPhase] = useState<Phase>('closed');
  useEffect(() => {
    if (phase !== 'waiting') return;
    const timer = setTimeout(() => setPhase('open'), openDelayMs);
    return () => clearTimeout(timer);
  }, [phase]);
  useEffect(() => {
    if (phase !== 'open') return;
    const close = ({ key }: KeyboardEvent) => key === 'Escape' && setPhase('closed');
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [phase]);
  return [phase, setPhase] as const;
}
