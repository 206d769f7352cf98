import type { Import } from '@/lib/import/contract'
import { announceImport, refreshAfterImport } from './announce-import'
import { changeItem, findItem, workOn } from './import-items'
import { dropImport, followImport, sendImport } from './import-requests'
import { forgetImport, keepItem } from './kept-imports'

/** Imports what the dry run let pass; without refused rows it is all or nothing. */
export async function runImport(id: string): Promise<void> {
  const item = findItem(id)
  if (!item?.file || !item.check || item.state !== 'checked') return
  const { file, check } = item
  changeItem(id, { state: 'sending', sent: 0, error: undefined })
  await workOn(id, 'checked', async (signal) => {
    const onSent = (sent: number) => changeItem(id, { sent })
    const options = { dryRun: false, partial: check.refused > 0 }
    const result = await sendImport({ ...item, file }, options, { signal, onSent })
    changeItem(id, { result, state: 'running' })
    void keepItem(findItem(id))
    void dropImport(check.id)
    await followResult(id, result.id, signal)
  })
}

/** Shows how an import goes on, until it is over. */
export async function followResult(
  id: string,
  importId: string,
  signal: AbortSignal,
): Promise<void> {
  const onProgress = (result: Import) => changeItem(id, { result })
  const result = await followImport(importId, { signal, onProgress })
  changeItem(id, { state: 'over', result })
  void forgetImport(id)
  void refreshAfterImport()
  announceImport(result, id)
}
