import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { Icon } from '../../ui/icons/icon.tsx';
import classes from './drop-zone.module.css';

export interface DropZoneProps {
  readonly children: ReactNode;
  onFiles(files: readonly File[]): void;
}

/** A part of the screen that takes files by drop, and by paste anywhere. */
export function DropZone({ children, onFiles }: DropZoneProps) {
  // Entering a child comes before leaving the parent, so both are counted.
  const [depth, setDepth] = useState(0);
  const take = useRef(onFiles);
  take.current = onFiles;
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take.current(files);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
  const whenFiles = (act: () => void) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    act();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button for uploads does the same
    <div
      className={classes['zone']}
      onDragEnter={whenFiles(() => setDepth((before) => before + 1))}
      onDragLeave={whenFiles(() => setDepth((before) => Math.max(0, before - 1)))}
      onDragOver={whenFiles(() => {})}
      onDrop={(event) => {
        const files = [...event.dataTransfer.files];
        if (files.length === 0) return;
        event.preventDefault();
        setDepth(0);
        onFiles(files);
      }}
    >
      {children}
      {depth > 0 && (
        <div className={classes['hint']}>
          <Icon name="upload-simple" size={20} /> {t('media.dropHere')}
        </div>
      )}
    </div>
  );
}
