import { type Draft, type DraftEntity, type FileRecord, recordOf, type Values } from './draft'
import type { RecordChange, Story } from './random-story'

/** Changes the records of a data file, as an author does. */
export function changeDraft(draft: Draft, at: number, change: RecordChange, story: Story): void {
  const { kind, file, pick } = change
  const { files } = draft.entities[at] as DraftEntity
  const records = files[file % files.length] as FileRecord[]
  const no = 200 + 100 * at + draft.made
  draft.made++
  if (kind === 'add') records.push(recordOf(no))
  if (kind === 'remove') records.splice(pick % Math.max(1, records.length), 1)
  const found = records[pick % Math.max(1, records.length)]
  if (kind === 'change' && found) Object.assign(found, changedValues(pick, draft.made, story))
}

/**
 * Values often meet where `no` says which record is which; otherwise at least half of the fields stay, and a
 * value is that of one record alone.
 */
export function changedValues(pick: number, made: number, { isUnique }: Story): Partial<Values> {
  if (!isUnique) return { a: `x${made}` }
  const field = (['a', 'b', 'c'] as const)[pick % 3] ?? 'a'
  const value = ['v', 'w', null, `x${made}`][pick % 4] ?? null
  return pick % 5 === 0 ? { a: value, b: value, c: value } : { [field]: value }
}

export function renameEntity(draft: Draft, at: number, withFolder: boolean): void {
  const entity = draft.entities[at] as DraftEntity
  entity.formerNames.push(entity.name)
  entity.name = `${entity.name}x`
  if (withFolder) entity.folder = entity.name
}
