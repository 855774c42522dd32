import { t } from '../../../base/i18n/index.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { VirtualRows } from '../../../ui/rows/virtual-rows.tsx';
import type { Operation, OperationGroup } from './description.ts';
import classes from './reference.module.css';

type Row = { readonly tag: string } | { readonly operation: Operation };

export interface OperationListProps {
  readonly groups: readonly OperationGroup[];
  /** ID of the operation that is shown. */
  readonly current: string | undefined;
}

/** Operations below the names of their groups. */
export function OperationList({ groups, current }: OperationListProps) {
  const rows = groups.flatMap(({ tag, operations }): readonly Row[] => [
    { tag },
    ...operations.map((operation) => ({ operation })),
  ]);
  return (
    <VirtualRows
      label={t('nav.api')}
      rows={rows}
      rowHeight={32}
      initialIndex={rows.findIndex((row) => 'operation' in row && row.operation.id === current)}
      isPlain
      keyOf={(row) => ('tag' in row ? row.tag : row.operation.id)}
      render={(row) =>
        'tag' in row ? (
          <h3 className={classes['group']}>{row.tag}</h3>
        ) : (
          <OperationRow operation={row.operation} isCurrent={row.operation.id === current} />
        )
      }
    />
  );
}

function OperationRow({
  operation,
  isCurrent,
}: {
  readonly operation: Operation;
  readonly isCurrent: boolean;
}) {
  const { id, method, path, summary } = operation;
  return (
    <Link
      href={paths.apiReference(id)}
      className={classes['entry']}
      aria-current={isCurrent ? 'page' : undefined}
      title={`${method} ${path}: ${summary}`}
    >
      <span className={classes['method']}>{method}</span> <span className={classes['path']}>{path}</span>
    </Link>
  );
}
