import type { PathSegment } from './message/input-path.ts';

/** An HTTP input with the path it answers. */
export interface RoutedInput {
  readonly segments: readonly PathSegment[];
  readonly method: string;
}

/** An input that answers a path, with the values of its placeholders. */
export interface InputMatch<Input> {
  readonly input: Input;
  readonly params: Readonly<Record<string, string>>;
}

interface Branch<Input> {
  readonly literals: Map<string, Branch<Input>>;
  one: Branch<Input> | undefined;
  /** Inputs whose path ends here. */
  readonly ends: Input[];
  /** Inputs that take everything below. */
  readonly rests: Input[];
}

/** Finds the inputs of a path. A literal part comes before a placeholder, a placeholder before `{name...}`. */
export class InputRouter<Input extends RoutedInput> {
  readonly #root = createBranch<Input>();

  constructor(inputs: readonly Input[]) {
    for (const input of inputs) this.#add(input);
  }

  /** All inputs that answer a path, the best first. @param parts decoded parts of the path */
  match(parts: readonly string[]): InputMatch<Input>[] {
    const found: Input[] = [];
    collect(this.#root, parts, 0, found);
    return found.map((input) => ({ input, params: paramsOf(input, parts) }));
  }

  #add(input: Input): void {
    let branch = this.#root;
    for (const segment of input.segments) {
      if (segment.kind === 'rest') {
        branch.rests.push(input);
        return;
      }
      if (segment.kind === 'one') {
        branch.one ??= createBranch<Input>();
        branch = branch.one;
      } else {
        const child = branch.literals.get(segment.text) ?? createBranch<Input>();
        branch.literals.set(segment.text, child);
        branch = child;
      }
    }
    branch.ends.push(input);
  }
}

function collect<Input>(
  branch: Branch<Input>,
  parts: readonly string[],
  index: number,
  found: Input[],
): void {
  const part = parts[index];
  if (part === undefined) {
    found.push(...branch.ends);
    return;
  }
  const literal = branch.literals.get(part);
  if (literal !== undefined) collect(literal, parts, index + 1, found);
  if (branch.one !== undefined) collect(branch.one, parts, index + 1, found);
  found.push(...branch.rests);
}

function paramsOf({ segments }: RoutedInput, parts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    segments.flatMap((segment, index) => {
      if (segment.kind === 'literal') return [];
      const value = segment.kind === 'rest' ? parts.slice(index).join('/') : (parts[index] ?? '');
      return [[segment.name, value]];
    }),
  );
}

function createBranch<Input>(): Branch<Input> {
  return { literals: new Map(), one: undefined, ends: [], rests: [] };
}
