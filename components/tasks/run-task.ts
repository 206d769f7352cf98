import { addUnsaved } from '@/components/drafts/unsaved'
import { publishTasks } from './local-tasks'
import type { ShownTask } from './shown-task'

type Shown = Pick<ShownTask, 'title' | 'href' | 'done' | 'total' | 'progress'>

type Handle = {
  /** Aborted when the user cancels it. */
  signal: AbortSignal
  change: (part: Partial<Shown>) => void
}

/** What is over sooner is not shown: it would only flicker. */
const SHOWN_AFTER_MS = 400

const running = new Map<string, ShownTask>()
const publish = () => publishTasks('tab', [...running.values()])

/**
 * Does what needs this tab: shown in the header with a way to cancel it, and the browser asks before
 * the tab is closed. Throws as `work` does.
 */
export async function runTask<T>(shown: Shown, work: (handle: Handle) => Promise<T>): Promise<T> {
  const id = crypto.randomUUID()
  const stop = new AbortController()
  let task: ShownTask = {
    ...{ id, ...shown, by: null, errors: null, needsTab: true },
    cancel: () => stop.abort(),
  }
  const show = () => {
    running.set(id, task)
    publish()
  }
  const timer = setTimeout(show, SHOWN_AFTER_MS)
  const what = `${shown.title} is not finished.`
  const release = addUnsaved(id, { what, discard: () => {}, outlivesPages: true })
  const change = (part: Partial<Shown>) => {
    task = { ...task, ...part }
    if (running.has(id)) show()
  }
  try {
    return await work({ signal: stop.signal, change })
  } finally {
    clearTimeout(timer)
    release()
    running.delete(id)
    publish()
  }
}

/** The user has cancelled it. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AbortError'
