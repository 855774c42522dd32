import type { SourceTestResult } from '../../api/generated/schema.ts';
import { t } from '../../base/i18n/index.ts';
import { type AnswerPart, AnswerText, AnswerView } from '../../ui/values/answer-view.tsx';
import { JsonTree } from '../../ui/values/json-tree.tsx';
import { ListTable } from './list-table.tsx';

type Answer = SourceTestResult['result'];

/** The answer of a source: what the path finds as a table, the whole of it as a tree or text, its headers. */
export function SourceAnswer({ answer }: { readonly answer: Answer }) {
  const { status, duration_ms: ms, url, data, raw, headers } = answer;
  const list: AnswerPart = {
    name: 'list',
    label: t('sources.list'),
    render: () => <ListTable list={data} />,
  };
  const whole: readonly AnswerPart[] = [
    { name: 'tree', label: t('answer.parts.tree'), render: () => <JsonTree value={raw} /> },
    { name: 'text', label: t('answer.parts.text'), render: () => <AnswerText value={raw} /> },
    { name: 'headers', label: t('answer.parts.headers'), render: () => <JsonTree value={headers} /> },
  ];
  return (
    <AnswerView
      status={
        <>
          {status === 0 ? t('sources.noAnswer', { ms }) : t('answer.status', { status, ms })}{' '}
          <code>{url}</code>
        </>
      }
      parts={status === 0 ? [] : data === null ? whole : [list, ...whole]}
    />
  );
}
