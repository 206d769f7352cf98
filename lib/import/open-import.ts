import { z } from 'zod'
import { type Actor, type RecordAction, requireRight } from '@/lib/auth/rights'
import type { ImportRow } from '@/lib/db/schema'
import type { Entity } from '@/lib/definitions/definition'
import { entityIndexes } from '@/lib/definitions/entity-indexes'
import type { Deps } from '@/lib/deps'
import { AppError } from '@/lib/errors'
import { requireRead } from '@/lib/registry/may-read'
import { listEntities, writableEntity } from '@/lib/registry/registry'
import { withListNames } from '@/lib/search/list-names'
import { parseJson } from '@/lib/values/json'
import { type Mapping, mapColumns } from './columns/map-columns'
import type { ImportQuery } from './contract'
import { openFile } from './file/open-file'
import { FileFault, type FileForm, type Source } from './file/source'
import {
  type ImportRules,
  importRules,
  importView,
  isForcedIn,
  isShown,
  requireColumns,
  requireWritable,
} from './import-rules'

/** What needs the right to read, in its refusal. */
export const UNDOABLE = 'An import that can be undone'

type Opened = { /** On the disk. */ path: string; fileName: string; query: FileForm }

/** A file and what is to become of it. */
export type OpenRequest = {
  entityName: string
  /** On the disk. */
  path: string
  fileName: string
  mapping: Mapping | null
  query: FileForm &
    Pick<ImportQuery, 'mode' | 'key' | 'unknownColumns'> &
    Partial<Pick<ImportQuery, 'undo'>>
  actor: Actor
}

/**
 * Opens a file to import it. Throws `forbidden`, `not_found`, and `invalid_input` for a file of which the first line can't be read or
 * belongs to no fields.
 */
export async function openImport(deps: Deps, request: OpenRequest) {
  const entity = await requireRights(deps, request)
  if (request.query.undo !== undefined) requireRead(request.actor, entity, UNDOABLE)
  const source = await openSource(request)
  const rules = await importRules(deps, request.actor, entity, request.query.mode)
  requireWritable(rules, namedFields(source, request))
  const columns = columnsOf(entity, source, request, rules)
  requireColumns(rules, columns)
  return { source, columns, key: keyOf(entity, columns, request.query, rules) }
}

/** The fields that a request names by themselves, of which none is to be overlooked. */
function namedFields({ columns }: Source, { mapping, query }: OpenRequest): string[] {
  if (mapping) return Object.values(mapping).filter((field) => field !== null)
  return query.unknownColumns === 'ignore' ? [] : [...columns]
}

/** What each mode does with records. */
export const ACTIONS_OF_MODE = {
  create: ['write'],
  update: ['update'],
  upsert: ['write', 'update'],
} as const satisfies Record<ImportRow['mode'], readonly RecordAction[]>

/** The entity, which the caller may change so. Throws `forbidden` and `not_found`. */
export async function requireRights(
  deps: Deps,
  { entityName, query, actor }: OpenRequest,
): Promise<Entity> {
  const actions = ACTIONS_OF_MODE[query.mode]
  for (const action of actions) requireRight(actor, { entity: entityName, action })
  const [entity] = await Promise.all(
    actions.map((action) => writableEntity(deps, entityName, action)),
  )
  return withListNames(entity as Entity, await listEntities(deps))
}

/** Opens a file; throws `invalid_input` for one that can't be read. */
export async function openSource({ path, fileName, query }: Opened): Promise<Source> {
  return openFile(path, fileName, query).catch(refusedFile)
}

/** What can't be read of a file, as `invalid_input`. Throws always. */
export function refusedFile(error: unknown): never {
  if (!(error instanceof FileFault)) throw error
  const { message } = error
  throw new AppError('invalid_input', message, { validations: [{ field: 'file', error: message }] })
}

/** What the columns become. Throws `invalid_input`. */
export const columnsOf = (
  entity: Entity,
  source: Source,
  { mapping, query }: OpenRequest,
  rules: ImportRules | null,
) =>
  mapColumns(importView(entity, rules), source.columns, {
    ...{ mapping, ignoresUnknown: query.unknownColumns === 'ignore' },
    isForced: (field) => isForcedIn(rules, field),
  })

function keyOf(
  entity: Entity,
  columns: ImportRow['columns'],
  { mode, key }: OpenRequest['query'],
  rules: ImportRules | null,
): string[] {
  if (mode === 'create' && key !== undefined)
    throw new AppError(
      'invalid_input',
      'key: New records are not looked for; leave it out, or say mode=upsert',
    )
  const fields = keyFields(entity, key, rules)
  const missing = fields.find((name) => !columns.some(({ field }) => field === name))
  if (mode === 'create' || missing === undefined) return fields
  throw new AppError(
    'invalid_input',
    `The file has no column for "${missing}", by which records are found`,
    {
      validations: [{ field: 'key', error: `no column is mapped to "${missing}"` }],
      meta: { columns },
    },
  )
}

/**
 * The fields by which stored records are found: the key of the entity, or others that are unique (together). Throws
 * `invalid_input`.
 */
export function keyFields(
  entity: Entity,
  input: string | undefined,
  rules: ImportRules | null,
): string[] {
  if (input === undefined) return entity.keys
  const wanted = input.split(',').map((name) => name.trim())
  const unique = uniqueFields(entity, rules)
  const found = unique.find((fields) => isSame(fields, wanted))
  if (found) return found
  const names = unique.map((fields) => `"${fields.join(',')}"`).join(', ')
  throw new AppError(
    'invalid_input',
    `key: "${input}" does not identify one record; use ${names}`,
    {
      validations: [{ field: 'key', error: `must be one of ${names}` }],
    },
  )
}

/** The lists of fields that identify a record and that each record shows, that of the key first. */
export function uniqueFields(entity: Entity, rules: ImportRules | null): string[][] {
  const lists = [
    entity.keys,
    ...entity.properties.filter(({ rules }) => rules.unique).map(({ name }) => [name]),
    ...entityIndexes(entity).flatMap(({ unique, fields }) => (unique ? [fields] : [])),
  ]
  const shown = lists.filter((fields) => fields.every((name) => isShown(rules, name)))
  return [...new Map(shown.map((fields) => [fields.join(), fields])).values()]
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name) => other.includes(name))

const shape = z.record(z.string(), z.string().nullable())

/** The `mapping` of a form; null when there is none. Throws `invalid_input`. */
export function readMapping(text: string | undefined): Mapping | null {
  if (text === undefined || text.trim() === '') return null
  const found = shape.safeParse(parsed(text))
  if (found.success) return found.data
  throw new AppError('invalid_input', `mapping: ${INVALID}`, {
    validations: [{ field: 'mapping', error: INVALID }],
  })
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const INVALID = 'Must be a JSON object of columns to fields, with null for what is left out'
