import { useDocumentTitle } from './document-title.ts';
import { useTitleFocus } from './title-focus.ts';

/** The title of a screen that people see elsewhere, for screen readers and the tab of the browser. */
export function HiddenTitle({ children }: { readonly children: string }) {
  useDocumentTitle(children);
  return (
    <h1 className="visually-hidden" ref={useTitleFocus(children)} tabIndex={-1}>
      {children}
    </h1>
  );
}
