import { recordAudit } from '@/lib/audit/record-audit'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { linkFields } from '@/lib/definitions/link'
import { AppError, type Validation } from '@/lib/errors'
import type { PreparedRow } from '@/lib/rows/prepared-row'
import { requireNoConflicts } from '@/lib/rows/record-faults'
import { tupleReader } from '@/lib/rows/record-key'
import { writeRecords } from '@/lib/rows/write-records'
import { checkSentRecords } from '../check-written-fields'
import { insertUnderRules } from '../insert-under-rule'
import { forcedValues } from '../rule/forced-values'
import { type WriteRule, writeRuleAmong } from '../write-rule'
import type { LinkPair } from './link-pairs'
import { refusalOf } from './sent-links'
import type { LinkWriting } from './write-links'

/** Creates records of the link, each pair once, as a request that creates them would. Throws as `createRecords` does, about the keys of the request. */
export async function insertLinks(
  tx: Db,
  { actor, entities, requestId }: LinkWriting,
  link: Entity,
  pairs: readonly LinkPair[],
): Promise<void> {
  const readPair = tupleReader(link, linkFields(link))
  const distinct = [...new Map(pairs.map((pair) => [readPair(pair.values), pair])).values()]
  const rule = writeRuleAmong(actor, link, 'write', entities)
  try {
    const counts = await insert(tx, link, rule, distinct, actor.name)
    const details = { ...counts }
    await recordAudit(tx, actor, {
      ...{ action: 'records.create', objectType: link.name, details, requestId },
    })
  } catch (error) {
    throw ofRequest(error, link, distinct)
  }
}

async function insert(
  tx: Db,
  link: Entity,
  rule: WriteRule | null,
  pairs: readonly LinkPair[],
  actorName: string,
) {
  const forced = rule && (await forcedValues(rule))
  const records = pairs.map(({ values }) => values)
  const rows: PreparedRow[] = await checkSentRecords(rule, link, records, 'insert', 'batch', forced)
  const { updateStrategy } = link.definition
  const options = { onDuplicate: 'Error', updateStrategy, actorName } as const
  const result = rule
    ? await insertUnderRules(tx, link, { write: rule, update: null }, rows, {
        ...options,
        naming: 'batch',
      })
    : await writeRecords(tx, link, rows, options)
  const { kind, conflicts: details, conflictCount: count, counts } = result
  requireNoConflicts({ kind, details, count }, 'batch')
  return counts
}

/** The error about the keys of the request in place of records of the link. */
function ofRequest(error: unknown, link: Entity, pairs: readonly LinkPair[]): unknown {
  if (!(error instanceof AppError)) return error
  const { code, options } = error
  if (!options.validations?.length || (code !== 'invalid_input' && code !== 'conflict'))
    return error
  const own = linkFields(link)
  const validations = options.validations.map((one): Validation => {
    const [, at, name = ''] = /^records\.(\d+)\.?(.*)$/.exec(one.field) ?? []
    const pointer = pairs[Number(at)]?.pointer ?? ''
    const isOwn = name === '' || name.split(', ').some((one) => own.includes(one))
    const more = `${link.name}.${name} ${one.error}, which a list can't say: create records of ${link.name} instead`
    return { field: pointer, error: isOwn ? one.error : more }
  })
  return refusalOf(validations, code)
}
