import { CodeScreen } from '../code/code-screen.tsx';
import { snippets } from '../code/kinds.ts';

export function SnippetsScreen() {
  return <CodeScreen kind={snippets} />;
}
