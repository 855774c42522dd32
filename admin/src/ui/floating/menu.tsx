import type { FloatingPosition, MenuDividerProps, MenuItemProps, MenuLabelProps } from '@mantine/core';
import {
  type ComponentPropsWithRef,
  cloneElement,
  type HTMLAttributes,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useState,
} from 'react';
import { t } from '../../base/i18n/index.ts';
import { showToast } from '../messages/toasts.ts';
import { floatingParts, loadFloating, useFloatingParts } from './load.ts';

export interface MenuProps {
  /** What opens it. It is drawn at once, and stays the same one when the code of menus comes. */
  readonly button: ReactElement<HTMLAttributes<HTMLElement>>;
  readonly position: FloatingPosition;
  /** In pixels. Default: as wide as its items. */
  readonly width?: number;
  /** Its items, made of the parts below. */
  readonly children: ReactNode;
  onClose?(): void;
}

/** A button with a menu. Pressed before the code of menus is there, it opens as soon as that has come. */
export function Menu({ button, onClose, ...rest }: MenuProps) {
  const parts = useFloatingParts();
  const id = useId();
  const [target, setTarget] = useState<HTMLElement>();
  const [isOpen, setOpen] = useState(false);
  const isShown = isOpen && parts !== undefined;
  const change = (willOpen: boolean) => {
    setOpen(willOpen);
    if (!willOpen) onClose?.();
  };
  const press = (event: MouseEvent<HTMLElement>) => {
    button.props.onClick?.(event);
    setTarget(event.currentTarget);
    change(!isOpen);
    loadFloating().catch(() => {
      setOpen(false);
      showToast({ tone: 'failed', message: t('frame.menuFailed') });
    });
  };
  return (
    <>
      {cloneElement(button, {
        id,
        onClick: press,
        'aria-haspopup': 'menu',
        'aria-expanded': isShown,
        ...(isShown ? { 'aria-controls': `${id}-dropdown` } : {}),
      })}
      {parts !== undefined && target !== undefined && (
        <Dropdown id={id} target={target} isOpen={isOpen} onChange={change} {...rest} />
      )}
    </>
  );
}

interface DropdownProps extends Omit<MenuProps, 'button' | 'onClose'> {
  readonly id: string;
  readonly target: HTMLElement;
  readonly isOpen: boolean;
  onChange(isOpen: boolean): void;
}

function Dropdown({ id, target, isOpen, onChange, position, width, children }: DropdownProps) {
  const { Menu: Parts } = floatingParts();
  // Opened once it stands: it remembers then where the focus was, and is faded in.
  const [isStanding, setStanding] = useState(false);
  useEffect(() => setStanding(true), []);
  return (
    <Parts
      id={id}
      opened={isOpen && isStanding}
      onChange={onChange}
      position={position}
      {...(width === undefined ? {} : { width })}
    >
      <Parts.Target>
        <Standing element={target} />
      </Parts.Target>
      <Parts.Dropdown>{children}</Parts.Dropdown>
    </Parts>
  );
}

/** Stands in the menu for the button, which is drawn outside of it. */
function Standing({ element, ref }: { readonly element: HTMLElement; readonly ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element, [element]);
  return null;
}

export function MenuItem(props: MenuItemProps & ComponentPropsWithRef<'button'>) {
  const { Menu: Parts } = floatingParts();
  return <Parts.Item {...props} />;
}

export function MenuLabel(props: MenuLabelProps) {
  const { Menu: Parts } = floatingParts();
  return <Parts.Label {...props} />;
}

export function MenuDivider(props: MenuDividerProps) {
  const { Menu: Parts } = floatingParts();
  return <Parts.Divider {...props} />;
}
