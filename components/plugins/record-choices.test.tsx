import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { QueueItem } from './install-queue'
import { RecordChoices } from './plan-view'
import type { FileLog, InstallPreview } from './searches'

const item = { id: '1', step: 'check', state: 'done' } as QueueItem

function textOf(...deleted: FileLog['deleted'][]): string {
  const removed = { total: 0, deleted: 0 }
  const preview = { files: deleted.map((one) => ({ deleted: one, removed })) } as InstallPreview
  const markup = renderToStaticMarkup(<RecordChoices item={item} preview={preview} />)
  return markup.replace(/<[^>]+>/g, '|')
}

test('a plan says how many records stay deleted or come back, with a choice', () => {
  const kept = textOf({ kept: 59, restored: 0 }, { kept: 1, restored: 0 })
  expect(kept).toContain('60 records that were deleted here stay deleted')
  expect(kept).toContain('Keep them deleted')
  expect(textOf({ kept: 0, restored: 1 })).toContain('1 record that was deleted here comes back')
  expect(textOf({ kept: 0, restored: 0 })).toBe('')
})
