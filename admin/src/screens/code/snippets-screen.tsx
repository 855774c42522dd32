import { snippets } from '../../content/code/code-kinds.ts';
import { CodeScreen } from './code-screen.tsx';

export function SnippetsScreen() {
  return <CodeScreen kind={snippets} />;
}
