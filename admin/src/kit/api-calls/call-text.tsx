import { Button, SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ApiCall } from '../../api/api-call.ts';
import { t } from '../../base/i18n/index.ts';
import { ScrollRegion } from '../../ui/layout/scroll-region.tsx';
import { asCurl, asFetch } from './call.ts';
import classes from './call-text.module.css';

const forms = { curl: asCurl, fetch: asFetch } as const;
type Form = keyof typeof forms;

export interface CallTextProps {
  readonly call: ApiCall;
  /** What stands beside the choice of the form. */
  readonly children?: ReactNode;
}

/** A call of the API as a text that can be copied, for a shell or for JavaScript. */
export function CallText({ call, children }: CallTextProps) {
  const [form, setForm] = useState<Form>('curl');
  return (
    <>
      <div className={classes['choice']}>
        <div>{children}</div>
        <SegmentedControl
          aria-label={t('apiCall.form')}
          data={Object.keys(forms)}
          value={form}
          onChange={(value) => setForm(value === 'fetch' ? 'fetch' : 'curl')}
        />
      </div>
      <CodeText text={forms[form](call, location.origin)} />
    </>
  );
}

/** Where the browser keeps pages from the clipboard, the text can be selected. */
function CodeText({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState('');
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(text));
  return (
    <>
      <ScrollRegion className={classes['code']} label={t('apiCall.call')}>
        <pre>{text}</pre>
      </ScrollRegion>
      {navigator.clipboard !== undefined && (
        <Button variant="default" className={classes['copy'] ?? ''} onClick={copy}>
          {t(copied === text ? 'apiCall.copied' : 'apiCall.copy')}
        </Button>
      )}
    </>
  );
}
