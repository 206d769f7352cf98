import pLimit from 'p-limit'
import { messageOf } from '@/lib/errors'
import { refreshImages } from './image-queries'
import { type SentImage, sendImage, type Target } from './send-image'

/** `ready` to be described, `waiting` for its turn, `sending`, then `done` or `failed`. */
export type UploadPhase = 'ready' | 'waiting' | 'sending' | 'done' | 'failed'

export type UploadItem = {
  id: string
  file: File
  /** `blob:` address of a preview. */
  preview: string
  assetId: string
  phase: UploadPhase
  /** Bytes. */
  sent: number
  error?: string
  result?: SentImage
}

/** What all images of an upload have in common. */
export type SharedTarget = Omit<Target, 'assetId'>

/** More at a time would only share the line, and the server decodes each image. */
const AT_ONCE = 3
const inTurn = pLimit(AT_ONCE)

let items: readonly UploadItem[] = []
const listeners = new Set<() => void>()
const stops = new Map<string, AbortController>()

/** The queue outlives the page that shows it: leaving it stops nothing. */
export const uploadQueue = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  get: () => items,
  add,
  start,
  remove,
  nameBy,
  clearDone: () => {
    for (const { id } of items.filter(({ phase }) => phase === 'done')) remove(id)
  },
}

/** Larger files than `maxBytes` are refused at once. */
function add(files: Iterable<File>, maxBytes: number, tooLarge: string): void {
  const added = [...files].map((file) => {
    const refused = file.size > maxBytes
    return {
      id: crypto.randomUUID(),
      file,
      preview: URL.createObjectURL(file),
      assetId: '',
      phase: refused ? ('failed' as const) : ('ready' as const),
      sent: 0,
      error: refused ? tooLarge : undefined,
    }
  })
  set([...items, ...added])
}

/** Gives images not yet sent the ids that `idOf` makes. */
function nameBy(idOf: (item: UploadItem) => string): void {
  set(items.map((item) => (isOpen(item) ? { ...item, assetId: idOf(item) } : item)))
}

/** Sends those of `ids` that are ready or have failed. */
async function start(ids: readonly string[], shared: SharedTarget): Promise<void> {
  const chosen = items.filter((item) => ids.includes(item.id) && isOpen(item))
  for (const { id } of chosen) change(id, { phase: 'waiting', sent: 0, error: undefined })
  await Promise.all(chosen.map(({ id }) => inTurn(() => send(id, shared))))
  await refreshImages()
}

async function send(id: string, shared: SharedTarget): Promise<void> {
  const item = items.find((each) => each.id === id)
  if (item?.phase !== 'waiting') return
  const stop = new AbortController()
  stops.set(id, stop)
  change(id, { phase: 'sending' })
  try {
    const result = await sendImage(
      item.file,
      { ...shared, assetId: item.assetId.trim() },
      { onProgress: (sent) => change(id, { sent }), signal: stop.signal },
    )
    change(id, { phase: 'done', result })
  } catch (error) {
    change(id, { phase: 'failed', error: messageOf(error) })
  } finally {
    stops.delete(id)
  }
}

function remove(id: string): void {
  const item = items.find((each) => each.id === id)
  if (!item) return
  stops.get(id)?.abort()
  URL.revokeObjectURL(item.preview)
  set(items.filter((each) => each !== item))
}

/** It can still be described and sent. */
export const isOpen = ({ phase }: UploadItem) => phase === 'ready' || phase === 'failed'
export const isBusy = ({ phase }: UploadItem) => phase === 'waiting' || phase === 'sending'

function change(id: string, part: Partial<UploadItem>): void {
  set(items.map((item) => (item.id === id ? { ...item, ...part } : item)))
}

function set(next: readonly UploadItem[]): void {
  items = next
  for (const listener of listeners) listener()
}
