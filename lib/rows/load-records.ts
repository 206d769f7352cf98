import { sql } from 'drizzle-orm'
import { forEachInTurns } from '@/lib/async/turns'
import { copyIn } from '@/lib/db/copy-in'
import { databaseError } from '@/lib/db/errors'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import type { Json, JsonObject } from '@/lib/values/json'
import { bytesText, type CopyFormat, copyFormat, LineBuffer, linesOf } from './copy-rows'
import { extraNames, newExtraFieldsOf, rememberExtraFields } from './extra-fields'
import { assignKeys, greatestNumber, passSequence, reserve } from './generated-keys'
import type { PreparedRow } from './prepared-row'
import type { Signature } from './record-statements'

/** Rows as COPY wrote them. */
export type Copied = {
  lines: Buffer
  /** Of the rows, in the order of their lines. */
  indexes: readonly number[]
  /** Makes those whose keys were generated, with nothing but their keys. */
  generated: () => readonly PreparedRow[]
  /** The characters of the longest key. */
  longestKey: number
}
type Afterwards = (copied: Copied) => Promise<void>

export type Load = {
  /** Takes the next row; holds it as text. */
  add: (row: PreparedRow) => void
  /**
   * Writes the rows taken so far. Resolves before they have keys and the database has stored them, so that the next ones can be
   * prepared meanwhile; an error is thrown by a later call. `afterwards` is called once they are stored, before later ones are.
   */
  write: (afterwards?: Afterwards) => Promise<void>
  /** Of the rows as they are written, in the order of their lines. */
  columns: CopyFormat['columns']
  /** Resolves when all rows are stored and their references checked. */
  end: () => Promise<{ created: number; newExtraFields: string[] }>
  /** The error of the first write that failed: later statements of its transaction fail for it. */
  failure: () => unknown
}

/**
 * Begins to write new records by COPY, in an open transaction on PostgreSQL. A record that can't be
 * written fails the whole transaction with an error of the database (`isRecordError`), which doesn't
 * name the record.
 */
export async function beginLoad(tx: Db, entity: Entity, signature: Signature): Promise<Load> {
  const refers = entity.properties.some(({ rules }) => rules.reference)
  // Records of one file may refer to each other in any order.
  if (refers) await tx.execute(sql`set constraints all deferred`)
  const { statement, columns, keyText, restText } = copyFormat(entity, signature)
  const counters = trackCounters(tx, entity)
  const counted = countedKey(entity)
  const extra = extraNames(entity)
  const lines = new LineBuffer()
  const keylessLines = new LineBuffer()
  const generatedLines = new LineBuffer('latin1')
  let taken = nothingTaken()
  let running = Promise.resolve(0)
  let created = 0
  let failure: unknown = null

  function add(row: PreparedRow): void {
    extra.add(row)
    counters.add(row.values)
    const key = keyText(row.values)
    const rest = restText(row)
    if (key === null) {
      keylessLines.add(rest)
      taken.keyless.push(row.index)
      if (!counted) taken.partial.push(keyAlone(entity, row))
    } else {
      lines.add(key + rest)
      taken.indexes.push(row.index)
      taken.longestKey = Math.max(taken.longestKey, key.length)
    }
  }

  async function write(afterwards?: Afterwards): Promise<void> {
    const part = { ...taken, lines: lines.take(), rests: keylessLines.take() }
    taken = nothingTaken()
    created += await running
    running = store(part, afterwards)
    running.catch((error) => {
      failure ??= error
    })
  }

  async function store(
    { keyless, partial, rests, ...part }: Taken & { lines: Buffer; rests: Buffer },
    afterwards?: Afterwards,
  ) {
    const valuesAt = keyless.length === 0 ? nothing : await generateKeys(keyless.length, partial)
    const nextRest = linesOf(rests)
    await forEachInTurns(keyless, (index, at) => {
      const key = keyText(valuesAt(at)) ?? ''
      generatedLines.add(`${bytesText(key)}${nextRest()}\n`)
      part.indexes.push(index)
      part.longestKey = Math.max(part.longestKey, key.length)
    })
    const generated = () =>
      keyless.map((index, at) => ({ index, values: valuesAt(at), extra: null }))
    const written = [part.lines, generatedLines.take()].filter(({ length }) => length > 0)
    const all = written.length === 1 ? (written[0] as Buffer) : Buffer.concat(written)
    const count = await copyIn(tx, statement, all)
    await afterwards?.({ ...part, lines: all, generated })
    return count
  }

  async function generateKeys(count: number, partial: PreparedRow[]): Promise<KeyAt> {
    await counters.pass()
    if (counted) {
      const numberAt = await reserve(tx, entity, counted, count)
      return (at) => ({ [counted]: numberAt(at) })
    }
    const complete = await assignKeys(tx, entity, partial)
    return (at) => complete[at]?.values ?? {}
  }

  async function end() {
    created += await running
    await counters.pass()
    const newExtraFields = extra.added()
    await rememberExtraFields(tx, entity, newExtraFields)
    if (refers) await tx.execute(sql`set constraints all immediate`)
    return { created, newExtraFields }
  }

  return { add, write, columns, end, failure: () => failure }
}

