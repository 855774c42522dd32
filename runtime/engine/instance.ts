/** Instances of templates: as in Django, every include tag has one of the template that it includes. */
/** Most instances that a render tells apart. Further ones remember nothing. */
const maxInstances = 10_000;

/** The render that instances belong to. */
interface InstanceCounter {
  /** Counts one more; returns how many there are now. */
  countInstance(): number;
}

/**
 * An include tag, together with the instance of the template in which it stands. It is kept only when a tag
 * stores something under it, so that includes without `ifchanged` take no memory.
 */
export class Instance {
  readonly #parent: Instance;
  readonly #tag: object;
  #children: Map<object, Instance> | undefined;
  #keys: Map<object, object> | undefined;

  constructor(parent: Instance | undefined, tag: object) {
    this.#parent = parent ?? this;
    this.#tag = tag;
  }

  /** The instance that an include tag in this instance makes. */
  child(tag: object): Instance {
    return this.#children?.get(tag) ?? new Instance(this, tag);
  }

  /** The key of a tag in this instance: the same at each call, and another one in each instance. */
  keyOf(tag: object, state: InstanceCounter): object {
    const known = this.#keys?.get(tag);
    if (known !== undefined) return known;
    const key = {};
    if (state.countInstance() > maxInstances) return key;
    this.#keys ??= new Map();
    this.#keys.set(tag, key);
    this.#keep();
    return key;
  }

  #keep(): void {
    const parent = this.#parent;
    if (parent === this || parent.#children?.get(this.#tag) === this) return;
    parent.#children ??= new Map();
    parent.#children.set(this.#tag, this);
    parent.#keep();
  }
}
