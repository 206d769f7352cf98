import { createQueue, type Queued } from '@/components/queue/create-queue'
import { upload } from '@/lib/http/upload'
import { announceInstall } from './announce-install'
import { followInstall } from './follow-install'
import type { History, InstallMode, InstallPreview } from './types'

/** `check` is a dry run, `install` goes on until the server has written the plugin. */
type InstallStep = 'check' | 'install'

export type QueueItem = Queued<InstallStep> & {
  name: string
  size: number
  /** Null for an install that was running before the page was loaded. */
  file: File | null
  mode: InstallMode
  /** Bytes. */
  sent: number
  preview?: InstallPreview
  install?: History
  historyId?: number
  /** Path of the file that was written last. */
  current?: string
}

const queue = createQueue<InstallStep, QueueItem>({
  steps: {
    // One at a time: a dry run holds the database's only writer for a moment.
    check: {
      concurrency: 1,
      run: async (item, { change, signal }) => {
        const { data } = await send<{ data: [InstallPreview] }>(item, '&dryRun=true', {
          onProgress: (sent) => change({ sent }),
          signal,
        })
        return { preview: data[0] }
      },
    },
    install: { concurrency: Number.POSITIVE_INFINITY, run: runInstall },
  },
})

export const installQueue = {
  useItems: queue.useItems,
  add,
  install: (id: string) => begin(id, 'install'),
  remove: queue.remove,
  setMode,
  resume,
}

function add(files: Iterable<File>): void {
  const added = [...files].map(
    (file): QueueItem => ({
      id: crypto.randomUUID(),
      step: 'check',
      state: 'ready',
      name: file.name,
      size: file.size,
      file,
      mode: 'partial',
      sent: 0,
    }),
  )
  queue.add(added)
  for (const { id } of added) begin(id, 'check')
}

function setMode(id: string, mode: InstallMode): void {
  queue.change(id, { mode, preview: undefined })
  begin(id, 'check')
}

function begin(id: string, step: InstallStep): void {
  queue.change(id, { sent: 0 })
  void queue.start(id, step)
}

/** Shows an install that was running on the server when the page was loaded. */
function resume(install: History): void {
  if (queue.items().some(({ historyId }) => historyId === install.id)) return
  const { id: historyId, source: name, mode } = install
  const id = `install-${historyId}`
  const item = { id, name, size: 0, sent: 0, file: null, mode, install, historyId }
  queue.add([{ ...item, step: 'install', state: 'ready' }])
  begin(id, 'install')
}

type Handle = { change: (part: Partial<QueueItem>) => void; signal: AbortSignal }

/** Sends the archive unless the server has it already, then follows the install to its end. */
async function runInstall(item: QueueItem, { change, signal }: Handle) {
  const historyId = item.historyId ?? (await sendToInstall(item, { change, signal }))
  change({ historyId })
  const install = await new Promise<History>((resolve, reject) => {
    const stop = followInstall(historyId, {
      onFile: ({ path }) => change({ current: path }),
      onProgress: (install) => change({ install }),
      onResult: resolve,
      onLost: () => change({ error: 'The connection was lost. The install continues.' }),
    })
    signal.addEventListener('abort', () => {
      stop()
      reject(signal.reason)
    })
  })
  announceInstall(install)
  return { install }
}

async function sendToInstall(item: QueueItem, { change, signal }: Handle): Promise<number> {
  const { data } = await send<{ data: { history: number } }>(item, '', {
    headers: { Prefer: 'respond-async' },
    onProgress: (sent) => change({ sent }),
    signal,
  })
  return data.history
}

type SendOptions = {
  headers?: Record<string, string>
  onProgress: (sent: number) => void
  signal: AbortSignal
}

async function send<T>({ file, mode }: QueueItem, query: string, options: SendOptions): Promise<T> {
  const form = new FormData()
  form.append('file', file as File)
  const path = `/api/plugins/install/zip?mode=${mode}${query}`
  const { body } = await upload<T>({ path, form, ...options })
  return body
}

/** The dry run is done and nothing was installed yet. */
export const isPlanned = ({ step, state }: QueueItem) =>
  step === 'check' ? state === 'done' : state === 'failed'

/** Nothing more can be done with it: it is installed, or it can't be. */
export const isFinished = ({ step, state }: QueueItem) =>
  step === 'check' ? state === 'failed' : state === 'done'
