import { Radio, Stack, TextInput } from '@mantine/core';
import { t } from '../../../base/i18n/index.ts';
import { CreateDialog } from '../../../kit/form/create-dialog.tsx';
import { showSecret } from '../../../kit/form/show-secret.tsx';
import { helpAbove } from '../../../ui/layout/help-above.ts';
import { tokens } from './queries.ts';
import { RoleSelect } from './roles-input.tsx';

const kinds = ['read', 'write', 'roles'] as const;

interface TokenForm {
  readonly name: string;
  readonly kind: (typeof kinds)[number];
  readonly roleIds: readonly number[];
  /** In the time zone of the browser; empty for never. */
  readonly end: string;
}

const initial: TokenForm = { name: '', kind: 'read', roleIds: [], end: '' };

/** Asks what a token may do and when it ends, and shows it once. */
export function NewToken({ onClose }: { readonly onClose: () => void }) {
  return (
    <CreateDialog
      title={t('tokens.new')}
      submit={t('tokens.create')}
      initial={initial}
      fields={[{ name: 'name', label: 'fields.name', help: 'tokens.nameHelp' }]}
      more={({ body, faults, onChange }) => (
        <>
          <Radio.Group
            label={t('tokens.may')}
            value={body.kind}
            onChange={(value) => onChange({ kind: kinds.find((kind) => kind === value) ?? 'read' })}
          >
            <Stack gap={8} mt={4}>
              {kinds.map((kind) => (
                <Radio key={kind} value={kind} label={t(`tokens.kinds.${kind}`)} />
              ))}
            </Stack>
          </Radio.Group>
          {body.kind === 'roles' && (
            <RoleSelect
              label={t('users.role_ids')}
              help={t('tokens.rolesHelp')}
              error={faults['role_ids']}
              value={body.roleIds}
              onChange={(roleIds) => onChange({ roleIds })}
            />
          )}
          <TextInput
            {...helpAbove}
            type="datetime-local"
            label={t('tokens.end')}
            description={t('tokens.endHelp')}
            value={body.end}
            error={faults['expires_at']}
            onChange={({ currentTarget }) => onChange({ end: currentTarget.value })}
          />
        </>
      )}
      isReady={({ kind, roleIds }) => kind !== 'roles' || roleIds.length > 0}
      create={({ name, kind, roleIds, end }) =>
        tokens.create({
          name,
          ...(kind === 'roles' ? { role_ids: [...roleIds] } : { can_write: kind === 'write' }),
          ...(end === '' ? {} : { expires_at: Math.floor(new Date(end).getTime() / 1000) }),
        })
      }
      onDone={({ token, secret }) =>
        showSecret({
          title: t('tokens.made', { name: token.name }),
          label: t('tokens.secret'),
          help: t('tokens.secretHelp'),
          secret,
        })
      }
      onClose={onClose}
    />
  );
}