/** The rows of a part, besides the lines of those that have keys; `indexes` and `longestKey` are of these lines. */
type Taken = {
  /** Indexes of rows without a key; the rest of their lines is kept as bytes, as texts would stay in memory. */
  keyless: number[]
  /** The keyless ones with what their keys have, where that may be a part. */
  partial: PreparedRow[]
  indexes: number[]
  longestKey: number
}

const nothingTaken = (): Taken => ({
  ...{ keyless: [], partial: [] },
  indexes: [],
  longestKey: 0,
})

/** The values of the keys of keyless rows, by their positions. */
type KeyAt = (at: number) => JsonObject
const nothing: KeyAt = () => ({})

/** The name of a key that is one number of a sequence. */
function countedKey({ definition }: Entity): string | null {
  const [first, ...others] = definition.keys
  return first?.strategy === 'AutoIncrement' && others.length === 0 ? first.key : null
}

/** Whether the database refuses a record: a key, a unique value, a reference or a value. */
export const isRecordError = (error: unknown): boolean =>
  /^(22|23|54)/.test(databaseError(error)?.code ?? '')

const keyAlone = ({ keys }: Entity, { index, values }: PreparedRow): PreparedRow => ({
  index,
  values: Object.fromEntries(keys.map((key): [string, Json] => [key, values[key] ?? null])),
  extra: null,
})

/** The counters of a key, which go on after the greatest numbers given. */
function trackCounters(tx: Db, { definition, table }: Entity) {
  const counters = definition.keys
    .filter(({ strategy }) => strategy === 'AutoIncrement')
    .map(({ key }) => ({ key, greatest: greatestNumber() }))
  return {
    add(values: PreparedRow['values']): void {
      for (const { key, greatest } of counters) greatest.add(values[key])
    },
    async pass(): Promise<void> {
      for (const { key, greatest } of counters) await passSequence(tx, table, key, greatest.get())
    },
  }
}

/**
 * Writes new records by one COPY, in an open transaction on PostgreSQL that is rolled back when it throws: a record that
 * can't be written fails all of them (`isRecordError`) without being named. References are checked by the caller.
 * Returns the rows with their keys.
 */
export async function copyPart(
  tx: Db,
  entity: Entity,
  rows: PreparedRow[],
  signature: Signature,
): Promise<PreparedRow[]> {
  const { statement, keyText, restText } = copyFormat(entity, signature)
  const lines = new LineBuffer()
  const keyed = await assignKeys(tx, entity, rows)
  await forEachInTurns(keyed, (row) => {
    lines.add(`${keyText(row.values)}${restText(row)}`)
  })
  await copyIn(tx, statement, lines.take())
  await rememberExtraFields(tx, entity, await newExtraFieldsOf(entity, rows))
  return keyed
}
