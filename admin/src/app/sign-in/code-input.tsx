import { Anchor, TextInput } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';

/** What takes the place of a factor. */
export type LoginCodeKind = 'code' | 'recovery_code';

/** The kind that is asked for first. @param factors the kinds that the user has */
export function chooseCodeKind(factors: readonly unknown[]): LoginCodeKind {
  return factors.includes('totp') ? 'code' : 'recovery_code';
}

interface CodeInputProps {
  readonly kind: LoginCodeKind;
  readonly code: string;
  onKind(kind: LoginCodeKind): void;
  onChange(code: string): void;
}

/** Asks for a code of a factor, or for one that stands in for it. */
export function CodeInput({ kind, code, onKind, onChange }: CodeInputProps) {
  const isOfApp = kind === 'code';
  return (
    <div>
      <TextInput
        key={kind}
        label={t(isOfApp ? 'session.code' : 'session.recoveryCode')}
        description={t(isOfApp ? 'session.codeHelp' : 'session.recoveryCodeHelp')}
        autoComplete={isOfApp ? 'one-time-code' : 'off'}
        required
        autoFocus
        value={code}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => {
          onChange('');
          onKind(isOfApp ? 'recovery_code' : 'code');
        }}
      >
        {t(isOfApp ? 'session.useRecoveryCode' : 'session.useCode')}
      </Anchor>
    </div>
  );
}
