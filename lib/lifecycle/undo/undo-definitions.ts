import { sql } from 'drizzle-orm'
import { type Db, rows, tableSql } from '@/lib/db/sql'
import type { EntityDefinition } from '@/lib/definitions/definition'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import { entitiesOfSchema, entityNamed } from '@/lib/registry/registry-rows'
import { dropEntity } from '@/lib/tables/drop-entity'
import type { JsonObject } from '@/lib/values/json'
import {
  type RecordedKind,
  readDefinition,
  recordDefinition,
  recordedDefinitions,
  tableOf,
} from '../changes/record-definitions'
import { withoutUniqueRules } from './former-definition'
import {
  dropUniqueRules,
  type Ids,
  relaxBack,
  relaxPresent,
  restoreDefinition,
  restoreSchema,
} from './restore-definition'

type Noted = Awaited<ReturnType<typeof recordedDefinitions>>[number]
type Undone = {
  /** What was done, in words. */
  changes: string[]
  /** Does the rest, once stored records are as before. */
  finish: () => Promise<void>
}

/**
 * Makes definitions what they were before an install, in the caller's transaction, and remembers that for
 * the install `as`. A schema that stored records contradict waits for `finish`, in a form that accepts
 * those and the former ones, if schemas are `relaxed`; otherwise throws `DefinitionError`.
 */
export async function undoDefinitions(tx: Db, ids: Ids, relaxed: Relaxed | null): Promise<Undone> {
  const changes: string[] = []
  const waiting: (() => Promise<void>)[] = []
  for (const noted of await netChanges(tx, ids)) {
    const { kind, name, before } = noted
    const present = relaxed?.rows.get(idOf(noted)) ?? (await readDefinition(tx, kind, [name]))
    if (!before && present && !(await remove(tx, kind, name))) {
      changes.push(`The ${kind} ${name} stays: it is in use`)
      continue
    }
    const formerName = (kind === 'plugin' ? before?.id : before?.name) ?? name
    const note = () => recordDefinition(tx, ids.as, kind, String(formerName), present)
    if (await isUndone(tx, ids, noted, relaxed !== null)) await note()
    else
      waiting.push(async () => {
        await isUndone(tx, ids, kind === 'entity' ? { ...noted, after: null } : noted, false)
        await note()
      })
    if (kind !== 'plugin')
      changes.push(`The ${kind} ${name} is ${before ? 'as before' : 'removed'}`)
  }
  const finish = async () => {
    for (const work of waiting) await work()
    for (const row of relaxed?.others ?? []) await restoreSchema(tx, row)
  }
  return { changes, finish }
}

const idOf = ({ kind, name }: Pick<Noted, 'kind' | 'name'>) => `${kind} ${name}`

/** A definition that changed more than once, as when records were repaired in between, changed from its first state. */
async function netChanges(tx: Db, { installId }: Ids): Promise<Noted[]> {
  const net = new Map<string, Noted>()
  for (const noted of await recordedDefinitions(tx, installId)) {
    const id = idOf(noted)
    net.set(id, { ...(net.get(id) ?? noted), before: noted.before })
  }
  return [...net.values()]
}

/** Rows before they were relaxed: of schemas and entities that are undone, and of other schemas. */
type Relaxed = { rows: Map<string, JsonObject>; others: JsonObject[] }

/** Makes the definitions that an install changed accept both what is stored and what was before. */
export async function relaxDefinitions(tx: Db, ids: Ids): Promise<Relaxed> {
  const relaxed: Relaxed = { rows: new Map(), others: [] }
  const all = await netChanges(tx, ids)
  for (const noted of all) {
    const { kind, name, before } = noted
    if ((kind !== 'schema' && kind !== 'entity') || !before) continue
    const present = await readDefinition(tx, kind, [name])
    if (!present) continue
    relaxed.rows.set(idOf(noted), present)
    if (kind === 'schema') await relaxPresent(tx, name, before)
    else {
      await dropUniqueRules(tx, name)
      const other = await relaxOtherSchema(tx, { before, present }, all)
      if (other) relaxed.others.push(other)
    }
  }
  return relaxed
}

/** An entity that gets another schema again has to hold that one's records in its present one. Returns the row of this. */
async function relaxOtherSchema(
  tx: Db,
  { before, present }: { before: JsonObject; present: JsonObject },
  all: readonly Noted[],
): Promise<JsonObject | null> {
  const [then, now] = [schemaOf(before), schemaOf(present)]
  const noted = all.find(({ kind, name }) => kind === 'schema' && name === then)
  const former = noted?.before ?? (await readDefinition(tx, 'schema', [then]))
  const row = await readDefinition(tx, 'schema', [now])
  if (then === now || !former || !row) return null
  await relaxPresent(tx, now, former)
  return row
}

function schemaOf(row: JsonObject): string {
  const { name, engineSchema } = row.definition as unknown as EntityDefinition
  return engineSchema ?? name
}

/** False for what has to wait, in a form that holds what is stored. */
async function isUndone(tx: Db, ids: Ids, noted: Noted, mayWait: boolean): Promise<boolean> {
  const { kind, before, after } = noted
  if (!before) return true
  try {
    await restoreDefinition(tx, ids, { kind, before, after })
    return true
  } catch (error) {
    const isContradiction =
      error instanceof DefinitionError && error.verdict === 'Incompatible change'
    if (!mayWait || !isContradiction) throw error
    if (kind === 'schema') await relaxBack(tx, { before, after })
    else if (kind === 'entity')
      await restoreDefinition(tx, ids, { kind, before: withoutUniqueRules(before), after })
    else throw error
    return false
  }
}

/** Returns false for what is in use. */
async function remove(tx: Db, kind: RecordedKind, name: string): Promise<boolean> {
  if (kind === 'entity') {
    const [found] = await entityNamed(tx, name)
    if (!found) return true
    const table = tableSql({ schema: found.row.tableSchema, name: found.row.tableName })
    if ((await rows(tx, sql`select from ${table} limit 1`)).length > 0) return false
    await dropEntity(tx, found)
    return true
  }
  if (kind === 'schema' && (await entitiesOfSchema(tx, name)).length > 0) return false
  const column = sql.identifier(kind === 'plugin' ? 'id' : 'name')
  const isOwn = kind === 'webhook' ? sql`and plugin_id is not null` : sql``
  await tx.execute(sql`delete from ${tableOf(kind)} where ${column} = ${name}::text ${isOwn}`)
  return true
}
