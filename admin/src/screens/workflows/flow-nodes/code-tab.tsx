import { useSyncExternalStore } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { useField } from '../../../editing/editor-store.ts';
import { type CodeMark, FlowCode } from '../panel/flow-code.tsx';
import classes from './flow-nodes.module.css';
import type { FlowNodeStore } from './store.ts';

export interface CodeTabProps {
  readonly store: FlowNodeStore;
  readonly marks: readonly CodeMark[];
}

/** The code of a custom node. Its parameters are offered while it is typed. */
export function CodeTab({ store, marks }: CodeTabProps) {
  const [code, setCode] = useField(store, 'code');
  const params = useSyncExternalStore(store.subscribe, () => store.get('params'));
  return (
    <div className={classes['code']}>
      <FlowCode
        label={t('fields.content')}
        value={code}
        marks={marks}
        params={params.map(({ name }) => name)}
        onChange={setCode}
      />
      <p className="meta">{t('workflows.codeHelp')}</p>
    </div>
  );
}
