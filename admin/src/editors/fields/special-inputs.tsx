/** Inputs for moments, colours and several options. */
import { Checkbox, Group, MultiSelect, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../base/i18n/index.ts';
import { useCurrentSite } from '../../content/current-site.ts';
import { pageQuery } from '../../content/pages.ts';
import { helpAbove } from '../../ui/layout/help-above.ts';
import { formatInZone, parseInZone } from './moments.ts';
import classes from './parts.module.css';
import type { ValueInputProps } from './value-input.ts';

/** A moment in the time zone of the website, else of the browser; the value is in UTC. */
export function MomentInput({ field, value, error, help, onChange }: ValueInputProps) {
  const { zone, isKnown, isOfSite } = useZone();
  const moment = typeof value === 'string' ? new Date(value) : undefined;
  const isMoment = moment === undefined || !Number.isNaN(moment.getTime());
  const zoneHelp = t(isOfSite ? 'values.zoneHelp' : 'values.browserZoneHelp', { zone });
  return (
    <TextInput
      {...helpAbove}
      {...(isMoment ? { type: 'datetime-local', step: 1 } : {})}
      label={field.label}
      description={[help, zoneHelp].filter(Boolean).join(' ')}
      withAsterisk={field.required}
      disabled={!isKnown}
      value={moment === undefined ? '' : isMoment ? formatInZone(moment, zone) : String(value)}
      error={error}
      onChange={({ currentTarget }) => onChange(parseInZone(currentTarget.value, zone))}
    />
  );
}

function useZone() {
  const site = useCurrentSite();
  const { data, isLoading } = useQuery({ ...pageQuery(site ?? 0), enabled: site !== undefined });
  const own = data?.zone;
  const zone = own || Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { zone, isKnown: !isLoading, isOfSite: Boolean(own) };
}

/** A colour as text, with a swatch that opens the choice of the browser. */
export function ColorInput({ field, value, error, help, onChange }: ValueInputProps) {
  const text = typeof value === 'string' ? value : '';
  // The choice of the browser knows no transparency.
  const shown = /^#[0-9a-f]{6}/i.exec(text)?.[0] ?? '#ffffff';
  return (
    <TextInput
      {...helpAbove}
      label={field.label}
      description={help}
      placeholder={field.placeholder ?? '#1a2b3c'}
      withAsterisk={field.required}
      value={text}
      error={error}
      leftSection={
        <input
          type="color"
          className={classes['swatch']}
          aria-label={t('values.pickColor', { name: field.label })}
          data-empty={text === '' || undefined}
          value={shown}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      }
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}

/** Most options that are all shown. */
const maxShown = 12;

export function OptionsInput({ field, value, error, help, onChange }: ValueInputProps) {
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const props = {
    ...helpAbove,
    label: field.label,
    description: help,
    placeholder: chosen.length === 0 ? field.placeholder : undefined,
    withAsterisk: field.required,
    value: chosen,
    error,
    onChange: (next: string[]) => onChange(next.length === 0 ? null : next),
  };
  if (field.options.length === 0) return <TagsInput {...props} />;
  const offered = [...new Set([...field.options, ...chosen])];
  if (offered.length <= maxShown)
    return (
      <Checkbox.Group {...props}>
        <Group gap={16} mt={4}>
          {offered.map((option) => (
            <Checkbox key={option} value={option} label={option} />
          ))}
        </Group>
      </Checkbox.Group>
    );
  return <MultiSelect {...props} data={offered} searchable />;
}
