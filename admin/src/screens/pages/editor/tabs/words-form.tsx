import { Button } from '@mantine/core';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { pathFaults } from '../../../../api/failure-text.ts';
import type { RegionSchema } from '../../../../api/generated/schema.ts';
import { t } from '../../../../base/i18n/index.ts';
import { useShared } from '../../../../base/shared-value.ts';
import type { CollectionField } from '../../../../content/collections.ts';
import { useField, useSaveState } from '../../../../editing/editor-store.ts';
import { ValueInput } from '../../../../editors/fields/entry-fields.tsx';
import { focusParam } from '../../../../editors/fields/focus-param.ts';
import type { PageStore, TabProps } from '../../store/page-store.ts';
import { pickedRegion, readWord, setWord } from '../../store/words.ts';
import fields from './fields.module.css';
import classes from './words-form.module.css';

/** The words in the templates of a page, in order of rendering, then those that no template shows. */
export function WordsForm({ store }: TabProps) {
  const base = useSyncExternalStore(store.subscribe, () => store.base);
  const body = useRef<HTMLElement>(null);
  usePickedRegion(store, body);
  return (
    <section ref={body} className={classes['form']} aria-label={t('words.title')}>
      {base.region_schema.map((region) => (
        <Words key={region.name} store={store} region={region} />
      ))}
      <UnshownWords store={store} shown={base.region_schema} />
    </section>
  );
}

/** A click on words in the page leads to their input. */
function usePickedRegion(store: PageStore, body: { readonly current: HTMLElement | null }): void {
  const picked = useShared(pickedRegion);
  useEffect(() => {
    if (picked?.store !== store) return;
    pickedRegion.set(undefined);
    focusParam(body.current, picked.name);
  }, [picked, store, body]);
}

interface WordsProps {
  readonly store: PageStore;
  readonly region: RegionSchema;
}

/** The words of one region. Only a change of them draws it again. */
function Words({ store, region }: WordsProps) {
  const { name, label, help } = region;
  const value = useSyncExternalStore(store.subscribe, () => readWord(store.get('regions'), name));
  const state = useSaveState(store);
  const fault = state.kind === 'failed' ? pathFaults(state.error)[`regions.${name}`] : undefined;
  const change = (next: unknown) => setWord(store, name, next);
  const standard = region.default ?? '';
  const canStart = standard.trim() !== '' && region.type !== 'image' && region.type !== 'link';
  return (
    <div className={classes['words']} data-param={name}>
      <ValueInput
        field={fieldOf(region)}
        value={value}
        help={help || undefined}
        placeholder={value === null ? (region.default ?? t('words.computed')) : undefined}
        error={fault}
        // An input that was emptied shows nothing; only the button leads back to the default.
        onChange={(next) => change(next ?? '')}
      />
      <div className={classes['foot']}>
        <span className="meta">
          {t(value === null ? 'words.isDefault' : value === '' ? 'words.isEmpty' : 'words.isOwn')}
        </span>
        {value !== null && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={t('words.resetOf', { name: label })}
            onClick={() => change(null)}
          >
            {t('words.reset')}
          </Button>
        )}
        {value === null && canStart && (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-label={t('words.startOf', { name: label })}
            onClick={() => change(standard.trim())}
          >
            {t('words.start')}
          </Button>
        )}
      </div>
    </div>
  );
}

/** A region as a field of a collection, which has the same inputs. */
function fieldOf({ name, label, type }: RegionSchema): CollectionField {
  return { name, label, type, required: false, options: [], collection: null };
}

interface UnshownWordsProps {
  readonly store: PageStore;
  readonly shown: readonly RegionSchema[];
}

/** A template may have lost its region, and may get it back: the words stay until they are removed here. */
function UnshownWords({ store, shown }: UnshownWordsProps) {
  const [words] = useField(store, 'regions');
  const names = new Set(shown.map(({ name }) => name));
  const unshown = Object.entries(words).filter(([name]) => !names.has(name));
  if (unshown.length === 0) return null;
  return (
    <section className={fields['section']} aria-label={t('words.unshown')}>
      <h2>{t('words.unshown')}</h2>
      <p className="quiet line">{t('words.unshownHelp')}</p>
      <ul className={classes['unshown']}>
        {unshown.map(([name, value]) => (
          <li key={name}>
            <code>{name}</code>
            <span className={classes['value']}>
              {typeof value === 'string' ? value : JSON.stringify(value)}
            </span>
            <Button
              size="compact-sm"
              variant="subtle"
              aria-label={t('words.removeOf', { name })}
              onClick={() => setWord(store, name, null)}
            >
              {t('words.remove')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
