/** Puts the focus on the input of a value, or on the first one. @param name as in `data-param` of its row */
export function focusParam(body: HTMLElement | null, name: string | undefined): void {
  const selector = name === undefined ? '[data-param]' : `[data-param="${CSS.escape(name)}"]`;
  const field = body?.querySelector(selector);
  field?.scrollIntoView({ block: 'nearest' });
  // What is wrong first, and the text before its tools.
  const input =
    field?.querySelector('[aria-invalid=true]') ??
    field?.querySelector('[contenteditable=true]') ??
    field?.querySelector('input, textarea, button');
  if (input instanceof HTMLElement) input.focus();
}
