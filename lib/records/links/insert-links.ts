import { recordAudit } from '@/lib/audit/record-audit'
import type { Db } from '@/lib/db/sql'
import type { Entity } from '@/lib/definitions/definition'
import { linkFields } from '@/lib/definitions/link'
import { AppError, type Validation } from '@/lib/errors'
import { tupleReader } from '@/lib/rows/record-key'
import { insertNew } from '../insert-new'
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
  const records = distinct.map(({ values }) => values)
  try {
    const { counts } = await insertNew(tx, link, records, { actor, entities, naming: 'batch' })
    const details = { ...counts }
    await recordAudit(tx, actor, {
      ...{ action: 'records.create', objectType: link.name, details, requestId },
    })
  } catch (error) {
    throw ofRequest(error, link, distinct)
  }
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
