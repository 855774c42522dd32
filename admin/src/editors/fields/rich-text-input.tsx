import { TextInput } from '@mantine/core';
import { createContext, lazy, Suspense, useContext, useState } from 'react';
import type { RichTextFieldProps } from '../richtext/rich-text-field.tsx';

const Loaded = lazy(async () => ({
  default: (await import('../richtext/rich-text-field.tsx')).RichTextField,
}));

/** Whether a text gets the focus as soon as it is there. */
export const FocusesText = createContext(false);

/** A field of HTML or Markdown, whose code comes when the first one is shown. */
export function RichTextInput(props: Omit<RichTextFieldProps, 'isFocused'>) {
  const isWanted = useContext(FocusesText);
  const [isFocused, setFocused] = useState(false);
  // Whoever is in the field before its code is there is in the text afterwards.
  const place = (
    <TextInput
      readOnly
      label={props.label}
      value=""
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    />
  );
  return (
    <Suspense fallback={place}>
      <Loaded {...props} isFocused={isFocused || isWanted} />
    </Suspense>
  );
}
