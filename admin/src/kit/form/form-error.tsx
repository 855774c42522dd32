import { useEffect, useRef } from 'react';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from './form-error.module.css';

/** What is wrong with a whole form, above its fields. It gets the focus, so that it is read out. */
export function FormError({ message }: { readonly message: string | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (message !== undefined) box.current?.focus();
  }, [message]);
  if (message === undefined) return null;
  return (
    <div ref={box} className={classes['error']} role="alert" tabIndex={-1}>
      <Icon name="warning-circle" size={20} />
      <span>{message}</span>
    </div>
  );
}
