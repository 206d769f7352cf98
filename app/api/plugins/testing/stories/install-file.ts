import type { DraftEntity, FileRecord } from './draft'
import { type Expected, type FileResult, type Memory, recordEmpty, type World } from './expected'
import { FIELDS, mergeRow } from './merge-row'
import type { Choices } from './random-story'

/** What an install makes of a data file, by the tables of `docs/plugins.md`; changes `expected` unless it fails. */
export function installFile(
  world: World,
  expected: Expected,
  { files }: DraftEntity,
  file: number,
  choices: Choices,
): FileResult {
  const before = structuredClone(expected)
  const records = files[file] ?? []
  const result: FileResult = {
    ...{ created: 0, updated: 0, unchanged: 0, conflicts: 0, undecided: 0 },
    ...{ isFailed: false, open: [], deleted: { kept: 0, restored: 0 } },
    removed: { total: 0, deleted: 0 },
  }
  recordEmpty(expected)
  for (const record of records) installRecord(world, expected, record, file, choices, result)
  removeUnlisted(expected, records, file, choices, result)
  result.isFailed = choices.onConflict === 'fail' && result.undecided > 0
  if (result.isFailed) Object.assign(expected, before)
  return result
}

function installRecord(
  world: World,
  expected: Expected,
  record: FileRecord,
  file: number,
  choices: Choices,
  result: FileResult,
): void {
  const memory = expected.input.get(record.no)
  const row = expected.rows.get(record.no)
  const remember = (isOfPlugin: boolean, beside: ReadonlySet<number> | null = null) =>
    expected.input.set(record.no, {
      base: { ...record },
      file,
      isOfPlugin: isOfPlugin,
      beside,
      isEmptied: false,
    })
  const create = () => {
    expected.rows.set(record.no, { ...record, since: world.serial++, by: 'plugin' })
    remember(true)
    result.created++
  }
  if (row) {
    result[mergeRow(row, record, memory?.base, choices, result) ? 'updated' : 'unchanged']++
    remember(memory?.isOfPlugin ?? false)
    return
  }
  if (!memory || memory.isEmptied) create()
  else if (isRestored(expected, memory, record, choices, result)) create()
  else remember(memory.isOfPlugin, memory.beside)
}

/** Whether a record that was deleted here is created again. */
function isRestored(
  { rows }: Expected,
  { base, beside }: Memory,
  record: FileRecord,
  { deleted, onConflict }: Choices,
  result: FileResult,
): boolean {
  const isOpen = ![...rows.values()].some(({ since, by }) => by === 'people' || beside?.has(since))
  if (isOpen) result.open.push(record)
  const isChanged = FIELDS.some((field) => record[field] !== base[field])
  if (isChanged) result.conflicts++
  if (isChanged && deleted === 'keep') result.undecided++
  const restored = deleted === 'restore' || (isChanged && onConflict === 'take')
  result.deleted[restored ? 'restored' : 'kept']++
  return restored
}

function removeUnlisted(
  expected: Expected,
  records: readonly FileRecord[],
  file: number,
  { removed }: Choices,
  result: FileResult,
): void {
  const numbers = new Set(records.map(({ no }) => no))
  for (const [no, memory] of [...expected.input]) {
    const row = expected.rows.get(no)
    if (memory.file !== file || numbers.has(no) || !row) continue
    result.removed.total++
    const isUntouched = FIELDS.every((field) => row[field] === memory.base[field])
    if (removed === 'keep' || !memory.isOfPlugin || !isUntouched) continue
    result.removed.deleted++
    expected.rows.delete(no)
    expected.input.delete(no)
  }
}
