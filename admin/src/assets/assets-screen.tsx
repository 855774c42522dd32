import { CodeScreen } from '../code/code-screen.tsx';
import { files } from '../code/kinds.ts';

export function AssetsScreen() {
  return <CodeScreen kind={files} />;
}
