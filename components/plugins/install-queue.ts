import { createQueue, protectQueue, type Queued } from '@/components/queue/create-queue'
import { publishTasks } from '@/components/tasks/local-tasks'
import { ApiError } from '@/lib/http/client'
import { announceInstall } from './announce-install'
import { isSame, type Resolution, UNRESOLVED } from './conflicts/resolution'
import { followInstall } from './follow-install'
import { installTasks } from './install-tasks'
import { forgetPlan, keepChoice, keepPlan, keptPlans } from './kept-plans'
import type { History, InstallPreview } from './searches'
import { type Archive, archiveRefusal, type Offer, sendArchive } from './send-archive'

/** `check` is a dry run, `install` goes on until the server has written the plugin. */
type InstallStep = 'check' | 'install'

export type QueueItem = Queued<InstallStep> &
  Archive & {
    name: string
    size: number
    /** The limit of an archive. */
    maxBytes?: number
    /** What is chosen about conflicts; the next plan has it. */
    resolution: Resolution
    /** Bytes. */
    sent: number
    preview?: InstallPreview
    /** The server refused the plan: something that it depends on has changed. */
    isStale?: boolean
    /** The plan was refused, since the installed version has another key. */
    isOtherKey?: boolean
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
      run: checkPlan,
    },
    install: { concurrency: Number.POSITIVE_INFINITY, run: runInstall },
  },
  onRemove: ({ id }) => void forgetPlan(id),
})

queue.useItems.subscribe((items) => publishTasks('plugins', installTasks(items, queue.remove)))

protectQueue(queue.useItems, {
  what: 'Plans that are not installed yet are lost.',
  isLost: (item) =>
    Boolean(item.file ?? item.offer) && item.historyId === undefined && !isFinished(item),
})

export const installQueue = {
  useItems: queue.useItems,
  add,
  addOffer,
  install: (id: string) => begin(id, 'install'),
  planAgain: (id: string) => begin(id, 'check'),
  resolve,
  remove: queue.remove,
  setOptions,
  resume,
  restore,
}

/** Files that can't be archives, or are larger than `maxBytes`, are refused before they are sent. */
function add(files: Iterable<File>, maxBytes?: number, mode: QueueItem['mode'] = 'partial'): void {
  const added = [...files].map(
    (file): QueueItem => ({
      id: crypto.randomUUID(),
      step: 'check',
      state: 'ready',
      name: file.name,
      size: file.size,
      maxBytes,
      file,
      mode,
      sent: 0,
      resolution: UNRESOLVED,
      planned: UNRESOLVED,
    }),
  )
  queue.add(added)
  for (const { id } of added) begin(id, 'check')
}

/** Plans a version of the index, unless it is in the list and not installed yet; returns the item. */
function addOffer(offer: Offer): string {
  const isThis = (item: QueueItem) =>
    item.offer?.id === offer.id && item.offer.version === offer.version
  const known = queue.items().find((item) => isThis(item) && !isFinished(item))
  if (known) return known.id
  const id = crypto.randomUUID()
  const name = `${offer.name} ${offer.version}`
  const unresolved = { resolution: UNRESOLVED, planned: UNRESOLVED }
  const item = {
    id,
    name,
    size: 0,
    sent: 0,
    file: null,
    offer,
    mode: 'partial',
    ...unresolved,
  } as const
  queue.add([{ ...item, step: 'check', state: 'ready' }])
  begin(id, 'check')
  return id
}

type InstallOptions = Partial<Pick<QueueItem, 'mode' | 'removed' | 'deleted' | 'acceptKey'>>

/** Plans again, with other options. */
function setOptions(id: string, options: InstallOptions): void {
  queue.change(id, options)
  begin(id, 'check')
}

/** Chooses about conflicts; the next plan has it. */
function resolve(id: string, resolution: Resolution): void {
  queue.change(id, { resolution })
  void keepChoice({ id, resolution })
}

function begin(id: string, step: InstallStep): void {
  queue.change(id, { sent: 0, isStale: false })
  void queue.start(id, step)
}

/** Shows an install that was running on the server when the page was loaded. */
function resume(install: History): void {
  if (queue.items().some(({ historyId }) => historyId === install.id)) return
  const { id: historyId, source: name, mode } = install
  const id = `install-${historyId}`
  const unresolved = { resolution: UNRESOLVED, planned: UNRESOLVED }
  const item = { id, name, size: 0, sent: 0, file: null, mode, install, historyId, ...unresolved }
  queue.add([{ ...item, step: 'install', state: 'ready' }])
  begin(id, 'install')
}

/** Shows the plans that this tab had made before it was reloaded. */
async function restore(): Promise<void> {
  for (const { file, ...plan } of await keptPlans()) {
    if (queue.items().some(({ id }) => id === plan.id)) continue
    const { name, size } = file
    queue.add([{ ...plan, file, name, size, sent: size, step: 'check', state: 'done' }])
  }
}

type Handle = { change: (part: Partial<QueueItem>) => void; signal: AbortSignal }

async function checkPlan(item: QueueItem, { change, signal }: Handle) {
  const { resolution, preview } = item
  const onProgress = (sent: number) => change({ sent })
  const refusal = item.file && (await archiveRefusal(item.file, item.maxBytes ?? Infinity))
  if (refusal) throw new Error(refusal)
  try {
    const { data } = await sendArchive<{ data: { plan: InstallPreview } }>(
      { ...item, planned: resolution },
      '&dryRun=true',
      { onProgress, signal },
    )
    const { id, file, mode, removed, deleted } = item
    const options = { mode, removed, deleted, planned: resolution }
    if (file) void keepPlan({ id, file, ...options, preview: data.plan })
    return { preview: data.plan, planned: resolution, isOtherKey: false }
  } catch (error) {
    if (preview) change({ isStale: true })
    if (error instanceof ApiError) change({ isOtherKey: error.meta.signature === 'other-key' })
    // Records that were chosen may no longer be in conflict.
    const isRefused = error instanceof ApiError && error.status === 400
    if (preview && isRefused) resolve(item.id, { ...resolution, except: new Map() })
    throw error
  }
}

/** Sends the archive unless the server has it already, then follows the install to its end. */
async function runInstall(item: QueueItem, { change, signal }: Handle) {
  const historyId = item.historyId ?? (await sendToInstall(item, { change, signal }))
  change({ historyId })
  void forgetPlan(item.id)
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
  const seal = item.preview ? `&seal=${encodeURIComponent(item.preview.seal)}` : ''
  try {
    const { data } = await sendArchive<{ data: { history: number } }>(item, seal, {
      headers: { Prefer: 'respond-async' },
      onProgress: (sent) => change({ sent }),
      signal,
    })
    return data.history
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) change({ isStale: true })
    throw error
  }
}

/** The dry run is done and nothing was installed yet. */
export const isPlanned = ({ step, state }: QueueItem) =>
  step === 'check' ? state === 'done' : state === 'failed'

/** It is planned again, after a choice. */
export const isPlanning = ({ step, state, preview }: QueueItem) =>
  step === 'check' && preview !== undefined && (state === 'waiting' || state === 'running')

/** Something else was chosen about conflicts than when it was planned. */
export const isUnplanned = ({ resolution, planned }: QueueItem) => !isSame(resolution, planned)

/** Nothing more can be done with it: it is installed, or it can't be. */
export const isFinished = ({ step, state }: QueueItem) =>
  step === 'check' ? state === 'failed' : state === 'done'

/** At least one file would be written. */
export const canInstall = (preview?: { successCount: number }): boolean =>
  (preview?.successCount ?? 0) > 0
