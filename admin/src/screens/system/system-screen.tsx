import { useParams } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { type Need, useRights } from '../../api/session/rights.ts';
import { useSession } from '../../api/session/session.ts';
import { type TextKey, t } from '../../base/i18n/index.ts';
import { paths } from '../../base/router/paths.ts';
import { ListAndDetail } from '../../kit/list/list-and-detail.tsx';
import { ListEntry } from '../../kit/list/list-entry.tsx';
import { ListPane } from '../../kit/list/list-pane.tsx';
import { HiddenTitle } from '../../ui/layout/hidden-title.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { EmptyState } from '../../ui/messages/empty-state.tsx';
import { CacheSection } from './cache-section.tsx';
import { CountriesSection } from './countries-section.tsx';
import { MailSection } from './mail-section.tsx';
import { OidcSection } from './oidc-section.tsx';
import { OperationSection } from './operation-section.tsx';
import { OneRole, OneUser } from './people/one-of-list.tsx';
import { RolesSection } from './people/roles-section.tsx';
import { TokensSection } from './people/tokens-section.tsx';
import { UsersSection } from './people/users-section.tsx';
import { SecuritySection } from './security-section.tsx';
import { StorageSection } from './storage-section.tsx';
import classes from './system.module.css';

// Sections that most visits do not open.
const ConnectionsSection = lazy(async () => ({
  default: (await import('./connections/connections-section.tsx')).ConnectionsSection,
}));
const AuditSection = lazy(async () => ({
  default: (await import('./audit/audit-section.tsx')).AuditSection,
}));
const MetricsSection = lazy(async () => ({
  default: (await import('./metrics/metrics-section.tsx')).MetricsSection,
}));
const ProfileSection = lazy(async () => ({
  default: (await import('./profile/profile-section.tsx')).ProfileSection,
}));
const BundlesSection = lazy(async () => ({
  default: (await import('./bundles/bundles-section.tsx')).BundlesSection,
}));
const StaticExportSection = lazy(async () => ({
  default: (await import('./static-export/static-export-section.tsx')).StaticExportSection,
}));

interface SystemSection {
  readonly title: TextKey;
  readonly Section: ComponentType;
  /** Its rows need more than the width of a form. */
  readonly isWide?: boolean;
  /** Without one of these rights it says which is missing. Default: it is for everybody. */
  readonly needs?: readonly Need[];
  /** What it shows of one of its objects. */
  readonly One?: ComponentType<{ readonly id: number }>;
}

const ofUsers: readonly Need[] = [{ action: 'users' }];
const ofSettings: readonly Need[] = [{ action: 'settings' }];
const ofAudit: readonly Need[] = [...ofSettings, ...ofUsers];

/** The sections of the system, in the order of the menu. */
const sections = {
  profile: { title: 'profile.title', Section: ProfileSection },
  users: { title: 'system.users', Section: UsersSection, needs: ofUsers, isWide: true, One: OneUser },
  roles: { title: 'roles.title', Section: RolesSection, needs: ofUsers, One: OneRole },
  tokens: { title: 'system.tokens', Section: TokensSection, needs: ofUsers },
  oidc: { title: 'oidc.title', Section: OidcSection, needs: ofSettings },
  security: { title: 'system.security', Section: SecuritySection, needs: ofSettings },
  mail: { title: 'system.mail', Section: MailSection, needs: ofSettings },
  storage: { title: 'system.storage', Section: StorageSection, needs: ofSettings },
  cache: { title: 'system.cache', Section: CacheSection, needs: ofSettings },
  connections: { title: 'connections.title', Section: ConnectionsSection, needs: ofSettings },
  bundles: { title: 'bundles.title', Section: BundlesSection, needs: ofSettings },
  'static-export': { title: 'export.title', Section: StaticExportSection, needs: ofSettings },
  countries: { title: 'system.countries', Section: CountriesSection, needs: ofSettings },
  metrics: { title: 'system.metrics', Section: MetricsSection, needs: ofSettings },
  operation: { title: 'system.operation', Section: OperationSection, needs: ofSettings },
  audit: { title: 'system.audit', Section: AuditSection, needs: ofAudit, isWide: true },
} as const satisfies Readonly<Record<string, SystemSection>>;

const names = [
  'profile',
  'users',
  'roles',
  'tokens',
  'oidc',
  'security',
  'mail',
  'storage',
  'cache',
  'connections',
  'bundles',
  'static-export',
  'countries',
  'metrics',
  'operation',
  'audit',
] as const satisfies readonly (keyof typeof sections)[];

/** What is of this server in remote mode too. */
const staysHere: ReadonlySet<string | undefined> = new Set<(typeof names)[number]>([
  'profile',
  'users',
  'roles',
  'tokens',
  'connections',
  'metrics',
]);

/** Who may do what, and how the server works. */
export function SystemScreen() {
  const params: { readonly section?: string; readonly id?: string } = useParams({ strict: false });
  const [query, setQuery] = useState('');
  const current = names.find((name) => name === params.section);
  const isShown = (title: TextKey) => t(title).toLowerCase().includes(query.toLowerCase());
  const may = useRights();
  const mayUse = ({ needs }: SystemSection) => may(needs);
  const shown = names.filter((name) => isShown(sections[name].title) && mayUse(sections[name]));
  const open: SystemSection | undefined = current === undefined ? undefined : sections[current];
  const { data: session } = useSession();
  const isRemote = session?.remote !== undefined;
  const content = () => {
    if (open === undefined)
      return (
        <>
          <HiddenTitle>{t('nav.system')}</HiddenTitle>
          <EmptyState>{t('system.choose')}</EmptyState>
        </>
      );
    if (!mayUse(open))
      return (
        <>
          <HiddenTitle>{t(open.title)}</HiddenTitle>
          <EmptyState>{t('errors.auth.notAllowed', { action: open.needs?.[0]?.action ?? '' })}</EmptyState>
        </>
      );
    if (open.One !== undefined && params.id !== undefined) return <open.One id={Number(params.id)} />;
    return (
      <div className="screen">
        <PageHeader
          title={t(open.title)}
          scope={isRemote && staysHere.has(current) ? t('bundles.thisServer') : t('nav.system')}
        />
        <div className={classes['body']} data-wide={open.isWide || undefined}>
          <Suspense>
            <open.Section />
          </Suspense>
        </div>
      </div>
    );
  };
  return (
    <ListAndDetail
      id="system"
      label={t('code.width')}
      isOpen={open !== undefined}
      list={
        <ListPane
          title={t('nav.system')}
          count={undefined}
          filter={t('code.filter')}
          query={query}
          onQuery={setQuery}
        >
          <ul className={classes['menu']}>
            {shown.map((name) => (
              <li key={name}>
                <ListEntry
                  href={paths.system(name)}
                  isCurrent={name === current}
                  name={t(sections[name].title)}
                />
              </li>
            ))}
            {isShown('nav.api') && (
              <li>
                <ListEntry href={paths.apiReference()} isCurrent={false} name={t('nav.api')} />
              </li>
            )}
          </ul>
        </ListPane>
      }
    >
      {content()}
    </ListAndDetail>
  );
}
