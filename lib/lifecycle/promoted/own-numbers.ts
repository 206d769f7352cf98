import { FileFailure, MAX_DETAILS } from '@/lib/archives/plugin-file'
import { forEachInTurns } from '@/lib/async/turns'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { CheckedRecords, DataContext } from '@/lib/installs/points'
import { isEmpty, NotInParts } from '@/lib/installs/write-records'
import { entitiesNamed, mergeEntity } from '@/lib/registry/registry-rows'
import { assignKeys } from '@/lib/rows/generated-keys'
import { type PreparedRow, repacker } from '@/lib/rows/prepared-row'
import type { Json, JsonObject } from '@/lib/values/json'
import { differingRecords, storedEntity } from './differing-records'
import { countedKey, fieldValue, keyReferences, promotedKeys, soleKey } from './promoted-keys'

type Keys = Map<string, string>

/**
 * Gives records from another server the numbers that they have here: those that they got before, and a new one where the number
 * is that of another record here. What refers to them follows.
 */
export async function ownNumbers(
  context: DataContext,
  { db, entity, rows, contents }: CheckedRecords & { db: Db; entity: Entity },
): Promise<CheckedRecords> {
  if (context.from === undefined) return { rows, contents }
  const references = await keyReferences(db, entity)
  const numbers = new Map<string, Keys>()
  const taken = new Set<string>()
  const names = [entity.name, ...references.map((one) => one.entity.name)]
  for (const one of await promotedKeys(db, names)) {
    if (one.source === context.from) keysOf(numbers, one.entity).set(one.sourceKey, one.key)
    if (one.entity === entity.name) taken.add(one.key)
  }
  const fields = references.map(({ field, entity: to }) => ({
    field,
    isOwn: to.name === entity.name,
    keys: keysOf(numbers, to.name),
  }))
  const keys = keysOf(numbers, entity.name)
  // Whether two records are equal is known once they refer to the same ones.
  const referring = await replaced(
    entity,
    rows,
    fields.filter(({ isOwn }) => !isOwn),
  )
  const own = fields.filter(({ isOwn }) => isOwn)
  const keyed = await withOwnKeys(context, db, entity, { rows: referring, taken, keys, own })
  return { rows: await replaced(entity, keyed, own), contents }
}

function keysOf(numbers: Map<string, Keys>, name: string): Keys {
  const keys = numbers.get(name) ?? new Map()
  numbers.set(name, keys)
  return keys
}

type Followed = { field: string; keys: Keys }
type Numbered = {
  rows: PreparedRow[]
  taken: ReadonlySet<string>
  keys: Keys
  own: readonly Followed[]
}

async function withOwnKeys(
  context: DataContext,
  db: Db,
  entity: Entity,
  { rows, taken, keys, own }: Numbered,
): Promise<PreparedRow[]> {
  const { renumbered = [] } = context
  renumbered.length = 0
  const key = soleKey(entity)
  if (key === null) return rows
  let others: PreparedRow[] = []
  let lacking = new Map<number, string>()
  await forEachInTurns(rows, ({ index, values }, at) => {
    const text = textOf(values[key])
    if (text === null || keys.has(text)) return
    if (taken.has(text)) lacking.set(index, text)
    else others.push(rows[at] as PreparedRow)
  })
  let present = await replaced(entity, rows, [{ field: key, keys }])
  if (countedKey(entity) === null) {
    requireFree(entity, lacking)
    return present
  }
  for (;;) {
    const differing = await differingRecords(
      db,
      context,
      entity,
      await replaced(entity, others, own),
    )
    await forEachInTurns(others, ({ index, values }) => {
      if (differing.has(index)) lacking.set(index, textOf(values[key]) ?? '')
    })
    if (lacking.size === 0) return present
    await requireFirst(db, context, entity)
    present = await assignKeys(db, entity, without(entity, present, key, lacking))
    for (const { index, values } of present) {
      const sourceKey = lacking.get(index)
      if (sourceKey === undefined) continue
      const number = textOf(values[key]) ?? ''
      keys.set(sourceKey, number)
      renumbered.push({ entity: entity.name, key: number, sourceKey })
    }
    if (own.length === 0) return present
    // What refers to those with other numbers is otherwise by that.
    const numbered = lacking
    others = others.filter(({ index }) => !numbered.has(index))
    lacking = new Map()
  }
}

/** Throws `FileFailure` for numbers of others here, since people type the numbers of the entity by now. */
function requireFree({ name }: Entity, lacking: ReadonlyMap<number, string>): void {
  if (lacking.size === 0) return
  const details = [...lacking.values()].slice(0, MAX_DETAILS).map((key) => ({
    key,
    message: `Another record of "${name}", which a promotion brought, has this number here: give one of them another one`,
  }))
  throw new FileFailure('Conflict Issue!', details, lacking.size)
}

const textOf = (value: Json | undefined): string | null =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : null

function without(
  entity: Entity,
  rows: PreparedRow[],
  key: string,
  lacking: ReadonlyMap<number, string>,
): PreparedRow[] {
  const repack = repacker(entity)
  return rows.map((row) => {
    if (!lacking.has(row.index)) return row
    const { [key]: _, ...values } = row.values
    return repack(row, { index: row.index, values, extra: row.extra })
  })
}

async function replaced(
  entity: Entity,
  rows: PreparedRow[],
  fields: readonly Followed[],
): Promise<PreparedRow[]> {
  const followed = fields.filter(({ keys }) => keys.size > 0)
  if (followed.length === 0) return rows
  const repack = repacker(entity)
  const changed: PreparedRow[] = []
  await forEachInTurns(rows, (row) => {
    const values: JsonObject = { ...row.values }
    let isChanged = false
    for (const { field, keys } of followed) {
      const own = keys.get(textOf(values[field]) ?? '')
      if (own === undefined) continue
      values[field] = fieldValue(entity, field, own)
      isChanged = true
    }
    changed.push(isChanged ? repack(row, { index: row.index, values, extra: row.extra }) : row)
  })
  return changed
}

/** Throws `FileFailure` where records that refer to those with other numbers were installed before. */
async function requireFirst(db: Db, { files, file }: DataContext, entity: Entity): Promise<void> {
  const before = files.slice(
    0,
    files.findIndex(({ path }) => path === file.path),
  )
  const names = before.flatMap(({ kind, target }) => (kind === 'data' && target ? target : []))
  for (const { row, schema } of names.length > 0 ? await entitiesNamed(db, names) : []) {
    if (row.name === entity.name) continue
    const references = await keyReferences(db, mergeEntity(row, schema))
    if (!references.some((one) => one.entity.name === entity.name)) continue
    const message = `Records of "${entity.name}" need other numbers here, and "${row.name}", which refers to them, comes before: they refer to each other. Give them keys that differ on both servers`
    throw new FileFailure('Conflict Issue!', [{ key: entity.name, message }])
  }
}

/** Throws `NotInParts` for a file whose records may need other numbers, or refer to some that have. */
export async function requireSameNumbers(
  context: DataContext,
  { tx, entity }: { tx: Db; entity: Entity },
): Promise<void> {
  if (context.from === undefined) return
  const references = await keyReferences(tx, entity)
  const isCounted = countedKey(entity) !== null
  const isKeyed = soleKey(entity) !== null
  const names = [...(isKeyed ? [entity.name] : []), ...references.map((one) => one.entity.name)]
  const isFilled = isCounted && !(await isEmpty(tx, storedEntity(context, entity).table))
  if (isFilled || (names.length > 0 && (await promotedKeys(tx, names)).length > 0))
    throw new NotInParts({ isForRecords: false })
}
