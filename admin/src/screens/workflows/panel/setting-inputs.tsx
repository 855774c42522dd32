/** Inputs of settings that only nodes have. */

import { NativeSelect } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useDeferredValue, useMemo } from 'react';
import { t } from '../../../base/i18n/index.ts';
import { collections } from '../../../content/collections.ts';
import { type InputProps, Lines, toInputText, toWrapperProps } from '../../../kit/form/field-input.tsx';
import { faultAt } from '../../../kit/form/form-texts.ts';
import { marksIn } from '../model/faults.ts';
import classes from './node-panel.module.css';

const FlowCode = lazy(async () => ({ default: (await import('./flow-code.tsx')).FlowCode }));

/** By the name that a schema gives with `x-editor`; what is not named here is edited as its type says. */
export const settingInputs: Readonly<Record<string, ComponentType<InputProps>>> = {
  code: Code,
  json: Json,
  collection: CollectionChoice,
};

function Json(props: InputProps) {
  return <Lines {...props} isCode />;
}

function Code({ field, label, value, faults, onChange }: InputProps) {
  const fault = faultAt(faults, field.name);
  const marks = useMemo(() => marksIn(fault), [fault]);
  // An editor takes longer to make than the rest of the panel: whoever goes on to another node does not wait for it.
  const isTime = useDeferredValue(true, false);
  return (
    <div>
      <div className={classes['label']}>{label}</div>
      <div className={classes['code']}>
        <Suspense>
          {isTime && <FlowCode label={label} value={toInputText(value)} marks={marks} onChange={onChange} />}
        </Suspense>
      </div>
      {fault !== undefined && <p className={classes['error']}>{fault}</p>}
      <p className="meta">{t('workflows.codeHelp')}</p>
    </div>
  );
}

function CollectionChoice(props: InputProps) {
  const { value, onChange } = props;
  const { data: all } = collections.useList();
  const known = (all ?? []).map(({ slug, name }) => ({ value: slug, label: name }));
  const current = toInputText(value);
  const others = known.some((option) => option.value === current) ? [] : [{ value: current, label: current }];
  const first = { value: '', label: t('workflows.chooseCollection') };
  return (
    <NativeSelect
      {...toWrapperProps(props)}
      data={current === '' ? [first, ...known] : [...others, ...known]}
      value={current}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
