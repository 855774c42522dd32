import { Button, type ButtonProps, FileButton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Icon } from '../ui/icon.tsx';

export interface UploadButtonProps extends Pick<ButtonProps, 'variant'> {
  /** Types in the form of the `accept` attribute. */
  readonly accept?: string;
  onFiles(files: readonly File[]): void;
}

/** Opens the browser's dialog for files. */
export function UploadButton({ accept = '', variant = 'filled', onFiles }: UploadButtonProps) {
  const { t } = useTranslation();
  return (
    <FileButton multiple accept={accept} onChange={onFiles} inputProps={{ 'aria-label': t('media.upload') }}>
      {(props) => (
        <Button {...props} variant={variant} leftSection={<Icon name="upload-simple" />}>
          {t('media.upload')}
        </Button>
      )}
    </FileButton>
  );
}
