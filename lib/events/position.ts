import { AppError } from '@/lib/errors'

/**
 * A place in the log of changes. Everything before it is read; what comes after it has a transaction with a higher number,
 * or the same and a higher id.
 */
export type Position = { log: string; xid: bigint; id: bigint }

const FORM = /^([0-9a-f]{8})\.(\d{1,20})\.(\d{1,19})$/

/** As clients keep it. */
export const cursorOf = ({ log, xid, id }: Position): string =>
  Buffer.from(`${log}.${xid}.${id}`).toString('base64url')

/** Throws `invalid_input` for a text that is none. */
export function positionOf(cursor: string): Position {
  const [, log, xid, id] = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (log === undefined || xid === undefined || id === undefined) {
    const error = 'Is no cursor of a feed of changes; leave it out to get one of this moment'
    throw new AppError('invalid_input', `since: ${error}`, {
      validations: [{ field: 'since', error }],
    })
  }
  return { log, xid: BigInt(xid), id: BigInt(id) }
}
