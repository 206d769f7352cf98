import { setImmediate as otherRequests } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import type { Definitions, PlannedFile } from '@/lib/archives/plugin-file'
import { ONE_AFTER_THE_OTHER } from '@/lib/db/cluster'
import type { Db } from '@/lib/db/sql'
import type {
  EntityDefinition,
  Property,
  Rules,
  SchemaDefinition,
  UniqueRule,
} from '@/lib/definitions/definition'
import { type FileReport, recordFiles } from '@/lib/installs/file-report'
import { entitiesNamed, entitiesOfSchema, schemaNamed } from '@/lib/registry/registry-rows'
import { isWiderType } from '@/lib/tables/follow-types'
import type { Json } from '@/lib/values/json'
import type { InstallContext } from '../points'
import { addFailed, copyFailed, recordFailed } from './failed-definitions'
import { runFile } from './run-file'

/**
 * For a definition file that stored records contradict, where the archive has data files of its entities:
 * installs it without what they contradict, then the files up to the last of those, then the definition
 * itself, in one transaction. Returns the reports of these files in their order, recorded in the history;
 * null, with nothing written, when there are no such files or records still contradict it.
 */
export async function runWithRepairs(
  db: Db,
  files: readonly PlannedFile[],
  at: number,
  context: InstallContext,
): Promise<FileReport[] | null> {
  const last = await lastRepair(db, files, at)
  if (last === at) return null
  const created = new Set(context.created)
  const failed = copyFailed(context.failed)
  try {
    const reports = await db.transaction(async (tx) => {
      await tx.execute(sql`select ${ONE_AFTER_THE_OTHER}`)
      const group = { ...context, history: null, created, failed }
      const done = await runGroup(tx, files, { at, last }, group)
      for (const report of context.history ? done : []) await record(tx, context, report)
      return done
    })
    for (const name of created) context.created.add(name)
    addFailed(context.failed, failed)
    return reports
  } catch (error) {
    if (error instanceof StillContradicted) return null
    throw error
  }
}

/** Whether stored records are what a definition file fails for. */
export const isContradicted = ({ kind, error }: FileReport): boolean =>
  error === 'Incompatible change' && (kind === 'schema' || kind === 'entity')

class StillContradicted extends Error {}

type Range = { at: number; last: number }

async function runGroup(
  tx: Db,
  files: readonly PlannedFile[],
  range: Range,
  context: InstallContext,
): Promise<FileReport[]> {
  const run = (file: PlannedFile) => runFile(tx, file, context)
  const reports = new Map<number, FileReport>()
  const waiting = new Map<number, FileReport | null>()
  let { last } = range
  for (let at = range.at; at <= last; at++) {
    const file = files[at]
    if (!file) break
    await otherRequests()
    const report = waiting.size === 0 ? null : await run(file)
    if (report && !isContradicted(report)) {
      await recordFailed(tx, context.failed, file, report)
      reports.set(at, report)
      continue
    }
    waiting.set(at, await runRelaxed(tx, file, run))
    last = Math.max(last, await lastRepair(tx, files, at))
  }
  for (const [at, relaxed] of waiting) {
    const file = files[at]
    const report = file && (await run(file))
    if (!report || report.status === 'failed') throw new StillContradicted()
    reports.set(at, joined(relaxed, report))
  }
  return [...reports].sort(([a], [b]) => a - b).map(([, report]) => report)
}

const NOTE =
  'Checked after the data files of its entities, since stored records contradicted it before'

const joined = (relaxed: FileReport | null, report: FileReport): FileReport => ({
  ...report,
  changes: [...(relaxed?.changes ?? []), ...report.changes, NOTE],
  durationMs: (relaxed?.durationMs ?? 0) + report.durationMs,
})

/** Null when even that is refused: the data files then meet the installed definition. */
async function runRelaxed(
  tx: Db,
  file: PlannedFile,
  run: (file: PlannedFile) => Promise<FileReport>,
): Promise<FileReport | null> {
  const definitions = file.definitions && (await relaxed(tx, file.definitions))
  const report = definitions ? await run({ ...file, definitions }) : null
  return report?.status === 'failed' ? null : report
}

async function relaxed(tx: Db, definitions: Definitions): Promise<Definitions> {
  if (definitions.kind === 'schema') {
    const items = []
    for (const item of definitions.items) {
      const [installed] = await schemaNamed(tx, item.name)
      items.push(relaxSchema(installed?.definition, item))
    }
    return { ...definitions, items }
  }
  if (definitions.kind !== 'entity') return definitions
  const installed = await entitiesNamed(
    tx,
    definitions.items.map(({ name }) => name),
  )
  const items = definitions.items.map((item) => {
    const found = installed.find(({ row }) => row.name === item.name)
    return relaxEntity(found?.row.definition, item)
  })
  return { ...definitions, items }
}

