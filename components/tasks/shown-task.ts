/** Long work as the header shows it: of the server, or of this tab. */
export type ShownTask = {
  /** The same for a task of this tab and what the server reports of it. */
  id: string
  /** `Installing Shop` */
  title: string
  done: number
  /** Null while it is not known. */
  total: number | null
  /** `3 of 12 files` */
  progress: string
  /** Who started it; null for what this tab does. */
  by: string | null
  /** `2 files failed`, or null. */
  errors: string | null
  /** Its page. */
  href: string
  /** It ends when the tab is closed. */
  needsTab: boolean
  /** Stops it; what is finished stays. Null when it cannot be stopped. */
  cancel: (() => Promise<void> | void) | null
}

type Progress = Pick<ShownTask, 'done' | 'total'>

/** 0 to 99, rounded down: what runs is never complete. Null while it is not known. */
export function percentOf({ done, total }: Progress): number | null {
  if (total === null || total <= 0) return null
  return Math.max(0, Math.min(99, Math.floor((done / total) * 100)))
}

/** `Installing Shop 62 %`, or `3 running`. */
export function chipLabel(tasks: readonly ShownTask[]): string {
  const [first, ...others] = tasks
  if (!first) return ''
  if (others.length > 0) return `${tasks.length} running`
  const percent = percentOf(first)
  return percent === null ? first.title : `${first.title} ${percent} %`
}

/** Each task once: that of this tab, which knows more, before that of the server. */
export function mergeTasks(local: readonly ShownTask[], server: readonly ShownTask[]): ShownTask[] {
  const own = new Set(local.map(({ id }) => id))
  return [...local, ...server.filter(({ id }) => !own.has(id))]
}
