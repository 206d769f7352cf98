import { AppError } from '@/lib/errors'

/** Throws `conflict` unless as many records or images match as the caller expected, if it said so. */
export function requireExpected(
  count: number,
  expected: number | undefined,
  { noun, done }: { noun: 'record' | 'image'; done: 'changed' | 'deleted' },
): void {
  if (expected === undefined || count === expected) return
  const found = count === 1 ? `1 ${noun} matches` : `${count} ${noun}s match`
  throw new AppError(
    'conflict',
    `${found}, not the ${expected} that ${expected === 1 ? 'was' : 'were'} expected; nothing was ${done}`,
    { meta: { expected, found: count } },
  )
}
