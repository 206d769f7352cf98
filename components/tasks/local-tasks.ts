import { create } from 'zustand'
import type { ShownTask } from './shown-task'

type Sources = Readonly<Record<string, readonly ShownTask[]>>

/** What this tab does, by the queue that does it; a queue is here once its code is loaded. */
const useSources = create<Sources>(() => ({}))

/** Shows in the header what a queue of this tab does now. */
export function publishTasks(source: string, tasks: readonly ShownTask[]): void {
  const before = useSources.getState()[source]
  if (!before?.length && tasks.length === 0) return
  useSources.setState({ [source]: tasks })
}

/** Everything that this tab does. */
export const useLocalTasks = (): ShownTask[] => Object.values(useSources()).flat()
/** The same outside of components. */
export const localTasks = (): ShownTask[] => Object.values(useSources.getState()).flat()
