import { Button, type ButtonProps, FileButton } from '@mantine/core';
import { t } from '../../base/i18n/index.ts';
import { Icon } from '../icons/icon.tsx';

export interface UploadButtonProps extends Pick<ButtonProps, 'variant'> {
  /** Default: "Upload". */
  readonly label?: string;
  /** Types in the form of the `accept` attribute. */
  readonly accept?: string;
  onFiles(files: readonly File[]): void;
}

/** Opens the browser's dialog for files. */
export function UploadButton({ label, accept = '', variant = 'filled', onFiles }: UploadButtonProps) {
  const name = label ?? t('media.upload');
  return (
    <FileButton multiple accept={accept} onChange={onFiles} inputProps={{ 'aria-label': name }}>
      {(props) => (
        <Button {...props} variant={variant} leftSection={<Icon name="upload-simple" />}>
          {name}
        </Button>
      )}
    </FileButton>
  );
}
