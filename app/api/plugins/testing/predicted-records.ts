import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { rows } from '@/lib/db/sql'
import type { Deps } from '@/lib/deps'
import type { InstallPreview, PlannedRecord } from '@/lib/installs/plan-contract'
import type { Field, RandomEntity, Upgrade } from '@/lib/testing/random-upgrade'
import { call } from '@/lib/testing/request'
import { GET } from '../../entities/[entityName]/route'

type Row = Record<string, unknown>
/** Entity → its records, as the API returns them. */
type Stored = Map<string, Row[]>

export async function storedRecords(deps: Deps): Promise<Stored> {
  const names = await rows<{ name: string }>(deps.db, sql`select name from engine.entities`)
  const found: Stored = new Map()
  for (const { name } of names) {
    const path = `/api/entities/${name}?size=1000`
    const { body } = await call(deps, GET, { path, as: 'ADMIN', params: { entityName: name } })
    found.set(name, body.data)
  }
  return found
}

type Predicted = { files: InstallPreview['files']; records: Map<string, PlannedRecord[]> }

/**
 * What tables contain after an install must be what was there before, but for what the plan said of each
 * record. Fields whose definition changed are left to the plan's lines about definitions.
 */
export async function checkPredictedRecords(
  deps: Deps,
  stored: Stored,
  upgrade: Upgrade,
  { files, records }: Predicted,
): Promise<void> {
  const present = await storedRecords(deps)
  for (const [name, after] of present) {
    const shape = upgrade.second.find((one) => one.name === name)
    const file = files.find(({ kind, target }) => kind === 'data' && target === name)
    const said = (file && records.get(file.path)) ?? []
    const former = stored.get(name) ?? stored.get(shape?.renamedFrom ?? '') ?? []
    const old = upgrade.first.find((one) => one.name === name || one.name === shape?.renamedFrom)
    const definition = shape ?? old
    if (!definition) continue
    const filled = filledFields(definition, files)
    compare({ former, after, said, definition, steady: steadyFields(old, shape), filled })
  }
}

type Compared = {
  former: Row[]
  after: Row[]
  said: PlannedRecord[]
  definition: RandomEntity
  steady: (field: string) => boolean
  /** Field → the value that a definition gives to records without one. */
  filled: ReadonlyMap<string, unknown>
}

function compare({ former, after, said, definition, steady, filled }: Compared): void {
  const keyOf = (row: Row) => JSON.stringify(definition.pks.map(({ key }) => String(row[key])))
  const was = new Map(former.map((row) => [keyOf(row), row]))
  const is = new Map(after.map((row) => [keyOf(row), row]))
  const keyed = said.flatMap((one) => (one.key ? [[keyOf(one.key), one] as const] : []))
  const predicted = new Map(keyed)
  const explained = (key: string) => predicted.get(key)?.verdict ?? 'unchanged'
  for (const [key, row] of was) {
    const now = is.get(key)
    const record = predicted.get(key)
    expect([key, now ? 'kept' : 'deleted']).toEqual([
      key,
      explained(key) === 'deleted' ? 'deleted' : 'kept',
    ])
    if (!now) continue
    const names = new Set([...Object.keys(row), ...Object.keys(now)])
    for (const name of names) {
      const isChanged = record && (name in (record.before ?? {}) || name in (record.after ?? {}))
      const defined = row[name] === null && filled.has(name) ? filled.get(name) : row[name]
      const expected = isChanged ? record.after?.[name] : defined
      if (isChanged || steady(name)) expect([key, name, now[name]]).toEqual([key, name, expected])
      if (isChanged && steady(name))
        expect([key, name, defined]).toEqual([key, name, record.before?.[name]])
    }
  }
  const created = [...is].filter(([key]) => !was.has(key)).map(([, row]) => row)
  const promised = said.filter(({ verdict }) => verdict === 'created')
  expect(created.map(plain(definition)).sort()).toEqual(
    promised.map(({ after: fields }) => plain(definition)(fields ?? {})).sort(),
  )
}

/** The values of a new record, without those that are made when it is stored. */
const plain =
  ({ pks, fields }: RandomEntity) =>
  (row: Row): string => {
    const generated = fields.flatMap(({ name, meta }) =>
      ['now', 'uuid'].includes(meta.default as string) ? [name] : [],
    )
    const left = new Set([...pks.map(({ key }) => key), ...generated, 'total', ...ENGINE_FIELDS])
    return JSON.stringify(
      Object.entries(row)
        .filter(([name]) => !left.has(name))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    )
  }

const ENGINE_FIELDS = ['persistenceId', 'CreatedAt', 'CreatedBy', 'LastUpdatedAt', 'LastUpdatedBy']

/** Whether a field has the same meaning in both versions. */
function steadyFields(
  old: RandomEntity | undefined,
  next: RandomEntity | undefined,
): (field: string) => boolean {
  const find = (shape: RandomEntity | undefined, name: string): Field | undefined =>
    shape?.fields.find((one) => one.name === name)
  return (name) => {
    if (ENGINE_FIELDS.includes(name) || old?.pks.some(({ key }) => key === name)) return false
    const [a, b] = [find(old, name), find(next ?? old, name)]
    const isRenamed = next?.fields.some(({ renamedFrom }) => renamedFrom === name)
    if (isRenamed) return false
    return a?.type === b?.type && !a?.computed && !b?.computed && b?.renamedFrom === undefined
  }
}

/** As the plan says of definitions: `Set p to "a" where entities.alpha has no value`. */
function filledFields(
  { name, fields }: RandomEntity,
  files: Predicted['files'],
): Map<string, unknown> {
  const table = name.replace(/\B[A-Z]/g, '_$&').toLowerCase()
  const lines = files.flatMap(({ status, changes }) => (status === 'failed' ? [] : changes))
  const isSaid = (field: string) =>
    lines.some(
      (line) =>
        line.startsWith(`Set ${field} to `) &&
        line.endsWith(` where entities.${table} has no value`),
    )
  return new Map(
    fields.flatMap(({ name: field, type, meta }): [string, unknown][] =>
      isSaid(field) ? [[field, type === 'decimal' ? Number(meta.default) : meta.default]] : [],
    ),
  )
}
