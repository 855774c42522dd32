import { useSyncExternalStore } from 'react';
import {
  addNode,
  addWire,
  computePorts,
  configure,
  type Flow,
  type FlowNode,
  type FlowWire,
  findNode,
  freePlace,
  freshId,
  moveNodes,
  type NodeTypes,
  onGrid,
  type Point,
  removeNodes,
  removeWires,
  updateNode,
  wireKey,
} from '../../../content/flow.ts';
import { StepHistory } from '../../../editing/step-history.ts';
import { newConfig } from '../model/settings.ts';
import type { WorkflowStore } from './store.ts';

/** What is chosen in the graph. */
export interface Selection {
  /** IDs of nodes; the last one is shown in the panel. */
  readonly nodes: readonly string[];
  /** Keys of wires. */
  readonly wires: readonly string[];
}

const nothing: Selection = { nodes: [], wires: [] };

interface State {
  readonly flow: Flow;
  readonly selection: Selection;
}

/** What a flow is tried with. */
export interface RunInput {
  /** ID of the start node; empty if there is none. */
  readonly start: string;
  readonly payload: string;
}

type Listener = () => void;

/** A flow that is being edited: what is chosen, and one history for everything that changes it. */
export class FlowEditing {
  readonly store: WorkflowStore;
  readonly types: NodeTypes;
  #selection: Selection = nothing;
  #history = new StepHistory<State>();
  readonly #listeners = new Set<Listener>();

  constructor(store: WorkflowStore, types: NodeTypes) {
    this.store = store;
    this.types = types;
  }

  get flow(): Flow {
    return this.store.get('flow');
  }

  get selection(): Selection {
    return this.#selection;
  }

  /** The node that keys are about: the one that was chosen last. */
  get current(): FlowNode | undefined {
    return findNode(this.flow, this.#selection.nodes.at(-1));
  }

  get canUndo(): boolean {
    return this.#history.canUndo;
  }

  get canRedo(): boolean {
    return this.#history.canRedo;
  }

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    const stop = this.store.subscribe(listener);
    return () => {
      this.#listeners.delete(listener);
      stop();
    };
  };

  choose(nodes: readonly string[], wires: readonly string[] = []): void {
    if (String(nodes) === String(this.#selection.nodes) && String(wires) === String(this.#selection.wires))
      return;
    this.#selection = { nodes, wires };
    this.#tell();
  }

  /** @param merge what is changed, for changes that come in small parts such as typing */
  change(flow: Flow, selection: Selection = this.#selection, merge?: string): void {
    if (flow === this.flow) return;
    const before = { flow: this.flow, selection: this.#selection };
    this.#history.add(before, { flow, selection }, merge);
    this.#show({ flow, selection });
  }

  undo(): void {
    const before = this.#history.undo();
    if (before !== undefined) this.#show(before);
  }

  redo(): void {
    const after = this.#history.redo();
    if (after !== undefined) this.#show(after);
  }

  /**
   * Adds a node of a type and chooses it.
   *
   * @param behind a node to wire it to, where that is possible
   * @param point where, if it is not behind another node
   * @param config settings besides those of every new node of the type
   */
  add(
    type: string,
    behind: { readonly id: string; readonly out?: number } | undefined,
    point: Point,
    config: FlowNode['config'] = {},
  ): void {
    const info = this.types.get(type);
    if (info === undefined) return;
    const source = findNode(this.flow, behind?.id);
    const id = freshId(this.flow, type);
    const bare = { id, type, name: '', config: { ...newConfig(info), ...config } };
    const wire =
      source === undefined ? undefined : this.#wireTo(source, { ...bare, x: 0, y: 0 }, behind?.out);
    const isFixed = behind?.out !== undefined;
    const place = isFixed ? onGrid(point) : freePlace(this.flow, wire && source, point);
    const added = addNode(this.flow, { ...bare, ...place });
    this.change(wire === undefined ? added : addWire(added, wire), { nodes: [id], wires: [] });
  }

  /** A wire from the first output that has none yet. */
  #wireTo(source: FlowNode, target: FlowNode, out?: number): FlowWire | undefined {
    const { outputs } = computePorts(source, this.types);
    if (outputs === 0 || computePorts(target, this.types).isStart) return undefined;
    const isFree = (index: number) =>
      !this.flow.wires.some(({ from, out }) => from === source.id && out === index);
    const all = Array.from({ length: outputs }, (_, index) => index);
    return { from: source.id, out: out ?? all.find(isFree) ?? outputs - 1, to: target.id };
  }

  connect(wire: FlowWire): void {
    this.change(addWire(this.flow, wire));
  }

  disconnect(wire: FlowWire): void {
    this.change(removeWires(this.flow, new Set([wireKey(wire)])));
  }

  /** Removes what is chosen. Returns how much it was. */
  remove(): number {
    const { nodes, wires } = this.#selection;
    const before = this.flow;
    const next = removeWires(removeNodes(before, new Set(nodes)), new Set(wires));
    this.change(next, nothing);
    return before.nodes.length - next.nodes.length + (nodes.length === 0 ? wires.length : 0);
  }

  /** Moves the chosen nodes by a step. */
  moveBy({ x, y }: Point): void {
    const chosen = this.flow.nodes.filter(({ id }) => this.#selection.nodes.includes(id));
    const places = new Map(chosen.map((node) => [node.id, { x: node.x + x, y: node.y + y }]));
    this.change(moveNodes(this.flow, places), this.#selection, `move ${this.#selection.nodes}`);
  }

  moveTo(places: ReadonlyMap<string, Point>): void {
    this.change(moveNodes(this.flow, places));
  }

  rename(id: string, name: string): void {
    this.change(updateNode(this.flow, id, { name }), this.#selection, `name ${id}`);
  }

  /** Gives several settings other values at once. */
  setAll(id: string, fields: Readonly<Record<string, unknown>>): void {
    const node = findNode(this.flow, id);
    if (node !== undefined) this.change(configure(this.flow, id, { ...node.config, ...fields }, this.types));
  }

  /** Gives a setting another value; undefined takes it out. */
  set(id: string, name: string, value: unknown): void {
    const node = findNode(this.flow, id);
    if (node === undefined) return;
    const { [name]: _before, ...others } = node.config;
    const config = value === undefined ? others : { ...node.config, [name]: value };
    this.change(configure(this.flow, id, config, this.types), this.#selection, `${name} ${id}`);
  }

  #show({ flow, selection }: State): void {
    this.#selection = selection;
    this.store.set('flow', flow);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The flow, drawn again when it changes. */
export function useFlow(editing: FlowEditing): Flow {
  return useSyncExternalStore(editing.subscribe, () => editing.flow);
}

export function useSelection(editing: FlowEditing): Selection {
  return useSyncExternalStore(editing.subscribe, () => editing.selection);
}
