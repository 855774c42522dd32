import { ActionIcon, Menu, Tooltip, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, languages } from '../i18n/index.ts';
import { logOut, useSession } from '../session/queries.ts';
import { Icon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';

const schemes = [
  ['light', 'sun'],
  ['dark', 'moon'],
  ['auto', 'desktop'],
] as const satisfies readonly (readonly [string, IconName])[];

const names = { en: 'English', de: 'Deutsch' } as const;

/** Theme, language and logout. */
export function UserMenu({ isNarrow }: { readonly isNarrow: boolean }) {
  const { t, i18n } = useTranslation();
  const { data: session } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = session?.user?.username ?? '';
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <Tooltip label={name} disabled={!isNarrow} position="right">
          <ActionIcon aria-label={t('frame.account', { name })}>
            <Icon name="user-circle" size={20} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{name}</Menu.Label>
        <Menu.Divider />
        <Menu.Label>{t('frame.theme')}</Menu.Label>
        {schemes.map(([scheme, icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={icon} />}
            rightSection={colorScheme === scheme && <Icon name="check" />}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`frame.scheme.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Label>{t('frame.language')}</Menu.Label>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            leftSection={<Icon name="translate" />}
            rightSection={i18n.language === language && <Icon name="check" />}
            onClick={() => void chooseLanguage(language)}
          >
            {names[language]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="sign-out" />} onClick={() => void logOut()}>
          {t('session.logOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
