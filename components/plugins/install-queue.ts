import { messageOf } from '@/lib/errors'
import { upload } from '@/lib/http/upload'
import { followInstall } from './follow-install'
import type { History, InstallMode, InstallPreview } from './types'

/**
 * `waiting` for its turn, `checking` (sent for a dry run), `planned`, `sending` (sent to be
 * installed), `running` on the server, `done`; `refused` when the server took it for no plugin.
 */
export type Phase = 'waiting' | 'checking' | 'planned' | 'sending' | 'running' | 'done' | 'refused'

export type QueueItem = {
  id: string
  name: string
  size: number
  /** Null for an install that goes on from before the page was loaded. */
  file: File | null
  mode: InstallMode
  phase: Phase
  sent: number
  preview?: InstallPreview
  install?: History
  historyId?: number
  /** Path of the file that was written last. */
  current?: string
  error?: string
}

let items: readonly QueueItem[] = []
const listeners = new Set<() => void>()
const stops = new Map<string, () => void>()
let onFinish: (item: QueueItem) => void = () => {}

/** The queue outlives the pages that show it: leaving one stops nothing. */
export const installQueue = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  get: () => items,
  /** Called with each install that ends, on whatever page the person is. */
  whenFinished: (act: (item: QueueItem) => void) => {
    onFinish = act
  },
  add,
  install,
  remove,
  setMode,
  resume,
}

function add(files: Iterable<File>): void {
  const added = [...files].map((file) => ({
    id: crypto.randomUUID(),
    name: file.name,
    size: file.size,
    file,
    mode: 'partial' as const,
    phase: 'waiting' as const,
    sent: 0,
  }))
  set([...items, ...added])
  void checkNext()
}

function setMode(id: string, mode: InstallMode): void {
  change(id, { mode, phase: 'waiting', sent: 0, preview: undefined })
  void checkNext()
}

// One at a time: a plan holds the database's only writer for a moment.
async function checkNext(): Promise<void> {
  if (items.some(({ phase }) => phase === 'checking')) return
  const item = items.find(({ phase }) => phase === 'waiting')
  if (!item) return
  change(item.id, { phase: 'checking', sent: 0, error: undefined })
  try {
    const { body } = await send<{ data: [InstallPreview] }>(item, '&dryRun=true')
    change(item.id, { phase: 'planned', preview: body.data[0] })
  } catch (error) {
    if (find(item.id)) change(item.id, { phase: 'refused', error: messageOf(error) })
  }
  void checkNext()
}

/** Sends the archive to be installed; goes on in the background once the server has it. */
async function install(id: string): Promise<void> {
  const item = find(id)
  if (item?.phase !== 'planned') return
  change(id, { phase: 'sending', sent: 0, error: undefined })
  try {
    const { body } = await send<{ data: { history: number } }>(item, '', {
      Prefer: 'respond-async',
    })
    follow(id, body.data.history)
  } catch (error) {
    if (find(id)) change(id, { phase: 'planned', error: messageOf(error) })
  }
}

function send<T>(item: QueueItem, query: string, headers?: Record<string, string>) {
  const stop = new AbortController()
  stops.set(item.id, () => stop.abort())
  const form = new FormData()
  form.append('file', item.file as File)
  return upload<T>({
    path: `/api/plugins/install/zip?mode=${item.mode}${query}`,
    form,
    headers,
    onProgress: (sent) => change(item.id, { sent }),
    signal: stop.signal,
  })
}

/** Shows an install that the server was at when the page was loaded. */
function resume(install: History): void {
  if (items.some(({ historyId }) => historyId === install.id)) return
  const { id: historyId, source: name, mode } = install
  const id = `install-${historyId}`
  set([
    ...items,
    { id, name, size: 0, sent: 0, file: null, mode, phase: 'running', install, historyId },
  ])
  follow(id, historyId)
}

function follow(id: string, historyId: number): void {
  change(id, { phase: 'running', historyId })
  const stop = followInstall(historyId, {
    onFile: ({ path }) => change(id, { current: path }),
    onProgress: (install) => change(id, { install }),
    onResult: (install) => {
      change(id, { install, phase: 'done' })
      const item = find(id)
      if (item) onFinish(item)
    },
    onLost: () => change(id, { error: 'The connection was lost. The install goes on.' }),
  })
  stops.set(id, stop)
}

function remove(id: string): void {
  stops.get(id)?.()
  stops.delete(id)
  set(items.filter((item) => item.id !== id))
  void checkNext()
}

const find = (id: string) => items.find((item) => item.id === id)

function change(id: string, part: Partial<QueueItem>): void {
  set(items.map((item) => (item.id === id ? { ...item, ...part } : item)))
}

function set(next: readonly QueueItem[]): void {
  items = next
  for (const listener of listeners) listener()
}
