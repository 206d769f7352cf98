import type { ImportRow } from '@/lib/db/schema'
import type { Entity } from '@/lib/definitions/definition'
import type { Deps } from '@/lib/deps'
import { mayRead } from '@/lib/registry/may-read'
import { compileEntity } from '@/lib/rows/compiled-entity'
import { beginPreparation, tooSlowToMatch } from '@/lib/rows/prepare-records'
import { noFaults } from '@/lib/rows/record-faults'
import { nameReferences } from './columns/name-references'
import { hasDefault } from './columns/read-cell'
import { recordMaker, rowFaults, samplesOf } from './columns/record-maker'
import { type ImportPreview, PREVIEW_ROWS, type PreviewQuery } from './contract'
import { FileFault, firstRows, type Source, type SourceRow } from './file/source'
import { importRules, importView, isForcedIn, requireColumns } from './import-rules'
import {
  columnsOf,
  keyFields,
  type OpenRequest,
  openSource,
  refusedFile,
  requireRights,
  uniqueFields,
} from './open-import'
import { tellMode } from './tell-mode'

type Request = Omit<OpenRequest, 'query'> & { query: PreviewQuery }

/**
 * What the columns of a file would become, with the faults of its first rows; the database is only asked which of them it has,
 * where no mode is asked for. Throws `forbidden`, `not_found`, and `invalid_input` for a file that can't be read.
 */
export async function previewImport(deps: Deps, request: Request): Promise<ImportPreview> {
  const { mode: asked, cut: isCut } = request.query
  const asks = { ...request.query, mode: asked ?? 'create', unknownColumns: 'ignore' } as const
  const entity = await requireRights(deps, { ...request, query: asks })
  const source = await openSource({ ...request, query: { ...asks, isCut } })
  const rows = await rowsOf(source).catch(refusedFile)
  const told = asked ? null : await tellMode(deps, { ...request, query: asks }, source, rows)
  const mode = told?.mode ?? asks.mode
  const query = { ...asks, mode }
  const rules = await importRules(deps, request.actor, entity, mode)
  const view = importView(entity, rules)
  const columns = columnsOf(entity, source, { ...request, query }, rules)
  requireColumns(rules, columns)
  const key = told?.key ?? keyFields(entity, query.key, rules)
  const samples = samplesOf(rows, columns)
  const toKeys = await nameReferences(deps, request.actor, view, { ...source, columns })
  const keyed = await toKeys(rows, async () => deps.db)
  return {
    ...{ format: source.format, mode, key },
    columns: columns.map((column, at) => ({ ...column, samples: samples[at] ?? [] })),
    rows: rows.length,
    groups: await faultsOf(view, keyed, columns, {
      ...{ ...query, format: source.format },
      identifiedBy: key,
    }).catch(refusedFile),
    fields: fieldsOf(view).filter(({ name }) => !isForcedIn(rules, name)),
    open: entity.open,
    undoable: mayRead(request.actor, entity),
    maxBytes: deps.settings.MAX_IMPORT_BYTES,
    keys: uniqueFields(entity, rules),
  }
}

/** Wide rows are fewer. */
const MAX_BYTES = 8 * 1024 * 1024

async function rowsOf(source: Source): Promise<SourceRow[]> {
  const rows: SourceRow[] = []
  for await (const batch of firstRows(source, { rows: PREVIEW_ROWS, bytes: MAX_BYTES }))
    rows.push(...batch)
  return rows
}

async function faultsOf(
  entity: Entity,
  rows: readonly SourceRow[],
  columns: Parameters<typeof recordMaker>[1],
  {
    mode,
    format,
    identifiedBy,
  }: Pick<ImportRow, 'mode'> & Pick<Source, 'format'> & { identifiedBy: string[] },
) {
  const faults = noFaults()
  const preparation = beginPreparation(entity, mode === 'update' ? 'update' : 'insert', {
    ...{ matchingMs: MATCHING_MS, exceeded: () => new FileFault(TOO_SLOW) },
    ...(mode === 'create' ? {} : { identifiedBy }),
    faults,
  })
  const toRecord = recordMaker(entity, columns, { mode, format, ignoresUnknown: true })
  const faultOf = rowFaults(entity, columns)
  for (const row of rows) {
    const fault = faultOf(row)
    if (fault === undefined) await preparation.add([toRecord(row)], () => {})
    else preparation.refuse(fault)
  }
  return faults.groups.list()
}

const fieldsOf = (entity: Entity): ImportPreview['fields'] =>
  [...compileEntity(entity).fields.values()].map(({ property }) => ({
    ...{ name: property.name, label: property.label ?? null, type: property.type },
    required: isRequired(entity, property),
  }))

const isRequired = (entity: Entity, property: Entity['properties'][number]): boolean =>
  (property.rules.required === true || entity.keys.includes(property.name)) &&
  !hasDefault(entity, property)

/** How long patterns may be matched. */
const MATCHING_MS = 1_000
const TOO_SLOW = tooSlowToMatch('a preview', 'rules')
