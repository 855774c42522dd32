import { useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../base/i18n/index.ts';

interface EarlySearch {
  readonly text: string;
  /** What had the focus before. */
  readonly opener: Element | null;
}

let latest: EarlySearch | undefined;

/** What was typed while the code of the palette was on its way, once; undefined if that was there. */
export function takeEarlySearch(): EarlySearch | undefined {
  const taken = latest;
  latest = undefined;
  return taken;
}

/** Takes the keys in place of the palette until its code is there, so that none is lost. */
export function EarlySearchInput({ onClose }: { onClose(): void }) {
  const [opener] = useState(() => document.activeElement);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    latest = { text: '', opener };
    input.current?.focus();
  }, [opener]);
  return (
    <input
      ref={input}
      className="visually-hidden"
      aria-label={t('palette.title')}
      onChange={(event) => {
        latest = { text: event.currentTarget.value, opener };
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    />
  );
}
