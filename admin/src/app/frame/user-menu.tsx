import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { logOut, useSession } from '../../api/session/session.ts';
import { chooseLanguage, languages, t, useLanguage } from '../../base/i18n/index.ts';
import { goTo } from '../../base/router/history.ts';
import { paths } from '../../base/router/paths.ts';
import { Menu, MenuDivider, MenuItem, MenuLabel } from '../../ui/floating/menu.tsx';
import { Tooltip } from '../../ui/floating/tooltip.tsx';
import { Icon } from '../../ui/icons/icon.tsx';
import type { IconName } from '../../ui/icons/icons.ts';

const schemes = [
  ['light', 'sun'],
  ['dark', 'moon'],
  ['auto', 'desktop'],
] as const satisfies readonly (readonly [string, IconName])[];

const names = { en: 'English', de: 'Deutsch' } as const;

/** Theme, language and logout. */
export function UserMenu({ isNarrow }: { readonly isNarrow: boolean }) {
  const chosen = useLanguage();
  const { data: session } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = session?.user?.username ?? '';
  return (
    <Menu
      position="top-start"
      width={220}
      button={
        <Tooltip label={name} disabled={!isNarrow} position="right">
          <ActionIcon aria-label={t('frame.account', { name })}>
            <Icon name="user-circle" size={20} />
          </ActionIcon>
        </Tooltip>
      }
    >
      <MenuLabel>{name}</MenuLabel>
      <MenuItem leftSection={<Icon name="key" />} onClick={() => goTo(paths.system('profile'))}>
        {t('profile.title')}
      </MenuItem>
      <MenuDivider />
      <MenuLabel>{t('frame.theme')}</MenuLabel>
      {schemes.map(([scheme, icon]) => (
        <MenuItem
          key={scheme}
          leftSection={<Icon name={icon} />}
          rightSection={colorScheme === scheme && <Icon name="check" />}
          onClick={() => setColorScheme(scheme)}
        >
          {t(`frame.scheme.${scheme}`)}
        </MenuItem>
      ))}
      <MenuLabel>{t('frame.language')}</MenuLabel>
      {languages.map((language) => (
        <MenuItem
          key={language}
          lang={language}
          leftSection={<Icon name="translate" />}
          rightSection={chosen === language && <Icon name="check" />}
          onClick={() => void chooseLanguage(language)}
        >
          {names[language]}
        </MenuItem>
      ))}
      <MenuDivider />
      <MenuItem leftSection={<Icon name="sign-out" />} onClick={() => void logOut()}>
        {t('session.logOut')}
      </MenuItem>
    </Menu>
  );
}
