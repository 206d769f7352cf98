/**
 * Points of the core around which layers may run, each declared by the file that calls `around` there:
 *
 *     declare module '@/lib/around' {
 *       interface Points { search: Point<Deps, Search, SearchPage> }
 *     }
 */
// biome-ignore lint/suspicious/noEmptyInterface: rooms declare its members
export interface Points {}

/** `Output` of `unknown`: callers differ in what they return, so a layer can only pass it on. */
export type Point<Dependencies, Input, Output = unknown> = {
  deps: Dependencies
  input: Input
  output: Output
}

/** Lists of the core to which layers add entries, each declared by the file that calls `added`, as `Points` are. */
// biome-ignore lint/suspicious/noEmptyInterface: rooms declare its members
export interface Lists {}

type Run<P> =
  P extends Point<infer Dependencies, infer Input, infer Output>
    ? (
        deps: Dependencies,
        input: Input,
        next: (deps: Dependencies) => Promise<Output>,
      ) => Promise<Output>
    : never

/** What stands on the core and which the core does not know. */
export type Layer = {
  /** By which `DISABLED_LAYERS` names it. */
  name: string
  /** Each runs in place of the work at a point, and calls `next` for the work. */
  around?: { [P in keyof Points]?: Run<Points[P]> }
  adds?: { [L in keyof Lists]?: readonly Lists[L][] }
}

type AnyRun = (deps: unknown, input: unknown, next: AnyWork) => Promise<unknown>
type AnyWork = (deps: unknown) => Promise<unknown>

/** The attached layers, sorted by point once. */
export type Layers = {
  around: ReadonlyMap<string, readonly AnyRun[]>
  added: ReadonlyMap<string, readonly unknown[]>
}

/** In the order in which they stand around each point, the outermost first. */
export function attachLayers(layers: readonly Layer[]): Layers {
  const around = new Map<string, AnyRun[]>()
  const added = new Map<string, unknown[]>()
  for (const layer of layers) {
    for (const [point, run] of Object.entries(layer.around ?? {}))
      around.set(point, [...(around.get(point) ?? []), run as AnyRun])
    for (const [list, entries] of Object.entries(layer.adds ?? {}))
      added.set(list, [...(added.get(list) ?? []), ...(entries as unknown[])])
  }
  return { around, added }
}

type Attached = { layers: Layers }

/** Runs `work` inside the layers that stand around `point`. Without any, this is a call of `work`. */
export function around<P extends keyof Points, T extends Points[P]['output']>(
  deps: Points[P]['deps'] & Attached,
  point: P,
  input: Points[P]['input'],
  work: (deps: Points[P]['deps']) => Promise<T>,
): Promise<T> {
  const runs = deps.layers.around.get(point)
  if (!runs) return work(deps)
  return runFrom(0, runs, deps, input, work as AnyWork) as Promise<T>
}

function runFrom(
  at: number,
  runs: readonly AnyRun[],
  deps: unknown,
  input: unknown,
  work: AnyWork,
): Promise<unknown> {
  const run = runs[at]
  return run ? run(deps, input, (used) => runFrom(at + 1, runs, used, input, work)) : work(deps)
}

/** What the attached layers add to a list of the core, in their order. */
export const added = <L extends keyof Lists>({ layers }: Attached, list: L): readonly Lists[L][] =>
  (layers.added.get(list) ?? []) as readonly Lists[L][]
