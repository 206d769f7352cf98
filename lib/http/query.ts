import type { z } from 'zod'
import { strictObject } from '@/lib/values/strict-object'
import type { InputFaults } from './invalid-input'

/** `likely`: the query without its invalid parameters; undefined when that is invalid too. */
type CheckedQuery<Q> = { checked: Q | undefined; likely: Q | undefined }

/**
 * For a route without parameters: an unknown one must not be ignored, it may be meant as a filter.
 */
export const NO_QUERY = strictObject({})

/**
 * Checks the query string of a request; its errors go to `faults`. Without a schema it is not
 * checked.
 */
export function checkQuery<Q>(
  schema: z.ZodType<Q> | undefined,
  request: Request,
  faults: InputFaults,
): CheckedQuery<Q> {
  if (!schema) return { checked: {} as Q, likely: {} as Q }
  const search = new URL(request.url).searchParams
  const repeated = findRepeated(search.keys())
  for (const field of repeated) faults.add({ field, error: 'Given more than once' })
  const given = [...search].filter(([name]) => !repeated.has(name))
  const result = schema.safeParse(Object.fromEntries(given))
  const checked = faults.take(result)
  if (result.success) return { checked, likely: checked }
  const faulty = new Set(result.error.issues.flatMap(namesIn))
  const rest = given.filter(([name]) => !faulty.has(name))
  return { checked, likely: schema.safeParse(Object.fromEntries(rest)).data }
}

const namesIn = (issue: z.core.$ZodIssue): unknown[] =>
  issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [issue.path[0]]

function findRepeated(names: Iterable<string>): Set<string> {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) repeated.add(name)
    seen.add(name)
  }
  return repeated
}
