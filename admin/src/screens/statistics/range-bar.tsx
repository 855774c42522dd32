import { SegmentedControl, Switch, TextInput } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { isDay, presets } from '../../content/period.ts';
import type { ReportScope } from './model/report-scope.ts';
import { findPreset, type View } from './model/view.ts';

export interface RangeBarProps {
  readonly view: View;
  readonly shown: ReportScope;
  onChange(changes: Partial<View>): void;
}

/** Which days are shown, and against what. */
export function RangeBar({ view, shown, onChange }: RangeBarProps) {
  const { period } = shown;
  const setDay = (end: 'from' | 'to', day: string) => {
    if (!isDay(day)) return;
    const next = { ...period, [end]: day };
    // The other end follows, so that there is always a period.
    onChange({ range: next.from <= next.to ? next : { from: day, to: day } });
  };
  return (
    <div className="bar">
      <SegmentedControl
        aria-label={t('statistics.range')}
        data={[
          ...presets.map((days) => ({ value: String(days), label: t('statistics.days', { count: days }) })),
          { value: 'own', label: t('statistics.ownRange') },
        ]}
        value={String(findPreset(view) ?? 'own')}
        onChange={(value) => onChange({ range: value === 'own' ? { ...period } : Number(value) })}
      />
      {(['from', 'to'] as const).map((end) => (
        <TextInput
          key={end}
          type="date"
          aria-label={t(`statistics.${end}`)}
          value={period[end]}
          onChange={(event) => setDay(end, event.currentTarget.value)}
        />
      ))}
      <Switch
        label={t('statistics.compare')}
        checked={view.isCompared}
        onChange={(event) => onChange({ isCompared: event.currentTarget.checked })}
      />
      {shown.hasSeveralSites && (
        <Switch
          label={t('statistics.allSites')}
          checked={view.isAll}
          onChange={(event) => onChange({ isAll: event.currentTarget.checked, detail: undefined })}
        />
      )}
    </div>
  );
}
