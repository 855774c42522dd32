/** Figures in the text form of Prometheus: one value a line, with its labels. */
export class Metrics {
  readonly #samples: ReadonlyMap<string, readonly Sample[]>;

  private constructor(samples: ReadonlyMap<string, readonly Sample[]>) {
    this.#samples = samples;
  }

  static parse(text: string): Metrics {
    const samples = new Map<string, Sample[]>();
    for (const line of text.split('\n')) {
      const [, name, labels = '', value] = /^([a-z_:][\w:]*)(?:\{(.*)\})? (\S+)/i.exec(line) ?? [];
      if (name === undefined) continue;
      const sample = { labels: labelsIn(labels), value: Number(value) };
      samples.set(name, [...(samples.get(name) ?? []), sample]);
    }
    return new Metrics(samples);
  }

  /** The sum of all values with these labels; 0 if there are none. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const wanted = Object.entries(labels);
    return (this.#samples.get(name) ?? [])
      .filter((sample) => wanted.every(([label, value]) => sample.labels.get(label) === value))
      .reduce((total, { value }) => total + value, 0);
  }
}

interface Sample {
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

function labelsIn(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}
