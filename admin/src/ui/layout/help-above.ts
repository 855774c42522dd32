import type { InputWrapperProps } from '@mantine/core';

/** For the few inputs whose help has to be read before they are filled in. */
export const helpAbove = {
  inputWrapperOrder: ['label', 'description', 'input', 'error'],
} satisfies Pick<InputWrapperProps, 'inputWrapperOrder'>;
