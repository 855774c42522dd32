import * as forms from '../../../api/generated/forms.ts';
import type { Role } from '../../../api/generated/schema.ts';
import { t } from '../../../base/i18n/index.ts';
import { goTo } from '../../../base/router/history.ts';
import { Link } from '../../../base/router/link.tsx';
import { paths } from '../../../base/router/paths.ts';
import { createDeletion } from '../../../commands/command.ts';
import { confirmDeletion } from '../../../kit/delete/confirm-deletion.tsx';
import { Lines } from '../../../kit/form/field-input.tsx';
import { ObjectForm } from '../../../kit/form/object-form.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { GrantsInput } from './grants-input.tsx';
import { roles } from './queries.ts';
import { RightsList } from './rights-list.tsx';

/** A role with what it allows; one that comes with the program only shows it. */
export function RoleForm({ role }: { readonly role: Role }) {
  const { id, name, builtin } = role;
  const list = { name: t('roles.title'), path: paths.system('roles') };
  if (builtin)
    return (
      <div className="screen">
        <PageHeader title={name} scope={<Link href={list.path}>{list.name}</Link>} />
        <div className="body column">
          <p className="quiet line">{t('errors.role.builtin')}</p>
          {role.description !== '' && <p className="line">{role.description}</p>}
          <RightsList roles={[role]} />
        </div>
      </div>
    );
  const remove = () =>
    confirmDeletion({
      texts: 'roles',
      names: { name },
      run: async () => {
        await roles.remove(id);
        goTo(list.path);
      },
    });
  return (
    <ObjectForm
      title={name}
      list={list}
      saveLabel="roles.save"
      schema={forms.RoleUpdate}
      texts="roles"
      layout={['name', 'description', 'require_factor', 'grants']}
      inputs={{ description: Lines, grants: GrantsInput }}
      object={role}
      save={(changes) => roles.update(id, changes)}
      commands={[createDeletion('roles.delete', 'roles.delete', remove)]}
    />
  );
}
