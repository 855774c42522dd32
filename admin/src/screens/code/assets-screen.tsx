import { files } from '../../content/code/code-kinds.ts';
import { CodeScreen } from './code-screen.tsx';

export function AssetsScreen() {
  return <CodeScreen kind={files} />;
}
