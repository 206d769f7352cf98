import { isBusy } from '@/components/queue/create-queue'
import type { ShownTask } from '@/components/tasks/shown-task'
import { countOf } from '@/components/ui/number'
import type { UploadItem } from './upload-queue'

type Item = Pick<UploadItem, 'state' | 'sent'> & { file: { size: number } }

/** The images that are on their way, as one task; none when nothing is. */
export function uploadTask(items: readonly Item[], cancel: () => void): ShownTask[] {
  if (!items.some(isBusy)) return []
  const given = items.filter(({ state }) => state !== 'ready')
  const done = given.filter(({ state }) => state === 'done').length
  const failed = given.filter(({ state }) => state === 'failed').length
  const sum = (bytesOf: (item: Item) => number) =>
    given.reduce((total, item) => total + bytesOf(item), 0)
  return [
    {
      id: 'images',
      title: `Uploading ${countOf(given.length, 'image')}`,
      done: sum(sentOf),
      total: sum(({ file }) => file.size),
      progress: `${done} of ${countOf(given.length, 'image')}`,
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
