import { protectQueue } from '@/components/queue/create-queue'
import { publishTasks } from '@/components/tasks/local-tasks'
import type { Import } from '@/lib/import/contract'
import { announceImport, refreshAfterImport } from './announce-import'
import { checkImport } from './check-import'
import { type ImportOptions, isOver, type Mapping, recordsOf } from './import-item'
import {
  addItem,
  changeItem,
  findItem,
  removeItem,
  stopItem,
  useImports,
  workOn,
} from './import-items'
import { dropImport, followImport, readImport, sendImport, stopImport } from './import-requests'
import { importTasks } from './import-tasks'
import { forgetImport, type KeptImport, keepItem, keptImport } from './kept-imports'

useImports.subscribe((items) => publishTasks('imports', importTasks(items, cancelImport)))

protectQueue(useImports, {
  what: 'Files that have not arrived yet are not imported.',
  isLost: ({ state }) => state === 'sending',
})

type Chosen = Pick<ImportOptions, 'mode'> & { mapping?: Mapping; isConfirmed?: boolean }

/** Begins to check a file. Returns the id of its import. */
export function addFile(entity: string, file: File, chosen: Chosen): string {
  const id = crypto.randomUUID()
  const { mode, mapping = null, isConfirmed = false } = chosen
  const options = { mode, key: null, mapping }
  const { name, size } = file
  addItem({ id, entity, file, name, size, options, isConfirmed, state: 'checking', sent: 0 })
  void checkImport(id).then(() => runConfirmed(id))
  return id
}

/** Imports what was confirmed before it was checked, unless there is something to decide. */
async function runConfirmed(id: string): Promise<void> {
  const item = findItem(id)
  if (!item?.isConfirmed) return
  const { state, check } = item
  const isRight = state === 'checked' && check?.status === 'DONE' && check.refused === 0
  if (isRight && recordsOf(check) > 0) await runImport(id)
  else changeItem(id, { isConfirmed: false })
}

/** Stops what an import is at; the server then stores nothing of it. Throws `ApiError`. */
export async function cancelImport(id: string): Promise<void> {
  const item = findItem(id)
  if (!item) return
  if (item.state === 'running' && item.result) return stopImport(item.result.id)
  stopItem(item.id)
  if (item.state === 'sending') changeItem(item.id, { state: 'checked' })
  if (item.state === 'checking')
    changeItem(item.id, { state: 'stopped', error: 'The check was cancelled.' })
}

/** Takes an import off that is shown no longer, unless it is being carried out or will be: that goes on. */
export function leaveItem(id: string): void {
  const item = findItem(id)
  if (!item || item.state === 'sending' || item.state === 'running') return
  if (item.isConfirmed && item.state === 'checking') return
  removeItem(item.id)
  if (item.state === 'checked' && item.check) void dropImport(item.check.id)
  void forgetImport(item.id)
}

/** Shows an import of before a reload, or of elsewhere, by its id. Throws `ApiError` when there is none. */
export async function restoreItem(id: string): Promise<void> {
  if (findItem(id)) return
  const kept = await keptImport(id)
  const importId = kept ? kept.importId : id
  const found = importId === undefined ? null : await readImport(importId)
  if (findItem(id)) return
  if (found) return resume(kept, found)
  if (!kept) return
  const { file, checkId, entity, options } = kept
  const { name, size } = file
  addItem({ id: kept.id, entity, options, file, name, size, state: 'checking', sent: 0 })
  void checkImport(kept.id, checkId)
}

function resume(kept: KeptImport | null, result: Import): void {
  const { entity, fileName: name, totalBytes: size, mode, key } = result
  const id = kept?.id ?? result.id
  const options = kept?.options ?? { mode, key, mapping: null }
  const state = isOver(result) ? 'over' : 'running'
  addItem({ id, entity, file: kept?.file ?? null, name, size, options, state, sent: size, result })
  if (state === 'running') void workOn(id, 'over', (signal) => followResult(id, result.id, signal))
}

/** Imports what the dry run let pass; without refused rows it is all or nothing. */
export async function runImport(id: string): Promise<void> {
  const item = findItem(id)
  if (!item?.file || !item.check || item.state !== 'checked') return
  const { file, check } = item
  changeItem(id, { state: 'sending', sent: 0, error: undefined, isConfirmed: false })
  await workOn(id, 'checked', async (signal) => {
    const onSent = (sent: number) => changeItem(id, { sent })
    const undo = item.preview?.undoable ? '7d' : undefined
    const options = { dryRun: false, partial: check.refused > 0, undo } as const
    const result = await sendImport({ ...item, file }, options, { signal, onSent })
    changeItem(id, { result, state: 'running' })
    void keepItem(findItem(id))
    void dropImport(check.id)
    await followResult(id, result.id, signal)
  })
}

/** Shows how an import goes on, until it is over. */
async function followResult(id: string, importId: string, signal: AbortSignal): Promise<void> {
  const onProgress = (result: Import) => changeItem(id, { result })
  const result = await followImport(importId, { signal, onProgress })
  changeItem(id, { state: 'over', result })
  void forgetImport(id)
  void refreshAfterImport()
  announceImport(result, id)
}
