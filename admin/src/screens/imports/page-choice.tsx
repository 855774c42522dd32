import { Button, Group } from '@mantine/core';
import { type CSSProperties, useMemo, useState } from 'react';
import { t } from '../../base/i18n/index.ts';
import { ListTag } from '../../kit/list/list-entry.tsx';
import { RowCheckbox } from '../../ui/rows/row-checkbox.tsx';
import { SearchInput } from '../../ui/rows/search-input.tsx';
import { VirtualRows } from '../../ui/rows/virtual-rows.tsx';
import { type FoundPage, type PageRow, pageRows, withAll } from './choice.ts';
import classes from './imports.module.css';

export interface PageChoiceProps {
  readonly pages: readonly FoundPage[];
  /** Addresses of the chosen pages. */
  readonly chosen: ReadonlySet<string>;
  onChange(chosen: ReadonlySet<string>): void;
}

/** The found pages as the tree that they would be, each to be chosen, alone or with all below it. */
export function PageChoice({ pages, chosen, onChange }: PageChoiceProps) {
  const [query, setQuery] = useState('');
  const rows = useMemo(() => pageRows(pages), [pages]);
  const text = query.toLowerCase();
  const shown = rows.filter(({ page }) => `${page.title} ${page.path}`.toLowerCase().includes(text));
  const setAll = (isIn: boolean) =>
    onChange(
      withAll(
        chosen,
        shown.map(({ page }) => page.url),
        isIn,
      ),
    );
  return (
    <section className={classes['part']}>
      <div className={classes['partHead']}>
        <h2>{t('imports.pages', { chosen: chosen.size, count: pages.length })}</h2>
        <Group gap={8}>
          <Button variant="default" size="compact-sm" onClick={() => setAll(true)}>
            {t('imports.all')}
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => setAll(false)}>
            {t('imports.noneOf')}
          </Button>
        </Group>
      </div>
      <SearchInput label={t('imports.filterPages')} value={query} onChange={setQuery} />
      <div className={classes['list']}>
        {shown.length === 0 ? (
          <p className="quiet">{t('tree.noHit')}</p>
        ) : (
          <VirtualRows
            label={t('imports.foundPages')}
            rows={shown}
            rowHeight={36}
            isPlain
            keyOf={({ page }) => page.url}
            render={(row) => <Row row={row} chosen={chosen} onChange={onChange} />}
          />
        )}
      </div>
    </section>
  );
}

/** Deeper pages are not moved further to the right. */
const maxDepth = 8;

function Row({ row, chosen, onChange }: Omit<PageChoiceProps, 'pages'> & { readonly row: PageRow }) {
  const { page, depth, below } = row;
  const { url, path, title, excluded } = page;
  const areBelowChosen = below.every((address) => chosen.has(address));
  const style: CSSProperties & Record<'--depth', number> = { '--depth': Math.min(depth, maxDepth) };
  return (
    <div className={classes['pageRow']} style={style}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox stands in it */}
      <label className={classes['pageCheck']}>
        <RowCheckbox
          checked={chosen.has(url)}
          onChange={(event) => onChange(withAll(chosen, [url], event.currentTarget.checked))}
        />
        <span className={classes['pageLabel']} title={url}>
          {title || path} {title !== '' && <span className="meta">{path}</span>}
        </span>
      </label>
      {excluded === 'robots' && <ListTag tone="ochre">{t('imports.blocked')}</ListTag>}
      {below.length > 0 && (
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={() => onChange(withAll(chosen, below, !areBelowChosen))}
        >
          {t(areBelowChosen ? 'imports.dropBelow' : 'imports.chooseBelow', { count: below.length })}
          <span className="visually-hidden">: {path}</span>
        </Button>
      )}
    </div>
  );
}
