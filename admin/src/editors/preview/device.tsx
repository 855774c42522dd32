/** The width in which a page is looked at: that of a device, or of the pane. */

import { SegmentedControl } from '@mantine/core';
import { useElementSize, useLocalStorage } from '@mantine/hooks';
import type { CSSProperties } from 'react';
import { t } from '../../base/i18n/index.ts';

/** Widths in pixels; `fit` is that of the pane. */
const widths = { fit: 0, '390': 390, '768': 768, '1280': 1280 } as const;
type Width = keyof typeof widths;

export interface Device {
  readonly width: Width;
  setWidth(width: Width): void;
  /** How small the page is drawn; 1 is its real size. */
  readonly scale: number;
  /** The element around the frame, whose size counts. */
  readonly stage: ReturnType<typeof useElementSize>['ref'];
  /** Size and place of the frame in the stage. */
  readonly frameStyle: CSSProperties;
}

/** @param key under which the choice is kept in this browser */
export function useDevice(key: string): Device {
  const [width, setWidth] = useLocalStorage<Width>({
    key,
    defaultValue: '1280',
    getInitialValueInEffect: false,
  });
  const stage = useElementSize();
  const device = widths[width] || Math.max(320, stage.width);
  const scale = Math.min(1, stage.width / device || 1);
  return {
    width,
    setWidth,
    scale,
    stage: stage.ref,
    frameStyle: {
      width: device,
      height: stage.height / scale,
      left: Math.max(0, (stage.width - device * scale) / 2),
      transform: `scale(${scale})`,
    },
  };
}

/** The choice of the width, and how much smaller than real the page is drawn. */
export function DeviceChoice({ device: { width, setWidth, scale } }: { readonly device: Device }) {
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={t('preview.device')}
        value={width}
        onChange={(value) => setWidth(value in widths ? (value as Width) : 'fit')}
        data={Object.keys(widths).map((value) => ({
          value,
          label: value === 'fit' ? t('preview.fit') : value,
        }))}
      />
      <span className="meta tabular">{scale < 1 ? `${Math.round(scale * 100)} %` : ''}</span>
    </>
  );
}