/** The position of the last data file of the entities that a definition file changes; its own without any. */
async function lastRepair(tx: Db, files: readonly PlannedFile[], at: number): Promise<number> {
  const targets = await entitiesOf(tx, files[at]?.definitions ?? null)
  const isRepair = ({ kind, target, failure }: PlannedFile) =>
    kind === 'data' && failure === null && targets.has(target ?? '')
  return Math.max(at, files.findLastIndex(isRepair))
}

async function entitiesOf(tx: Db, definitions: Definitions | null): Promise<ReadonlySet<string>> {
  if (definitions?.kind === 'entity') return new Set(definitions.items.map(({ name }) => name))
  const names = new Set<string>()
  for (const { name } of definitions?.kind === 'schema' ? definitions.items : [])
    for (const { row } of await entitiesOfSchema(tx, name)) names.add(row.name)
  return names
}

async function record(tx: Db, { history }: InstallContext, report: FileReport): Promise<void> {
  if (history) await recordFiles(tx, history, [report])
}

/**
 * The new schema without what stored records may contradict: it accepts both what the installed one
 * accepts and the archive's records, until those have replaced the others.
 */
function relaxSchema(
  installed: SchemaDefinition | undefined,
  next: SchemaDefinition,
): SchemaDefinition {
  const had = installed?.properties ?? []
  const formerOf = ({ name, renamedFrom = [] }: Property) =>
    had.find((one) => one.name === name) ?? had.find((one) => renamedFrom.includes(one.name))
  const { unique, ...rest } = next
  const kept = (unique ?? []).filter((rule) => isIn(installed?.unique ?? [], rule))
  return {
    ...rest,
    ...(kept.length > 0 ? { unique: kept } : {}),
    additionalProperties: next.additionalProperties || (installed?.additionalProperties ?? true),
    properties: next.properties.map((property) => relaxProperty(formerOf(property), property)),
  }
}

const isIn = (rules: readonly UniqueRule[], { fields }: UniqueRule) =>
  rules.some((rule) => rule.fields.join() === fields.join())

function relaxProperty(former: Property | undefined, next: Property): Property {
  const { kind, type } = former ? commonType(former, next) : next
  const isSame = kind === next.kind
  const rules = isSame && former ? commonRules(former.rules, next.rules) : looseRules(next.rules)
  return { ...next, kind, type, rules }
}

/** The wider of the two types; JSON where each has values that the other lacks. */
function commonType(former: Property, next: Property): Pick<Property, 'kind' | 'type'> {
  if (former.type === next.type || isWiderType(former, next)) return next
  if (isWiderType(next, former) && former.kind === next.kind) return former
  return { kind: 'json', type: 'json' }
}

function commonRules(former: Rules, next: Rules): Rules {
  const { min, max, minLength, maxLength, pattern, format, enum: values, reference, ...rest } = next
  return {
    ...rest,
    ...both('min', former.min, min, Math.min),
    ...both('max', former.max, max, Math.max),
    ...both('minLength', former.minLength, minLength, Math.min),
    ...both('maxLength', former.maxLength, maxLength, Math.max),
    ...both('enum', former.enum, values, union),
    ...(former.pattern === pattern && pattern !== undefined ? { pattern } : {}),
    ...(former.format === format && format !== undefined ? { format } : {}),
    ...(reference && sameReference(former, next) ? { reference } : {}),
    required: former.required && next.required,
    unique: former.unique && next.unique,
  }
}

/** Of a property that is new, or JSON for the time being. */
function looseRules({ default: preset, generates }: Rules): Rules {
  return {
    required: false,
    unique: false,
    indexed: false,
    searchable: false,
    ...(preset === undefined ? {} : { default: preset }),
    ...(generates === undefined ? {} : { generates }),
  }
}

const sameReference = (former: Rules, next: Rules) =>
  isDeepStrictEqual(former.reference, next.reference)

/** A limit that either side lacks does not hold. */
const both = <T>(
  name: string,
  former: T | undefined,
  next: T | undefined,
  join: (a: T, b: T) => T,
) => (former === undefined || next === undefined ? {} : { [name]: join(former, next) })

function union(former: Json[], next: Json[]): Json[] {
  const known = new Set(former.map((value) => JSON.stringify(value)))
  return [...former, ...next.filter((value) => !known.has(JSON.stringify(value)))]
}

/** The new entity with the unique indexes that the installed one has. */
function relaxEntity(
  installed: EntityDefinition | undefined,
  next: EntityDefinition,
): EntityDefinition {
  const had = new Set(installed?.indexes.map((index) => JSON.stringify(index)))
  const indexes = next.indexes.filter((index) => !index.unique || had.has(JSON.stringify(index)))
  return { ...next, indexes }
}
