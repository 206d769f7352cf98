import { createQueue, isBusy, protectQueue, type Queued } from '@/components/queue/create-queue'
import { publishTasks } from '@/components/tasks/local-tasks'
import type { ShownTask } from '@/components/tasks/shown-task'
import { countOf } from '@/components/ui/number'
import { refreshImages } from './image-queries'
import { existingOf, type SentImage, sendImage, type Target } from './send-image'

export type UploadItem = Queued<'upload'> & {
  file: File
  /** `blob:` address of a preview. */
  preview: string
  assetId: string
  shared: SharedTarget
  /** Bytes. */
  sent: number
  result?: SentImage
  /** `fileId` of the image that has its name, which it may not replace unasked. */
  existing?: string
  /** `fileId` of the image that it may replace. */
  replaces?: string
}

/** What all images of an upload have in common. */
type SharedTarget = Omit<Target, 'assetId'>

const queue = createQueue<'upload', UploadItem>({
  steps: {
    upload: {
      // More at a time would only share the line, and the server decodes each image.
      concurrency: 3,
      run: async ({ file, assetId, shared, replaces }, { signal, change }) => {
        try {
          const target = { ...shared, assetId: assetId.trim(), replaces, mayReplace: false }
          const options = { onProgress: (sent: number) => change({ sent }), signal }
          return { result: await sendImage(file, target, options) }
        } catch (error) {
          change({ existing: existingOf(error) })
          throw error
        }
      },
    },
  },
  onRemove: ({ preview }) => URL.revokeObjectURL(preview),
})

queue.useItems.subscribe((items) => publishTasks('images', uploadTask(items, stop)))

/** Stops what is on its way or waits; what has arrived stays. */
function stop(): void {
  for (const item of queue.items()) if (isBusy(item)) queue.remove(item.id)
}

protectQueue(queue.useItems, {
  what: 'Images that are not uploaded yet are lost.',
  isLost: ({ state }) => state !== 'done',
})

export const uploadQueue = {
  useItems: queue.useItems,
  add,
  start,
  replace,
  remove: queue.remove,
  nameBy,
  clearDone: () => {
    for (const { id, state } of queue.items()) if (state === 'done') queue.remove(id)
  },
}

/** Files larger than `maxBytes` are refused with the message `tooLarge`. */
function add(files: Iterable<File>, maxBytes: number, tooLarge: string): void {
  const added = [...files].map((file): UploadItem => {
    const refused = file.size > maxBytes
    return {
      id: crypto.randomUUID(),
      step: 'upload',
      state: refused ? 'failed' : 'ready',
      error: refused ? tooLarge : undefined,
      file,
      preview: URL.createObjectURL(file),
      assetId: '',
      shared: { folder: '', tags: [], context: {} },
      sent: 0,
    }
  })
  queue.add(added)
}

/** Gives images not yet sent the ids that `idOf` returns. */
function nameBy(idOf: (item: UploadItem) => string): void {
  for (const item of queue.items().filter(isOpen)) {
    const assetId = idOf(item)
    // The question was about the former one.
    if (assetId !== item.assetId)
      queue.change(item.id, { assetId, existing: undefined, replaces: undefined })
  }
}

/** Sends those of `ids` that are ready or have failed. */
async function start(ids: readonly string[], shared: SharedTarget): Promise<void> {
  const chosen = queue.items().filter((item) => ids.includes(item.id) && isOpen(item))
  await Promise.all(
    chosen.map(({ id }) => {
      queue.change(id, { shared, sent: 0, existing: undefined })
      return queue.start(id, 'upload')
    }),
  )
  await refreshImages()
}

/** Sends an image in place of the one that has its name. */
function replace({ id, existing }: UploadItem, shared: SharedTarget): Promise<void> {
  queue.change(id, { replaces: existing })
  return start([id], shared)
}

/** It can still be labelled and sent. */
export const isOpen = ({ state }: UploadItem) => state === 'ready' || state === 'failed'

type Item = Pick<UploadItem, 'state' | 'sent'> & { file: { size: number } }

/** The images that are on their way, as one task; none when nothing is. */
export function uploadTask(items: readonly Item[], cancel: () => void): ShownTask[] {
  if (!items.some(isBusy)) return []
  const started = items.filter(({ state }) => state !== 'ready')
  const done = started.filter(({ state }) => state === 'done').length
  const failed = started.filter(({ state }) => state === 'failed').length
  const sum = (bytesOf: (item: Item) => number) =>
    started.reduce((total, item) => total + bytesOf(item), 0)
  return [
    {
      id: 'images',
      title: `Uploading ${countOf(started.length, 'image')}`,
      done: sum(sentOf),
      total: sum(({ file }) => file.size),
      progress: `${done} of ${countOf(started.length, 'image')}`,
      by: null,
      errors: failed > 0 ? `${countOf(failed, 'image')} failed` : null,
      href: '/images',
      needsTab: true,
      cancel,
    },
  ]
}

/** A failed one is over, too. */
const sentOf = ({ state, sent, file }: Item) =>
  isBusy({ state }) ? Math.min(sent, file.size) : file.size
