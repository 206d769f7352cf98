import { AppError } from '@/lib/errors'

/**
 * Throws `precondition_failed` unless an `If-Match` header, when there is one, names `etag` or is `*`,
 * RFC 9110 §13.1.1. Weak validators never match.
 */
export function requireMatch(ifMatch: string | null, etag: string): void {
  const named = etagsIn(ifMatch)
  if (named === null || named.includes(etag)) return
  const message = 'The record has changed since it was read; read it again and repeat the change'
  throw new AppError('precondition_failed', message)
}

/** The validators that an `If-Match` header names; null when any will do. */
export const etagsIn = (ifMatch: string | null): string[] | null =>
  ifMatch === null || ifMatch.trim() === '*' ? null : ifMatch.split(',').map((one) => one.trim())

/** Throws `conflict` unless as many records or images match as the caller expected, if it said so. */
export function requireExpected(
  count: number,
  expected: number | undefined,
  { noun, done }: { noun: 'record' | 'image'; done: 'changed' | 'deleted' | 'erased' },
): void {
  if (expected === undefined || count === expected) return
  const found = count === 1 ? `1 ${noun} matches` : `${count} ${noun}s match`
  throw new AppError(
    'conflict',
    `${found}, not the ${expected} that ${expected === 1 ? 'was' : 'were'} expected; nothing was ${done}`,
    { meta: { expected, found: count } },
  )
}
